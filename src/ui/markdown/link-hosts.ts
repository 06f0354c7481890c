/** The host of a link, behind its words: where they could be taken for another place, or the model put the address together. */
import { isHostShown, readLink } from './safe-link';

export function appendHost(parent: HTMLElement, text: string): void {
  parent.append(buildHost(text));
}

/** Of links inside `roots` whose address was not found anywhere. Those that have one are left as they are. */
export function addLinkHosts(roots: Iterable<Element>, isFound: (href: string) => boolean): void {
  for (const root of roots) {
    for (const anchor of root.querySelectorAll<HTMLAnchorElement>('a[href]')) {
      const link = readLink(anchor.href);
      if (!link || anchor.querySelector('.host') || isHostShown(anchor.textContent, link)) continue;
      if (isFound(link.href)) continue;
      const host = buildHost(` (${link.host})`);
      host.dataset['added'] = '';
      anchor.append(host);
    }
  }
}

/** Before the renderer goes on with a text that was whole, or when more was found. */
export function removeLinkHosts(target: Element): void {
  for (const added of target.querySelectorAll('.host[data-added]')) added.remove();
}

function buildHost(text: string): HTMLElement {
  const host = document.createElement('span');
  host.className = 'host';
  host.textContent = text;
  return host;
}

/** Checks the web addresses in a reply: which links are allowed, and when the reader must see the host. */
import { createElement } from './create-element';

export interface SafeLink {
  href: string;
  /** `host:port`, in punycode if it is not ASCII. For `mailto`, the mail address. */
  host: string;
}

const allowedSchemes = new Set(['https:', 'http:', 'mailto:']);
/** Matches text that a reader could mistake for an address: a URL, a mail address or a bare host name. */
const addressPattern =
  /(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+|[^\s@]+@[^\s@]+\.\S+|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/iu;
/** Matches invisible characters, also those that reverse the direction of text. */
const invisibleCharacters = /[\p{Cf}\u2028\u2029]/gu;

/** Parses an absolute https, http or mailto address. Undefined for any other address. */
export function readLink(href: string): SafeLink | undefined {
  // An exception for each relative link is slow, so call `canParse` first.
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  if (!allowedSchemes.has(url.protocol)) return undefined;
  return { href: url.href, host: url.protocol === 'mailto:' ? decodeMailAddress(url.pathname) : url.host };
}

/** True if the link may hide its host: its label names another host, or its URL has a user name or punycode. */
export function isMisleading(label: string, link: SafeLink): boolean {
  const url = new URL(link.href);
  if (url.username !== '' || url.password !== '' || /(?:^|\.)xn--/.test(url.host)) return true;
  const shown = findHostInLabel(label);
  return shown !== undefined && shown.host !== link.host;
}

export function isHostShown(label: string, link: SafeLink): boolean {
  return findHostInLabel(label)?.host === link.host;
}

/** True if the link is misleading, or if the model made up its address, which could carry data from the chat. */
export function mustConfirmLink(label: string, link: SafeLink, isFound: boolean): boolean {
  return !isFound || isMisleading(label, link);
}

export function buildHostLabel(text: string): HTMLElement {
  return createElement('span', { className: 'host', textContent: text });
}

/** Adds the host to every link whose address the model made up, unless the link already shows it. */
export function addLinkHosts(root: Element, isFound: (href: string) => boolean): void {
  for (const anchor of root.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const link = readLink(anchor.href);
    if (!link || anchor.querySelector('.host') || isHostShown(anchor.textContent, link)) continue;
    if (isFound(link.href)) continue;
    const host = buildHostLabel(` (${link.host})`);
    host.dataset['added'] = '';
    anchor.append(host);
  }
}

export function removeLinkHosts(target: Element): void {
  for (const added of target.querySelectorAll('.host[data-added]')) added.remove();
}

/** Returns the text of a link or picture without the host that we added. */
export function labelOf(element: Element): string {
  return [...element.childNodes]
    .filter((node) => !(node instanceof Element && node.matches('.host')))
    .map((node) => node.textContent)
    .join('');
}

/** Undefined if the label contains no address. An object without `host` if the address is invalid. */
function findHostInLabel(label: string): { host?: string } | undefined {
  const seen = addressPattern.exec(label.replace(invisibleCharacters, ''))?.[0];
  if (seen === undefined) return undefined;
  return readLink(seen) ?? readLink(seen.includes('@') ? `mailto:${seen}` : `https://${seen}`) ?? {};
}

function decodeMailAddress(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

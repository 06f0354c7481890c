/** Where a link leads, shown beside it while the keyboard is on it. A pointer that rests on it is told by the browser. */
import { on } from 'svelte/events';
import { readLink } from '../markdown/safe-link';

/** Characters of an address. */
const longest = 120;
/** Pixels between the link and its address, and from the edge of the window. */
const gap = 6;

/** Of all links of texts in `node`. Ends what it began. */
export function showLinkPlaces(node: HTMLElement): () => void {
  const place = document.createElement('div');
  place.className = 'link-place';
  place.popover = 'manual';
  // A screen reader has the address from the link itself.
  place.ariaHidden = 'true';
  document.body.append(place);

  const hide = () => place.hidePopover();
  const show = ({ target }: Event) => {
    const anchor = target instanceof Element ? target.closest<HTMLAnchorElement>('.markdown a') : null;
    const link = anchor?.matches(':focus-visible') ? readLink(anchor.href) : undefined;
    if (!anchor || !link) return;
    const address = link.href.replace(/^https?:\/\//, '').replace(/\/$/, '');
    place.textContent = address.length > longest ? `${address.slice(0, longest)}…` : address;
    place.showPopover();
    const [at] = anchor.getClientRects();
    const { width, height } = place.getBoundingClientRect();
    if (!at) return;
    const below = at.bottom + gap;
    place.style.left = `${Math.max(gap, Math.min(at.left, innerWidth - width - gap))}px`;
    place.style.top = `${below + height + gap > innerHeight ? at.top - height - gap : below}px`;
  };

  const ends = [
    on(node, 'focusin', show),
    on(node, 'focusout', hide),
    // Whatever scrolls takes the link away from under it.
    on(window, 'scroll', hide, { capture: true, passive: true }),
    () => place.remove(),
  ];
  return () => ends.forEach((end) => end());
}

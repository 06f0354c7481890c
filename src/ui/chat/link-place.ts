import { on } from 'svelte/events';
import { createElement } from '../markdown/create-element';
import { readLink } from '../markdown/safe-link';

const maxTooltipCharacters = 120;
const tooltipGapPx = 6;

/** Shows the address of a link in `node` on keyboard focus, as browsers do on hover. Returns a cleanup function. */
export function showFocusedAddress(node: HTMLElement): () => void {
  const tooltip = createElement('div', { className: 'link-place', popover: 'manual', ariaHidden: 'true' });
  document.body.append(tooltip);

  const hide = () => tooltip.hidePopover();
  const show = ({ target }: Event) => {
    const anchor = target instanceof Element ? target.closest<HTMLAnchorElement>('.markdown a') : null;
    const link = anchor?.matches(':focus-visible') ? readLink(anchor.href) : undefined;
    if (!anchor || !link) return;
    const address = link.href.replace(/^https?:\/\//, '').replace(/\/$/, '');
    tooltip.textContent =
      address.length > maxTooltipCharacters ? `${address.slice(0, maxTooltipCharacters)}…` : address;
    tooltip.showPopover();
    const [at] = anchor.getClientRects();
    const { width, height } = tooltip.getBoundingClientRect();
    if (!at) return;
    const below = at.bottom + tooltipGapPx;
    tooltip.style.left = `${Math.max(tooltipGapPx, Math.min(at.left, innerWidth - width - tooltipGapPx))}px`;
    tooltip.style.top = `${below + height + tooltipGapPx > innerHeight ? at.top - height - tooltipGapPx : below}px`;
  };

  const ends = [
    on(node, 'focusin', show),
    on(node, 'focusout', hide),
    on(window, 'scroll', hide, { capture: true, passive: true }),
    () => tooltip.remove(),
  ];
  return () => ends.forEach((end) => end());
}

/** What was pressed may go, or be out of use for a while: the focus would be lost with it, and Tab begin at the top of the page. */
import { untrack } from 'svelte';

/**
 * Whenever something changes, gives a lost focus back to what had it, or where that is gone to `next`. What was never in the region, and
 * what the person has taken elsewhere by then, is left alone. To be called while a component is set up.
 */
export function keepFocus(
  region: () => HTMLElement | undefined,
  change: () => unknown,
  next: () => HTMLElement | null | undefined,
): void {
  let last: Element | undefined;
  // Before the screen changes: after it nobody knows what had the focus.
  $effect.pre(() => {
    change();
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return;
    last = untrack(region)?.contains(focused) ? focused : undefined;
  });
  $effect(() => {
    change();
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (!isLost || last === undefined) return;
    const isThere = last instanceof HTMLElement && last.isConnected && !last.matches(':disabled');
    const target = isThere ? (last as HTMLElement) : untrack(next);
    target?.focus({ preventScroll: true });
    // No further than it takes to see it: what is read stays where it is.
    target?.scrollIntoView({ block: 'nearest' });
  });
}

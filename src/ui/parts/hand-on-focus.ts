/** What has the focus may leave the screen with what it stood on. */

/**
 * Once it has left, gives the focus to `next`, or to the heading of the screen, from where Tab leads on. Until then it stays where it is;
 * and where the person has taken it elsewhere by then, it stays there.
 */
export function handOnFocus(next: () => HTMLElement | null | undefined = headingOf): void {
  const held = document.activeElement;
  const watch = new MutationObserver(look);
  watch.observe(document.body, { childList: true, subtree: true });
  look();

  function look(): void {
    const focused = document.activeElement;
    const isLost = focused === null || focused === document.body;
    if (focused === held && !isLost) return;
    watch.disconnect();
    if (isLost) focus(next() ?? headingOf());
  }
}

export function focusHeading(): void {
  focus(headingOf());
}

function headingOf(): HTMLElement | null {
  return document.querySelector('main h1');
}

function focus(target: HTMLElement | null | undefined): void {
  // What cannot have the focus by itself can be given it.
  if (target && !target.hasAttribute('tabindex') && target.tabIndex < 0) target.tabIndex = -1;
  target?.focus({ preventScroll: true });
}

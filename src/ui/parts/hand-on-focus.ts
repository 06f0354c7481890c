/** What has the focus may leave the screen with what it stood on. */

/**
 * Once it has left, gives the focus to `next`, or to the heading of the screen, from where Tab leads on, as soon as that is there. Until
 * then it stays where it is; and where the person has taken it elsewhere by then, it stays there.
 */
export function handOnFocus(next: () => HTMLElement | null | undefined = headingOf): void {
  const held = document.activeElement;
  const over = new AbortController();
  const watch = new MutationObserver(look);
  watch.observe(document.body, { childList: true, subtree: true });
  // Whoever goes on by themselves has it from then on, also past the last control, where the page has it for a moment.
  document.addEventListener('focusin', look, { signal: over.signal });
  look();

  function look(): void {
    const focused = document.activeElement;
    const isLost = focused === null || focused === document.body;
    if (focused === held && !isLost) return;
    const target = isLost ? (next() ?? headingOf()) : undefined;
    // The next screen may still be loaded.
    if (isLost && !target) return;
    watch.disconnect();
    over.abort();
    focus(target);
  }
}

/** For what lies over a screen, or stands above it: in a chat one goes on writing, unless another screen has come by then, with boxes of its own. */
export function handOnToScreen(isChat: boolean): void {
  handOnFocus(
    isChat ? () => document.querySelector<HTMLElement>('main:not([inert]) > .bottom textarea') : undefined,
  );
}

/** For what is pressed in a row of a list and takes that row away: on goes the next one, or the one before. */
export function handOnFromRow(pressed: Element | null): void {
  const row = pressed?.closest('li');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  handOnFocus(() => (next?.isConnected ? next.querySelector<HTMLElement>('button') : undefined));
}

export function focusHeading(): void {
  focus(headingOf());
}

/** On a phone the list of chats lies over the screen: its first button then. */
function headingOf(): HTMLElement | null {
  const heading = document.querySelector<HTMLElement>('main h1');
  return heading?.closest('[inert]') ? document.querySelector<HTMLElement>('nav button') : heading;
}

function focus(target: HTMLElement | null | undefined): void {
  // What cannot have the focus by itself can be given it.
  if (target && !target.hasAttribute('tabindex') && target.tabIndex < 0) target.tabIndex = -1;
  target?.focus({ preventScroll: true });
}

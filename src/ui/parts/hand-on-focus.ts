/** Focuses `next()`, or else the heading, once the focused element has gone. Stops if the user moves the focus. */
export function focusAfterRemoval(next: () => HTMLElement | null | undefined = findHeading): void {
  const before = document.activeElement;
  const listeners = new AbortController();
  const watch = new MutationObserver(check);
  watch.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', check, { signal: listeners.signal });
  check();

  function check(): void {
    const focused = document.activeElement;
    const isLost = focused === null || focused === document.body;
    if (focused === before && !isLost) return;
    const target = isLost ? (next() ?? findHeading()) : undefined;
    if (isLost && !target) return;
    watch.disconnect();
    listeners.abort();
    focusElement(target);
  }
}

/** For dialogs and notices: focuses the message box in a chat, and the heading on another screen. */
export function focusScreenAfterRemoval(isChat: boolean): void {
  focusAfterRemoval(
    isChat ? () => document.querySelector<HTMLElement>('main:not([inert]) > .bottom textarea') : undefined,
  );
}

/** For a button that removes its own list row: moves the focus to the next row, or else to the previous row. */
export function focusNextRowAfterRemoval(pressed: Element | null): void {
  const row = pressed?.closest('li');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  focusAfterRemoval(() => (next?.isConnected ? next.querySelector<HTMLElement>('button') : undefined));
}

export function focusHeading(): void {
  focusElement(findHeading());
}

/** The heading of the screen, or the first button of the chat list while the list covers the screen. */
function findHeading(): HTMLElement | null {
  const heading = document.querySelector<HTMLElement>('main h1');
  return heading?.closest('[inert]') ? document.querySelector<HTMLElement>('nav button') : heading;
}

function focusElement(target: HTMLElement | null | undefined): void {
  if (target && !target.hasAttribute('tabindex') && target.tabIndex < 0) target.tabIndex = -1;
  target?.focus({ preventScroll: true });
}

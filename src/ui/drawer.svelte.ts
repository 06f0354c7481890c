/** The list of chats on a phone: a drawer over the screen. */
export class Drawer {
  isOpen = $state(false);
  #opener: HTMLElement | null = null;
  #then: (() => void) | undefined;

  readonly open = (): void => {
    this.#opener = document.activeElement as HTMLElement | null;
    this.isOpen = true;
    // Add a history entry, so "Back" closes the drawer instead of leaving the screen.
    history.pushState({ isDrawer: true }, '');
  };

  /** Closes the drawer, then calls `then`. Navigate only in `then`, because closing goes back in history. */
  readonly close = (then?: () => void): void => {
    if (!this.isOpen) return then?.();
    this.#then = then;
    if ((history.state as { isDrawer?: true } | null)?.isDrawer) history.back();
    // A navigation has already replaced the drawer's history entry.
    else this.#finishClosing();
  };

  readonly onPopState = (): void => {
    if (this.isOpen) this.#finishClosing();
  };

  #finishClosing(): void {
    this.isOpen = false;
    const then = this.#then;
    this.#then = undefined;
    then?.();
    // The button that opened the drawer is inert until the next frame. It is gone if the screen changed.
    requestAnimationFrame(() =>
      (this.#opener?.isConnected
        ? this.#opener
        : document.querySelector<HTMLElement>('main button')
      )?.focus(),
    );
  }
}

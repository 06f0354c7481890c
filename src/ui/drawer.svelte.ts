/** The list of chats where it lies over the screen: "Back" closes it, and whatever closes it gives the focus back. */

export class Drawer {
  isOpen = $state(false);
  #opener: HTMLElement | null = null;
  #then: (() => void) | undefined;

  readonly open = (): void => {
    this.#opener = document.activeElement as HTMLElement | null;
    this.isOpen = true;
    // An entry of its own: "Back" then closes the drawer and stays on the screen behind it.
    history.pushState({ isDrawer: true }, '');
  };

  /** `then` runs once it is closed: a move to another screen before that would be undone by closing. */
  readonly close = (then?: () => void): void => {
    if (!this.isOpen) {
      then?.();
      return;
    }
    this.#then = then;
    if ((history.state as { isDrawer?: true } | null)?.isDrawer) history.back();
    // The screen has changed meanwhile, and with it the entry.
    else this.#closed();
  };

  readonly onPopState = (): void => {
    if (this.isOpen) this.#closed();
  };

  #closed(): void {
    this.isOpen = false;
    const then = this.#then;
    this.#then = undefined;
    then?.();
    // What had the focus is reachable again once the change is drawn; or it has gone with the screen before.
    requestAnimationFrame(() =>
      (this.#opener?.isConnected
        ? this.#opener
        : document.querySelector<HTMLElement>('main button')
      )?.focus(),
    );
  }
}

/** The list of chats: a drawer over the screen on a phone, a collapsible rail on a desktop. */
import { readStored, writeStored } from './parts/stored-text';

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

  /** Closes the drawer, then calls `then`. Navigate only in `then`, because closing goes back in history and would undo an earlier navigation. */
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
    // Until the next frame, the button that opened the drawer is inert. It is gone if the screen changed.
    requestAnimationFrame(() =>
      (this.#opener?.isConnected
        ? this.#opener
        : document.querySelector<HTMLElement>('main button')
      )?.focus(),
    );
  }
}

export function isRailFolded(): boolean {
  return readStored(railStorageKey) === 'folded';
}

export function foldRail(isFolded: boolean): void {
  writeStored(railStorageKey, isFolded ? 'folded' : undefined);
}

const railStorageKey = 'hearth.rail';

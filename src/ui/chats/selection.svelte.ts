/** Several chats that something is done to at once. */

export class Selection {
  /** Undefined while nothing is being chosen. */
  ids = $state.raw<readonly string[]>();

  begin(chatId: string): void {
    this.ids = [chatId];
  }

  set(chatId: string, isChosen: boolean): void {
    const others = (this.ids ?? []).filter((id) => id !== chatId);
    this.ids = isChosen ? [...others, chatId] : others;
  }

  end(): void {
    this.ids = undefined;
  }
}

export class ChatSelection {
  /** Undefined outside of selection mode. */
  chatIds = $state.raw<readonly string[]>();

  beginSelection(chatId: string): void {
    this.chatIds = [chatId];
  }

  setSelected(chatId: string, isSelected: boolean): void {
    const others = (this.chatIds ?? []).filter((id) => id !== chatId);
    this.chatIds = isSelected ? [...others, chatId] : others;
  }

  endSelection(): void {
    this.chatIds = undefined;
  }
}

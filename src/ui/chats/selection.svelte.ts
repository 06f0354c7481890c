export class ChatSelection {
  /** Undefined outside of selection mode. */
  chatIds = $state.raw<readonly string[]>();

  begin(chatId: string): void {
    this.chatIds = [chatId];
  }

  set(chatId: string, isSelected: boolean): void {
    const others = (this.chatIds ?? []).filter((id) => id !== chatId);
    this.chatIds = isSelected ? [...others, chatId] : others;
  }

  end(): void {
    this.chatIds = undefined;
  }
}

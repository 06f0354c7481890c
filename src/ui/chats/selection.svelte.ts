export class ChatSelection {
  /** Undefined outside of selection mode. */
  ids = $state.raw<readonly string[]>();

  begin(chatId: string): void {
    this.ids = [chatId];
  }

  set(chatId: string, isSelected: boolean): void {
    const others = (this.ids ?? []).filter((id) => id !== chatId);
    this.ids = isSelected ? [...others, chatId] : others;
  }

  end(): void {
    this.ids = undefined;
  }
}

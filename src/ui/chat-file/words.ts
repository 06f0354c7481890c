/** What a file of a chat says besides what was said in the chat. */
export interface ChatFileWords {
  you: string;
  hearth: string;
  called: (tool: string) => string;
  written: (when: string) => string;
}

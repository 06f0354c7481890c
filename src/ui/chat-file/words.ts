/** What a file of a chat says besides what was said in the chat. */
export interface ChatFileWords {
  you: string;
  hearth: string;
  /** `names`: of the files that went with a question. */
  files: (names: string) => string;
  called: (tool: string) => string;
  written: (when: string) => string;
}

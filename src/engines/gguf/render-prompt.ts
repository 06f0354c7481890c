/** PURE: messages as one text, for an engine that takes its prompt whole. */
import type { ChatTemplate, PromptMessage } from '../../contracts/model';

/** A last message of the assistant is left open: the model goes on with it. */
export function renderPrompt(messages: readonly PromptMessage[], template: ChatTemplate): string {
  const isContinued = messages.at(-1)?.role === 'assistant';
  const texts = messages.map(({ role, content }, index) => {
    const { before, after } = template[role];
    const isOpen = isContinued && index === messages.length - 1;
    return before + content + (isOpen ? '' : after);
  });
  return texts.join('') + (isContinued ? '' : template.assistant.before);
}

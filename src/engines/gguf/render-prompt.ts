/** PURE: renders messages as one text, for an engine that takes a whole prompt. */
import type { ChatTemplate, PromptMessage } from '../../contracts/model';

/** A last message of the assistant stays open, so that the model continues it. */
export function renderPrompt(messages: readonly PromptMessage[], template: ChatTemplate): string {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return renderBeginning(messages, template) + template.assistant.before;
  return renderBeginning(messages.slice(0, -1), template) + template.assistant.before + last.content;
}

export function renderBeginning(messages: readonly PromptMessage[], template: ChatTemplate): string {
  return messages.map(({ role, content }) => template[role].before + content + template[role].after).join('');
}

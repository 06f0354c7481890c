/** The prompt text that a GGUF model reads. */
import { describe, expect, test } from 'vitest';
import type { PromptMessage } from '../../../../src/contracts/model';
import { renderMessages, renderPrompt } from '../../../../src/engines/engine-parts';
import { ember } from '../../../../src/ember/spec';
import * as library from '../../../../src/engines/library/templates';

const templates = Object.entries({ ...library, ember: ember.template });
const system: PromptMessage = { role: 'system', content: 'Be brief.' };
const question: PromptMessage = { role: 'user', content: 'Hello!' };
const reply: PromptMessage = { role: 'assistant', content: 'Hello to you.' };
const result: PromptMessage = { role: 'tool', content: '391' };

const beginnings: readonly (readonly PromptMessage[])[] = [
  [],
  [system],
  [system, question],
  [system, question, reply],
  [question, reply, result],
];

describe.for(templates)('a prompt in the chat template %s', ([, template]) => {
  test.for([system, question, reply, result])(
    'it still starts with the old prompt when a message is added: role $role',
    (next) => {
      for (const beginning of beginnings) {
        const text = renderMessages(beginning, template);
        const prompt = renderPrompt([...beginning, next], template);
        expect(prompt.slice(0, text.length)).toBe(text);
        expect(prompt.length).toBeGreaterThan(text.length);
      }
    },
  );

  test('it ends where the reply starts', () => {
    const open = template.assistant.before;
    expect(renderPrompt([system, question], template)).toBe(
      renderMessages([system, question], template) + open,
    );
    expect(renderPrompt([system, question, reply], template)).toBe(
      renderMessages([system, question], template) + open + reply.content,
    );
  });
});

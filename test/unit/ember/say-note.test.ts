import { expect, test } from 'vitest';
import { answerFromResults } from '../../../src/ember/tell-results';
import type { ReplyLanguage } from '../../../src/text/language';
import type { Message, ToolResult } from '../../../src/contracts/message';

function answer(changed: Partial<ToolResult>, texts: string[], language: ReplyLanguage = 'en') {
  const content = texts.map((text) => ({ type: 'text' as const, text }));
  const timing = { startedAt: 0, durationMs: 1 };
  const history: Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'x' }], origins: [{ door: 'typed' }] },
    { role: 'assistant', content: [], finishReason: 'tool-calls' },
    {
      role: 'tool',
      results: [
        {
          toolCallId: 'c',
          toolName: 'recall',
          content,
          isError: false,
          origins: [{ door: 'note' }],
          timing,
          ...changed,
        },
      ],
    },
  ];
  return answerFromResults(history, language);
}
const one = 'Note of 2026-11-24: My wifi is called Heron\nand has no password';
const two = 'Note of 2026-11-23: The wifi is slow';

test('the answer about a note quotes the note exactly', () => {
  expect(answer({}, [one])).toBe('My wifi is called Heron\nand has no password');
});

test('the answer about several notes is a list', () => {
  expect(answer({}, [one, two])).toBe('- My wifi is called Heron\n  and has no password\n- The wifi is slow');
});

test.for<[string, Partial<ToolResult>, string, string]>([
  ['a saved note', { toolName: 'remember' }, 'I have kept that as a note.', '已经记下来了'],
  [
    'a note that the user refused',
    { toolName: 'remember', isError: true, failure: 'refused' },
    'Not kept',
    '没有记',
  ],
  ['a search without results', {}, 'No note of yours', '你的笔记里没有'],
  ['too many notes', { toolName: 'remember', isError: true, failure: 'notes-full' }, 'Delete some', '请先在'],
])('the reply about notes exists in English and Chinese: %s', ([, changed, english, chinese]) => {
  expect(answer(changed, ['Text for the model'])).toContain(english);
  expect(answer(changed, ['Text for the model'], 'zh')).toContain(chinese);
});

import { expect, test } from 'vitest';
import type { Message } from '../../../../src/contracts/message';
import { createAttachmentTools } from '../../../../src/tools/attachments/attachment-tools';
import { readAttachmentToolName } from '../../../../src/contracts/tool-names';

const file = { fileId: 'f1', name: 'herons.md', kind: 'text' as const, bytes: 20 };
const question: Message = {
  role: 'user',
  content: [{ type: 'text', text: 'What do herons eat?' }],
  origins: [{ door: 'typed' }],
  attached: [file],
};

const context = { signal: new AbortController().signal, onProgress: () => undefined };

test('invariant: text read from an attached file counts as outside text from that file', async () => {
  const [reader] = createAttachmentTools([question], {
    load: async () => ({ text: 'Herons eat fish.', kind: 'text' }),
    ask: () => Promise.reject(new Error('No table is asked.')),
  });
  expect(reader?.name).toBe(readAttachmentToolName);
  const output = await reader!.execute({ name: 'herons.md' }, context);
  expect(output).toMatchObject({ isError: false, content: [{ text: 'Herons eat fish.' }] });
  expect(output.origins).toEqual([{ door: 'file', name: 'herons.md' }]);
});

import { expect, test } from 'vitest';
import { type AttachmentFunctions, createPastedFile, attachFiles } from '../../../src/state/attach-files';
import { ChatSession } from '../../../src/state/chat-session.svelte';
import { attachmentLimits } from '../../../src/contracts/attachment';
import { gives, handed } from '../../support/recorded-chat';

const long = 'A line.\n'.repeat(60);

function makeSession() {
  const session = new ChatSession(handed(gives()).functions, { id: 'c' });
  session.setDraft('Sum up:');
  return session;
}

const refusing = async (): Promise<Pick<AttachmentFunctions, 'take' | 'remove'>> => ({
  take: async () => ({ trouble: 'kept' }),
  remove: async () => undefined,
});

test('a file is not reported as damaged if the file reader cannot be loaded', async () => {
  const session = makeSession();
  attachFiles(session, [new File(['Hi'], 'a.md')], () => Promise.reject(new Error('Not reachable')));
  await session.whenAttached;
  expect(session.attaching).toMatchObject([{ name: 'a.md', trouble: 'missing' }]);
});

test('pasted text that cannot be attached as a file is put into the draft', async () => {
  const session = makeSession();
  attachFiles(session, [createPastedFile(long, session)!], refusing);
  await session.whenAttached;
  expect(session.draft).toBe(`Sum up:\n${long}`);
  expect(session.attaching).toEqual([]);
});

test('a long pasted text stays text if no more files can be attached', () => {
  const session = makeSession();
  session.attached = Array.from({ length: attachmentLimits.files }, (_, at) => ({
    fileId: String(at),
    name: `${at}.txt`,
    kind: 'text' as const,
    bytes: 1,
  }));
  expect(createPastedFile(long, session)).toBeUndefined();
});

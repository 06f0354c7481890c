import { expect, test } from 'vitest';
import { editQuestion } from '../../../src/state/versions';
import { editOf, saveEdit } from '../../../src/state/draft';
import { PlainChat } from '../../support/plain-chat';
import { gives, handed, nodes, record, says } from '../../support/recorded-chat';

/** A draft whose store records what it receives. */
function begin() {
  const { functions, writes } = handed(gives(...says('Bye')));
  functions.drafts = {
    save: async (_, __, others) => void writes.push(`edits: ${JSON.stringify(others?.edits)}`),
  };
  const session = new PlainChat(functions, { chat: record, nodes });
  const ask = (edited: string) => {
    const onQueued = () => saveEdit(session, nodes[0]!.id, undefined);
    return editQuestion(session, nodes[0]!, edited, { onQueued });
  };
  return { functions, writes, session, ask };
}
const { id: questionId } = nodes[0]!;

test('an unfinished edit of a question is stored with the draft until it is cancelled or sent', async () => {
  const { session, writes } = begin();
  saveEdit(session, questionId, 'Good');
  saveEdit(session, 'other', 'Another one');
  saveEdit(session, questionId, 'Goodbye');
  expect(editOf(session, questionId)).toBe('Goodbye');
  saveEdit(session, 'other');
  expect(editOf(session, 'other')).toBeUndefined();
  await session.retrySaving();
  expect(writes.at(-1)).toBe(`edits: [{"questionId":"${questionId}","text":"Goodbye"}]`);
});

test('an unfinished edit of a question is deleted only after the edited question is saved', async () => {
  const { session, writes, ask } = begin();
  saveEdit(session, questionId, 'Goodbye');
  await session.retrySaving();
  await ask('Goodbye');
  expect(session.edits).toEqual([]);
  const asked = writes.findIndex((write) => write.startsWith('save') && write.endsWith('user'));
  expect(asked).toBeGreaterThan(-1);
  expect(writes.lastIndexOf('edits: undefined')).toBeGreaterThan(asked);
});

test('an unfinished edit of a question is kept if another tab is answering the chat', async () => {
  const { functions, session, ask } = begin();
  functions.lockTurn = async () => undefined;
  saveEdit(session, questionId, 'Goodbye');
  await ask('Goodbye');
  expect(session.notices).toEqual(['other-tab']);
  expect(editOf(session, questionId)).toBe('Goodbye');
});

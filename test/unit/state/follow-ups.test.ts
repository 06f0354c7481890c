/** Queuing a message while its chat is still being created, and what happens to the draft meanwhile. */
import { expect, test } from 'vitest';
import type { FollowUp } from '../../../src/contracts/chat';
import type { Origin } from '../../../src/contracts/origin';
import type { ChatSession } from '../../../src/state/chat-session.svelte';
import { FollowUps } from '../../../src/state/follow-ups.svelte';

function begin() {
  const kept: FollowUp[] = [];
  const followUps = new FollowUps({
    watch: () => undefined,
    list: async () => kept,
    add: async (followUp) => void kept.push(followUp),
    change: async () => undefined,
    remove: async () => undefined,
    lock: async () => undefined,
    newId: () => `id-${kept.length}`,
    onRemoved: () => undefined,
  });
  const box = { id: 'chat', draft: '', isNew: true, isRunning: true, attached: [] };
  const session = {
    ...box,
    draftOrigins: [],
    originsOf: (_text: string, known: readonly Origin[] = []) => [...known],
    setDraft: (text: string) => (session.draft = text),
  };
  const press = (text: string) => {
    session.draft = text;
    return followUps.add(session as Partial<ChatSession> as ChatSession);
  };
  return { session, press, said: () => kept.map(({ text }) => text) };
}

test.for([
  {
    name: 'other text queued right after it',
    presses: ['one', 'two'],
    box: undefined,
    said: ['one', 'two'],
    left: '',
  },
  {
    name: 'other text typed right after it',
    presses: ['one'],
    box: 'two',
    said: ['one'],
    left: 'two',
  },
  {
    name: 'text appended right after it',
    presses: ['one'],
    box: 'one and more',
    said: ['one'],
    left: ' and more',
  },
  {
    name: 'appended text queued right after it',
    presses: ['one', 'one and more'],
    box: undefined,
    said: ['one', ' and more'],
    left: '',
  },
  { name: 'a second click', presses: ['one', 'one'], box: undefined, said: ['one'], left: '' },
])('a message is queued exactly once, despite $name', async ({ presses, box, said, left }) => {
  const begun = begin();
  const pressed = presses.map((text) => begun.press(text));
  if (box !== undefined) begun.session.draft = box;
  begun.session.isNew = false;
  await Promise.all(pressed);
  expect(begun.said()).toEqual(said);
  expect(begun.session.draft).toBe(left);
});

test('the text of a queued message returns to the draft if the chat cannot be created', async () => {
  const { session, press, said } = begin();
  const pressed = press('one');
  session.draft = 'two';
  session.isRunning = false;
  await pressed;
  expect(said()).toEqual([]);
  expect(session.draft).toBe('one\ntwo');
});

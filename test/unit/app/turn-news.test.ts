import { describe, expect, test } from 'vitest';
import type { ChatRecord } from '../../../src/contracts/chat';
import type { TurnEnd } from '../../../src/contracts/turn';
import type { Settings } from '../../../src/contracts/settings';
import { createTurnNotifier } from '../../../src/app/turn-news';
import { answer, chatRecord } from '../../support/stored-chat';

interface Case {
  isWanted?: boolean | undefined;
  permission?: NotificationPermission | 'missing';
  isHidden?: boolean;
  lastsMs?: number;
  isTemporary?: boolean;
  end?: TurnEnd;
}

async function turn(given: Case = {}) {
  const { isWanted = true, permission = 'granted', isHidden = true, lastsMs = 9_000 } = given;
  let time = 5;
  const said: object[] = [];
  const badges: number[] = [];
  const chats: ChatRecord[] = [chatRecord('chat', { title: 'Rent' })];
  const app = {
    settings: { isTellingWhenReady: 'isWanted' in given ? given.isWanted : isWanted } as Settings,
    chats,
    isNewsOffered: false,
  };
  const news = createTurnNotifier({
    app,
    now: () => time,
    isHidden: () => isHidden,
    getNotificationPermission: () => permission,
    notify: async (notice) => void said.push(notice),
    showBadge: async (count) => void badges.push(count),
    closeNotifications: async () => void said.push({ dropped: true }),
    words: async () => ({ ready: 'Ready.', ended: 'Ended.', temporary: 'A temporary chat' }),
  });
  const branch = [{ ...answer('a', null, 'My secret', 'chat'), turnEnd: given.end ?? ('answered' as const) }];
  const session = { id: 'chat', isTemporary: given.isTemporary ?? false, branch };
  await news.tell(session, true);
  time += lastsMs;
  await news.tell(session, false);
  return { app, said, badges, news };
}

test('a notification names the chat without its content and is cleared when the user returns', async () => {
  const { said, badges, news, app } = await turn();
  expect(said).toEqual([{ title: 'Rent', body: 'Ready.', tag: 'chat', hash: '#/chat/chat' }]);
  expect(badges).toEqual([1]);
  expect(app.isNewsOffered).toBe(false);
  await news.seen();
  expect(badges).toEqual([1, 0]);
  expect(said.at(-1)).toEqual({ dropped: true });
});

test('a notification says if the answer ended early', async () => {
  expect((await turn({ end: 'failed' })).said).toMatchObject([{ body: 'Ended.' }]);
});

test('a notification of a temporary chat has no name and no link', async () => {
  expect((await turn({ isTemporary: true })).said).toEqual([
    { title: 'A temporary chat', body: 'Ready.', tag: 'chat', hash: '' },
  ]);
});

describe('a notification at the end of an answer', () => {
  test.for([
    { name: 'the page is visible', given: { isHidden: false }, badges: [] },
    { name: 'the answer took less than eight seconds', given: { lastsMs: 7_999 }, badges: [] },
    { name: 'notifications are switched off', given: { isWanted: false }, badges: [] },
    {
      name: 'the browser does not allow notifications',
      given: { permission: 'denied' as const },
      badges: [1],
    },
  ])('is not shown if $name', async ({ given, badges }) => {
    const turned = await turn(given);
    expect(turned.said).toEqual([]);
    expect(turned.badges).toEqual(badges);
    expect(turned.app.isNewsOffered).toBe(false);
  });
});

test.for([
  { permission: 'default' as const, isOffered: true },
  { permission: 'granted' as const, isOffered: true },
  { permission: 'denied' as const, isOffered: false },
  { permission: 'missing' as const, isOffered: false },
])(
  'Hearth offers notifications unless they are blocked: permission "$permission", offered: $isOffered',
  async ({ permission, isOffered }) => {
    const { app, said } = await turn({ isWanted: undefined, permission });
    expect(app.isNewsOffered).toBe(isOffered);
    expect(said).toEqual([]);
  },
);

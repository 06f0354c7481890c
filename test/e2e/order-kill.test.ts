/**
 * The browser is killed while chats are deleted, restored, moved, or deleted for good: afterwards each action is complete or has not happened. Only
 * in `npm run test:all`; `npm test` kills the browser during a turn, a file and a backup.
 */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { chatRecord, question } from '../support/stored-chat';
import { writeRows } from './chat-steps';
import { expectWhole, type Kept, readKept, watchWrites } from './kill-steps';
import { thorough } from '../support/matrix';
import { databaseIsMade, openSite, type Site } from './site';

const messagesAChat = 12;
const kinds = ['delete', 'undo', 'move', 'several', 'undo', 'archive', 'empty', 'undo', 'unfold'] as const;
type Kind = (typeof kinds)[number];

/** Number of writes and transaction ends at which a step may be killed: as many as the longest has, and one that is never reached. */
const moments = { delete: 3, several: 5, undo: 5, move: 5, archive: 5, unfold: 5, empty: 30 };

const rounds = Array.from({ length: 34 * kinds.length }, (_, round) => {
  const kind = kinds[round % kinds.length] ?? 'delete';
  const turn = Math.floor(round / kinds.length);
  return { round, kind, moment: 1 + ((turn * 5 + round) % moments[kind]) };
});

/** A round removes at most three chats from the list, into the bin, the archive or a folder. */
const chatCount = 3 * rounds.length + 10;

let site: Site;
let page: Page;
/** By kind: the number of rounds, and of those in which a transaction was open at the kill, or had just ended before others. */
const met = new Map<Kind, { rounds: number; met: number; undone: number }>();

beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e', keepsProfile: true });
  page = site.page;
  await databaseIsMade(page);
  const ids = Array.from({ length: chatCount }, (_, at) => `chat${at}`);
  const idOf = (chat: string, at: number) => (at < 0 ? null : `${chat}-${at}`);
  await writeRows(page, {
    chats: ids.map((id, at) => chatRecord(id, { title: id, leafId: `${id}-11`, updatedAt: at + 1 })),
    messages: ids.flatMap((id) =>
      Array.from({ length: messagesAChat }, (_, at) => ({
        ...question(`${id}-${at}`, idOf(id, at - 1), `Question ${at}`, id),
        depth: at,
      })),
    ),
    folders: ['Work', 'Home'].map((name, at) => ({ id: name, name, isFolded: false, createdAt: at })),
    tally: [{ id: 'messages', written: chatCount * messagesAChat, deleted: 0 }],
  });
  await page.reload();
});
afterAll(async () => {
  for (const [kind, { rounds: all, met: inside, undone }] of met)
    console.log(
      `${kind}: killed ${all} times, ${inside} of them in the midst of it; ${undone} were not done`,
    );
  await site.close();
});

const rows = () => page.getByRole('list', { name: 'Chats' }).getByRole('listitem');

async function openMenu(): Promise<void> {
  await rows().first().getByRole('button', { name: 'Rename or delete' }).click();
}

async function choose(count: number): Promise<void> {
  await openMenu();
  await page.getByRole('button', { name: 'Select several' }).click();
  const boxes = rows().getByRole('checkbox');
  for (let at = 0; at < count; at++) await boxes.nth(at).check();
}

const bar = () => page.getByRole('toolbar', { name: 'Selected chats' });

/** Prepares everything before the last press, which is the step itself. Returns that press. */
async function prepare(kind: Kind): Promise<() => Promise<void>> {
  switch (kind) {
    case 'delete':
      await openMenu();
      await page.getByRole('navigation').getByRole('button', { name: 'Delete', exact: true }).click();
      return () => page.getByRole('button', { name: 'Delete chat' }).click();
    case 'several':
      await choose(3);
      return () => bar().getByRole('button', { name: 'Delete', exact: true }).click();
    case 'undo':
      await choose(3);
      await bar().getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
      return () => page.getByRole('button', { name: 'Undo' }).click();
    case 'move':
    case 'unfold':
      await choose(3);
      await bar().getByRole('button', { name: 'Move to a folder' }).click();
      return () => page.getByRole('button', { name: kind === 'move' ? 'Work' : 'Home', exact: true }).click();
    case 'archive':
      await choose(3);
      return () => bar().getByRole('button', { name: 'Archive', exact: true }).click();
    case 'empty':
      await page.goto(`${site.url}#/bin`);
      await page.getByRole('button', { name: 'Empty the bin' }).click();
      return () => page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
  }
}

/** Everything that a step changes in a chat. Afterwards all of it must be changed, or nothing. */
const stateOf = ({ chats }: Kept) =>
  new Map(
    chats.map(({ id, deletedAt, archivedAt, folderId }) => [
      String(id),
      `${typeof deletedAt} ${typeof archivedAt} ${String(folderId)}`,
    ]),
  );

/** The numbers of changed chats that count as all or nothing, by kind. */
const wholes: Record<Exclude<Kind, 'empty'>, readonly number[]> = {
  delete: [0, 1],
  several: [0, 3],
  undo: [0, 3],
  move: [0, 3],
  archive: [0, 3],
  unfold: [0, 3],
};

thorough.for(rounds)(
  'killing the browser while messages are moved loses none of them: $round, $kind, at moment $moment',
  async ({ kind, moment }) => {
    const press = await prepare(kind);
    const before = await readKept(page);
    const { reached, events } = await watchWrites(page, moment);
    // Not awaited, because a blocked page does not confirm the press.
    const pressed = press().catch(() => undefined);
    // If the moment is never reached, the step ends, the screen shows its result, and the kill meets an idle page.
    await Promise.race([reached, pressed.then(() => over(kind)).catch(() => reached)]);
    const isMet =
      (events.at(-1)?.open ?? 0) > 0 || (events.length === moment && events.at(-1)?.type === 'write');
    page = await site.killAndReopen();
    await databaseIsMade(page);
    const after = await readKept(page);
    expectWhole(after, messagesAChat);
    const [was, is] = [stateOf(before), stateOf(after)];
    const changed = [...was].filter(([id, state]) => is.get(id) !== state);
    if (kind === 'empty') {
      // Each deleted chat was in the bin, and everything that belonged to it is deleted. `expectWhole` has checked that.
      expect(changed.filter(([id, state]) => is.has(id) || !state.startsWith('number'))).toEqual([]);
    } else expect(wholes[kind]).toContain(changed.length);
    await rows().first().waitFor();
    expect(await page.getByText('gave back less').count()).toBe(0);
    const count = met.get(kind) ?? { rounds: 0, met: 0, undone: 0 };
    met.set(kind, {
      rounds: count.rounds + 1,
      met: count.met + (isMet ? 1 : 0),
      undone: count.undone + (changed.length === 0 ? 1 : 0),
    });
  },
);

/** Waits until the screen shows the result of the step. */
async function over(kind: Kind): Promise<unknown> {
  switch (kind) {
    case 'delete':
    case 'several':
      return page.getByRole('button', { name: 'Undo' }).waitFor();
    case 'undo':
      return page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'hidden' });
    case 'move':
    case 'archive':
    case 'unfold':
      return bar().waitFor({ state: 'hidden' });
    case 'empty':
      return page.getByText('The bin is empty.').waitFor();
  }
}

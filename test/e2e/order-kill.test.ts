/**
 * The browser is killed while chats are deleted, had back, moved, or deleted for good: each is done as a whole afterwards, or not at all.
 * Of `npm run test:all` alone: `npm test` kills it in the midst of a turn, a file and a backup.
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

/** Which of the writes of a step, and ends of transactions, it is killed at: as many as the longest has, and one that never comes. */
const moments = { delete: 3, several: 5, undo: 5, move: 5, archive: 5, unfold: 5, empty: 30 };

const rounds = Array.from({ length: 34 * kinds.length }, (_, round) => {
  const kind = kinds[round % kinds.length] ?? 'delete';
  const turn = Math.floor(round / kinds.length);
  return { round, kind, moment: 1 + ((turn * 5 + round) % moments[kind]) };
});

/** A round takes three out of the list at most, into the bin, the archive or a folder. */
const chatCount = 3 * rounds.length + 10;

let site: Site;
let page: Page;
/** By kind: rounds, and those in which a transaction was open when the kill came, or had just ended with others to come. */
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

/** Goes as far as the last press, which the step itself is. Gives that press. */
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

/** What a step would change in a chat; all of it is to be there afterwards, or none. */
const stateOf = ({ chats }: Kept) =>
  new Map(
    chats.map(({ id, deletedAt, archivedAt, folderId }) => [
      String(id),
      `${typeof deletedAt} ${typeof archivedAt} ${String(folderId)}`,
    ]),
  );

/** How many chats are other than they were: the numbers that are all or nothing, by kind. */
const wholes: Record<Exclude<Kind, 'empty'>, readonly number[]> = {
  delete: [0, 1],
  several: [0, 3],
  undo: [0, 3],
  move: [0, 3],
  archive: [0, 3],
  unfold: [0, 3],
};

thorough.for(rounds)(
  'a kill while messages are moved loses none: $round, $kind, at moment $moment',
  async ({ kind, moment }) => {
    const press = await prepare(kind);
    const before = await readKept(page);
    const { reached, events } = await watchWrites(page, moment);
    // It is not waited for: a page that stands still does not say that it was pressed.
    const pressed = press().catch(() => undefined);
    // Where the moment never comes the step is over: what follows it on the screen is drawn, and the kill meets an idle page.
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
      // Each that is gone was in the bin, and is gone with all that is its own: `expectWhole` has seen to that.
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

/** Until the screen shows what the step led to. */
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

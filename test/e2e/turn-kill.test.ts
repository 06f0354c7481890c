/**
 * The browser is killed at each write of a turn: afterwards the question is stored or back in the message box, the stored data is consistent, and the
 * turn continues to its end. `npm test` runs a few of the rounds.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calling, script } from './agent-steps';
import { watchWrites } from './kill-steps';
import { everyNth } from '../support/matrix';
import { databaseIsMade, dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';

/** Each turn ends with these words, wherever it was killed. */
const end = 'The very end.';
const kinds = {
  words: `script 20\n{{repeat 60}}word ${end}`,
  call: script(calling('slow', { ms: 20 }), end),
  calls: script(calling('slow', { ms: 20 }), calling('slow', { ms: 30 }), end),
  second: script(end),
} as const;
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];

/** Number of writes and transaction ends at which a turn may be killed. The longest turn has about as many. */
const moments = 25;

const rounds = everyNth(
  moments * names.length,
  Array.from({ length: moments * names.length }, (_, round) => ({
    round,
    kind: names[round % names.length] ?? 'words',
    moment: 1 + ((Math.floor(round / names.length) * 7) % moments),
  })),
);

interface Row {
  id: string;
  chatId: string;
  parentId: string | null;
}

let site: Site;
const met = { rounds: 0, midst: 0, unasked: 0 };

beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e', keepsProfile: true });
  await databaseIsMade(site.page);
});
afterAll(async () => {
  console.log(
    `killed ${met.rounds} times, ${met.midst} in the midst of a turn; ${met.unasked} before it was asked`,
  );
  await site.close();
});

const tables = async () => {
  const { chats = '[]', messages = '[]', tally = '[]', drafts = '' } = await dumpDatabase(site.page);
  return {
    chats: JSON.parse(chats) as { id: string; leafId: string | null }[],
    messages: JSON.parse(messages) as Row[],
    tally: JSON.parse(tally) as { written: number; deleted: number }[],
    drafts,
  };
};

/** Every message has its chat and its parent, every chat has its newest message, and the tally is right. */
async function expectHangsTogether(): Promise<void> {
  const { chats, messages, tally } = await tables();
  const placeOf = ({ id, chatId }: Pick<Row, 'id' | 'chatId'>) => `${chatId} ${id}`;
  const places = new Set(messages.map(placeOf));
  const chatIds = new Set(chats.map(({ id }) => id));
  const torn = messages.filter(
    ({ chatId, parentId }) =>
      !chatIds.has(chatId) || (parentId !== null && !places.has(placeOf({ id: parentId, chatId }))),
  );
  expect(torn).toEqual([]);
  expect(
    chats.filter(({ id, leafId }) => leafId !== null && !places.has(placeOf({ id: leafId, chatId: id }))),
  ).toEqual([]);
  expect(tally.reduce((sum, { written, deleted }) => sum + written - deleted, 0)).toBe(messages.length);
}

const chats = () => site.page.getByRole('list', { name: 'Chats' }).getByRole('link');
const box = () => site.page.getByRole('textbox', { name: 'Message' });
const send = () => site.page.getByRole('button', { name: 'Send' });

test.for(rounds)(
  'killing the browser while sending loses no question: round $round ($kind), moment $moment',
  async ({ kind, moment }) => {
    await site.page.getByRole('button', { name: 'New chat' }).click();
    if (kind === 'second') {
      await box().fill(script('A first answer.'));
      await send().click();
      await turnEnds(site.page);
      await expect.poll(() => lastReply(site.page).innerText()).toContain('A first answer.');
    }
    const text = `${kinds[kind]} Round ${moment}.`;
    await box().fill(text);
    // Typed text is stored half a second later. This test is about whether sending loses it.
    await expect.poll(async () => (await tables()).drafts.includes(`Round ${moment}.`)).toBe(true);
    const before = (await tables()).chats.map(({ id }) => id);
    const { reached, events } = await watchWrites(site.page, moment);
    const pressed = send()
      .click()
      .then(() => lastReply(site.page).getByText(end).last().waitFor())
      .then(() => turnEnds(site.page))
      .catch(() => reached);
    await Promise.race([reached, pressed]);
    met.rounds += 1;
    if (events.length === moment) met.midst += 1;

    const page = await site.killAndReopen();
    await databaseIsMade(page);
    await expectHangsTogether();
    const { chats: kept, messages, drafts } = await tables();
    expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining(before));
    const isAsked = JSON.stringify(messages).includes(`Round ${moment}.`);
    if (!isAsked) {
      met.unasked += 1;
      expect(drafts).toContain(`Round ${moment}.`);
      return;
    }
    await chats().first().click();
    const goOn = page.getByRole('button', { name: 'Continue', exact: true });
    await goOn.or(lastReply(page).getByText(end)).first().waitFor();
    if ((await goOn.count()) > 0) await goOn.click();
    await lastReply(page).getByText(end).last().waitFor();
    await turnEnds(page);
    await expect.poll(async () => (await lastReply(page).innerText()).split(end)).toHaveLength(2);
    await expectHangsTogether();
  },
);

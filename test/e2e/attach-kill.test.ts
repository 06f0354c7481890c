/**
 * The browser is killed at each write while files are attached. Afterwards each file is whole and in the draft, or absent, and the typed text is
 * always there. Only in `npm run test:all`.
 */
import { afterAll, beforeAll, expect } from 'vitest';
import { thorough } from '../support/matrix';
import { makePng } from '../support/pictures';
import { pressAway } from './chat-steps';
import { watchWrites } from './kill-steps';
import { databaseIsMade, openSite, type Site } from './site';

const text = `# Notes\n\n${'A line of some length.\n'.repeat(4000)}`;
const files = {
  text: { name: 'notes.md', mimeType: '', buffer: Buffer.from(text) },
  picture: { name: 'dot.png', mimeType: 'image/png', buffer: makePng(300, 200, [9, 99, 200]) },
};
const kinds = { text: [files.text], picture: [files.picture], both: [files.picture, files.text] } as const;
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];

/** Number of writes and transaction ends at which the browser may be killed. Two files cause about as many. */
const moments = 10;
const rounds = Array.from({ length: moments * names.length }, (_, round) => ({
  round,
  kind: names[round % names.length] ?? 'both',
  moment: 1 + ((Math.floor(round / names.length) * 3) % moments),
}));

let site: Site;
const met = { rounds: 0, midst: 0, kept: 0 };
beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e', keepsProfile: true });
  await databaseIsMade(site.page);
});
afterAll(async () => {
  console.log(
    `killed ${met.rounds} times, ${met.midst} in the midst; ${met.kept} files were there afterwards`,
  );
  await site.close();
});

interface KeptFiles {
  drafts: { text: string; attached?: { fileId: string; name: string; bytes: number }[] }[];
  rows: { id: string; name: string; bytes: number; text: string }[];
}

/** Reads the disk without the app. */
const kept = () =>
  site.page.evaluate(async (): Promise<KeptFiles> => {
    const open = indexedDB.open('hearth');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const reading = open.result.transaction(['drafts', 'attachments']);
    const drafts = reading.objectStore('drafts').getAll();
    const rows = reading.objectStore('attachments').getAll();
    await new Promise((resolve) => (reading.oncomplete = resolve));
    open.result.close();
    const all = rows.result as { id: string; name: string; data: Uint8Array; text: string }[];
    return {
      drafts: drafts.result as KeptFiles['drafts'],
      rows: all.map(({ id, name, data, text: read }) => ({ id, name, bytes: data.length, text: read })),
    };
  });
const box = () => site.page.getByRole('textbox', { name: 'Message' });
const form = () => site.page.locator('form').filter({ has: box() });
const chips = () => form().getByRole('button', { name: /^Look into/ });

/** Empties the message box and removes its attachments. */
async function empty(): Promise<void> {
  await pressAway(form().getByRole('button', { name: /^Remove/ }));
  await box().fill('');
  await expect.poll(async () => (await kept()).drafts).toEqual([]);
}

thorough.for(rounds)(
  'invariant: a file being attached when the browser is killed is saved whole with its draft or not at all: $round, $kind, $moment',
  async ({ kind, moment, round }) => {
    const words = `Typed in round ${round}.`;
    await box().fill(words);
    await expect.poll(async () => JSON.stringify((await kept()).drafts)).toContain(words);
    const { reached, events } = await watchWrites(site.page, moment);
    const whole = site.page
      .locator('input[type=file]')
      .setInputFiles([...kinds[kind]])
      .then(() => expect.poll(() => chips().count()).toBe(kinds[kind].length))
      .then(() =>
        expect.poll(async () => (await kept()).drafts[0]?.attached?.length).toBe(kinds[kind].length),
      )
      .catch(() => reached);
    await Promise.race([reached, whole]);
    met.rounds += 1;
    if (events.length === moment) met.midst += 1;

    const page = await site.killAndReopen();
    await databaseIsMade(page);
    await expect.poll(() => box().inputValue()).toBe(words);
    const { drafts, rows } = await kept();
    // The reloaded page may be taking over the draft, which is then stored twice.
    const named = drafts.flatMap((draft) => draft.attached ?? []);
    const attached = [...new Map(named.map((one) => [one.fileId, one])).values()];
    met.kept += attached.length;
    for (const { fileId, name, bytes } of attached) {
      const row = rows.find(({ id }) => id === fileId);
      expect(row).toMatchObject({ name, bytes, text: name === files.text.name ? text : '' });
    }
    // Every stored file is whole, whether a draft names it or not.
    for (const { bytes } of rows) expect(bytes).toBeGreaterThan(100);
    await expect.poll(() => chips().count()).toBe(attached.length);
    await expect
      .poll(() =>
        form()
          .locator('img')
          .evaluateAll((images) => images.every((one) => (one as HTMLImageElement).naturalWidth > 0)),
      )
      .toBe(true);
    await empty();
  },
);

/** A model that sees a few of 300 tools and searches for the others. The model is scripted, the tools are real. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Page } from 'playwright';
import { createBuiltinTools } from '../doubles/registry';
import { builtinParts } from '../support/outside';
import { call } from './custom-tool-steps';
import { keepTools, listedIn, manyTools, type Round, roundsOf } from './many-tools-steps';
import { thorough, slow } from '../support/matrix';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

vi.stubEnv('MODE', 'e2e');
const builtIn = createBuiltinTools(builtinParts());
vi.unstubAllEnvs();
/** The tools listed at first. Tools that the page calls by itself are found when needed. */
const listedAtFirst = builtIn.filter(({ isCalledByPage }) => !isCalledByPage).map(({ name }) => name);
const tools = manyTools(
  {
    name: 'harbour_gauge',
    description: 'How high the water stands in a harbour.',
    code: `return 'High water in ' + args.text;`,
    keywords: { zh: ['水位', '涨水'] },
  },
  {
    name: 'post_letter',
    description: 'Posts a letter or an email to somebody.',
    code: `return 'Sent: ' + args.text;`,
  },
  { name: 'tell_fortune', description: 'Reads tea leaves.', code: `return 'Luck for ' + args.text;` },
);
const allOn = `${builtIn.length + tools.length} tools`;
const oneMoreListed = `${listedAtFirst.length + 1} of ${builtIn.length + tools.length}`;

let site: Site;
let page: Page;
beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e' });
  ({ page } = site);
  await keepTools(page, tools);
});
afterAll(() => site.close());

const find = (query: string) => call('find_tools', { query });
// The question contains the script, and a tool named in the question is listed. So names are misspelled here, as models do.
const harbour = (text: string) => call('harbourGauge', { text });
const mail = (text: string) => call('postLetter', { text });
const fortune = (text: string) => call('tellFortune', { text });
const script = (...replies: string[]) => ['script', replies.join('\n---\n')].join('\n');
/** As a question that contains its script, and as the reply: half of what the model can read. */
const long = Array.from({ length: 2000 }, (_, at) => at).join(' ');
const reply = () => lastReply(page).innerText();

async function turn(...replies: string[]): Promise<void> {
  await ask(page, script(...replies));
  await turnEnds(page);
}

/** Number of rounds before the current chat. */
let before = 0;
async function newRounds(): Promise<Round[]> {
  return (await roundsOf(page)).slice(before);
}

/** Each prompt is the previous one plus the model's reply and new text, so nothing is read twice. */
function expectOnlyGrowth(rounds: readonly Round[]): void {
  for (const [index, { prompt }] of rounds.slice(1).entries()) {
    const earlier = rounds[index]!;
    expect(prompt.startsWith(`${earlier.prompt}<|assistant|>${earlier.raw}<|end|>`)).toBe(true);
  }
}

beforeEach(async () => {
  before = (await roundsOf(page)).length;
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await page.getByRole('article').waitFor({ state: 'detached' });
});

describe('a larger model with 300 tools', () => {
  slow('sees pinned tools and the tool search, and calls a tool that it finds', async () => {
    await turn(find('how high the water stands'), harbour('Oslo'), 'It says {{result}}');
    expect(await reply()).toContain('High water in Oslo');
    const rounds = await newRounds();
    expect(rounds).toHaveLength(3);
    expect(listedIn(rounds[0]!.prompt).sort()).toEqual(['find_tools', ...listedAtFirst].sort());
    expect(rounds[0]!.prompt).not.toContain('harbour_gauge');
    expect(rounds[1]!.prompt).toContain('"name":"harbour_gauge"');
    expectOnlyGrowth(rounds);
  });

  thorough('searches for two tools in one reply and calls both in order', async () => {
    await turn(
      `${find('harbour')}\n${find('email')}`,
      `${harbour('Oslo')}\n${mail('rain')}`,
      'Done. {{result}}',
    );
    const rounds = await newRounds();
    expect(rounds[1]!.prompt.match(/\d tools? found for/g)).toHaveLength(2);
    expect(await reply()).toMatch(/High water in Oslo[^]*Sent: rain/);
    expectOnlyGrowth(rounds);
  });

  test('finds a tool despite a typo, and by a query in another language', async () => {
    await turn(find('habour'), find('港口涨水了吗'), 'Found.');
    const rounds = await newRounds();
    expect(rounds[1]!.prompt).toContain('found for "habour": harbour_gauge.');
    // The tool is described only once.
    expect(rounds[2]!.prompt).toContain('Described before: harbour_gauge.');
    expect(rounds[2]!.prompt.match(/"name":"harbour_gauge"/g)).toHaveLength(1);
    expectOnlyGrowth(rounds);
  });

  test('is informed when a tool search finds nothing and when a fourth search in a turn is refused', async () => {
    await turn(find('qqqqq'), find('mail'), find('harbour'), find('photos'), 'So be it.');
    const rounds = await newRounds();
    const last = rounds.at(-1)!.prompt;
    expect(last).toContain('No tool found for "qqqqq".');
    expect(last).toContain('This was the last search of this turn.');
    expect(last).toContain('Not searched: 3 searches are the limit of a turn.');
    await lastReply(page)
      .getByRole('group', { name: /failed/ })
      .waitFor();
    expectOnlyGrowth(rounds);
  });

  thorough('can call a tool that it found before a reload, and a tool by a guessed name', async () => {
    await turn(find('how high the water stands'), 'Found.');
    await page.reload();
    await lastReply(page).getByText('Found.').waitFor();
    await turn(harbour('Bergen'), 'It says {{result}}');
    expect(await reply()).toContain('High water in Bergen');
    await turn(fortune('me'), 'It says {{result}}');
    expect(await reply()).toContain('Luck for me');
    const rounds = await newRounds();
    expectOnlyGrowth(rounds.slice(0, 2));
    expectOnlyGrowth(rounds.slice(2));
    expect(new Set(rounds.map(({ prompt }) => listedIn(prompt).join())).size).toBe(1);
  });

  thorough('still sees the tools it used last after old messages were dropped', async () => {
    await turn(fortune('a'), 'One.');
    await turn(mail('b'), `Two. ${long}`);
    await turn(`Three. ${long}`);
    await turn('Four.');
    const rounds = await newRounds();
    expect(listedIn(rounds[0]!.prompt)).not.toContain('post_letter');
    expect(listedIn(rounds.at(-1)!.prompt).slice(-2)).toEqual(['post_letter', 'tell_fortune']);
  });

  test('sees a tool that the user names, and the tool menu shows how many tokens are saved', async () => {
    await ask(page, 'Use tell fortune for me');
    await turnEnds(page);
    const [round] = await newRounds();
    expect(listedIn(round!.prompt).at(-1)).toBe('tell_fortune');
    await page.getByRole('button', { name: allOn }).click();
    await page.getByText(new RegExp(`^${oneMoreListed} listed, [\\d,]+ tokens saved$`)).waitFor();
    await page.keyboard.press('Escape');
    await lastReply(page).getByRole('button', { name: 'Details' }).click();
    const details = page.getByRole('dialog', { name: 'Details of this answer' });
    await expect
      .poll(() => details.innerText())
      .toMatch(new RegExp(`${oneMoreListed}, in [\\d,]+ tokens:[^]*tell_fortune \\(named in the request\\)`));
    await details.getByRole('button', { name: 'Close' }).click();
  });

  thorough('sees all tools or always searches for tools, as set for the chat', async () => {
    await page.getByRole('button', { name: allOn }).click();
    await page.getByLabel('Search instead of listing all').selectOption('never');
    await page.keyboard.press('Escape');
    await turn('All of them.');
    await lastReply(page)
      .getByText(/take so much of what Scripted can read/)
      .waitFor();
    await page.getByRole('button', { name: 'Choose tools' }).click();
    await page.getByLabel('Search instead of listing all').selectOption('always');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Continue' }).click();
    await lastReply(page).getByText('All of them.').waitFor();
  });
});

/** Agents as tools, through the screen and offline: a scripted model writes, everything else is real. */
import type { Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { calling, cardOf, keepPersonas, resultIn, script } from './agent-steps';
import { listedIn } from './many-tools-steps';
import { thorough, slow } from '../support/matrix';
import { ask, dumpDatabase, isOfflineReady, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
let page: Page;
beforeEach(() => open());
afterEach(() => site.close());

async function open(hasServiceWorker = false): Promise<void> {
  site = await openSite({ folder: 'dist-e2e', hasServiceWorker });
  page = site.page;
}

const articleRequest = {
  type: 'object',
  properties: { topic: { type: 'string' }, wordCount: { type: 'integer' }, style: { type: 'string' } },
  required: ['topic', 'wordCount', 'style'],
};
const articleOutput = {
  type: 'object',
  properties: { title: { type: 'string' }, content: { type: 'string' }, characterCount: { type: 'integer' } },
  required: ['title', 'content', 'characterCount'],
};
const article = { title: '春', content: '春天来了。', characterCount: 5 };

thorough('three agents run one after another, each with the result of the one before', async () => {
  await site.close();
  await open(true);
  await keepPersonas(page, [{ name: 'Writer' }, { name: 'Translator' }, { name: 'Summariser' }]);
  await isOfflineReady(page);
  await site.cutNetwork();
  // An agent without a script repeats its request, so each result is known and appears in the next request.
  const requests = { writer: 'Spring in a line', translator: '', summariser: '' };
  requests.translator = `In Chinese: You said: ${requests.writer}`;
  requests.summariser = `In a word: You said: ${requests.translator}`;
  const calls = Object.entries(requests).map(([name, request]) => calling(name, { request }));
  await ask(page, script(...calls, 'In short: {{result}}'));
  await turnEnds(page);
  const expectAll = async () => {
    const reply = lastReply(page);
    for (const [name, request] of Object.entries(requests)) {
      expect(await resultIn(cardOf(reply, name))).toBe(`You said: ${request}`);
    }
    await expect.poll(() => reply.textContent()).toContain('In short:');
  };
  await expectAll();
  // "Details" shows what each agent was asked, round by round, also after a reload.
  await page.reload();
  await expectAll();
  await lastReply(page).getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('dialog', { name: 'Details of this answer' });
  await details.getByRole('heading', { name: 'writer · Round 1' }).waitFor();
  await expect.poll(() => details.innerText()).toContain('<|system|>You are Writer.');
  await expect.poll(() => details.innerText()).toContain('You are Translator.');
});

thorough('an agent with an output schema is asked again if its answer does not match', async () => {
  const typed = { inputSchema: articleRequest, outputSchema: articleOutput, tools: ['clock'] };
  await keepPersonas(page, [
    {
      ...typed,
      name: 'typed_writer',
      instructions: script('Of course! Here it is.', JSON.stringify(article)),
    },
    { ...typed, name: 'Stubborn', instructions: script('No.', 'Never.') },
  ]);
  const asked = { topic: '春天', wordCount: 150, style: '散文' };
  await ask(
    page,
    script(
      calling('typed_writer', asked),
      calling('stubborn', asked),
      calling('typed_writer', { topic: '春天' }),
      'It is written.',
    ),
  );
  await turnEnds(page);
  const reply = lastReply(page);
  const card = cardOf(reply, 'typed_writer');
  const given = await card.getByLabel('Arguments', { exact: true }).first().textContent();
  expect(JSON.parse(given ?? '')).toEqual(asked);
  expect(JSON.parse(await resultIn(card))).toEqual(article);
  // An answer that is invalid again becomes an error for the caller, as do invalid arguments.
  expect(await resultIn(cardOf(reply, 'stubborn'))).toContain('no answer of the form that is wanted');
  const third = reply.getByRole('group', { name: /^typed_writer:/ }).nth(1);
  expect(await resultIn(third)).toMatch(/wordCount/);
});

thorough('two agents run in one reply, and one of them calls a third agent', async () => {
  await keepPersonas(page, [{ name: 'Outer', tools: 'all' }, { name: 'Inner' }, { name: 'Other' }]);
  const inner = calling('inner', { request: script('Deep down.') });
  const outer = { request: script(inner, 'From below: deep.') };
  await ask(
    page,
    script(`${calling('outer', outer)}\n${calling('other', { request: script('Beside.') })}`, 'Done.'),
  );
  await turnEnds(page);
  const reply = lastReply(page);
  const card = cardOf(reply, 'outer');
  await card.getByRole('button').first().click();
  expect(await resultIn(cardOf(card, 'inner'))).toBe('Deep down.');
  expect(await resultIn(card)).toBe('From below: deep.');
  expect(await resultIn(cardOf(reply, 'other'))).toBe('Beside.');
});

describe('limits on agent calls', () => {
  thorough('a third level of nested agents is refused, and so is a cycle of agents', async () => {
    await keepPersonas(page, [
      { name: 'One', tools: 'all' },
      { name: 'Two', tools: 'all' },
      { name: 'Three', tools: 'all' },
    ]);
    const three = calling('three', { request: script('Too deep.') });
    const circle = calling('one', { request: script('Round and round.') });
    const two = calling('two', { request: script(`${three}\n${circle}`, 'Alone, then.') });
    await ask(page, script(calling('one', { request: script(two, 'So be it.') }), 'Done.'));
    await turnEnds(page);
    const outer = cardOf(lastReply(page), 'one');
    await outer.getByRole('button').first().click();
    const middle = cardOf(outer, 'two');
    await middle.getByRole('button').first().click();
    expect(await resultIn(cardOf(middle, 'three'))).toContain(
      'no more than 2 agents may be asked within one another',
    );
    expect(await resultIn(cardOf(middle, 'one'))).toContain('One is at work on this already');
    expect(await resultIn(middle)).toBe('Alone, then.');
  });

  thorough('a fifth agent call in one turn is refused', async () => {
    await keepPersonas(page, [{ name: 'Writer' }]);
    const calls = [1, 2, 3, 4, 5].map((part) => calling('writer', { request: script(`Part ${part}.`) }));
    await ask(page, script(calls.join('\n'), 'Done.'));
    await turnEnds(page);
    const results = await lastReply(page).getByLabel('Result', { exact: true }).allTextContents();
    expect(results.slice(0, 4)).toEqual(['Part 1.', 'Part 2.', 'Part 3.', 'Part 4.']);
    expect(results[4]).toContain('4 agents are the limit of a turn');
  });
});

thorough('an agent that may use only the clock tool cannot call the calculator', async () => {
  await keepPersonas(page, [{ name: 'Timekeeper', tools: ['clock'] }]);
  const sum = calling('calculator', { expression: '17 * 23' });
  const insists = script(sum, `Then I cannot say. ${sum}`);
  await ask(page, script(calling('timekeeper', { request: insists }), 'Done.'));
  await turnEnds(page);
  const card = cardOf(lastReply(page), 'timekeeper');
  // Look only at the results: an id or a time could contain this number by chance.
  const results = await card.getByLabel('Result', { exact: true }).allTextContents();
  expect(results[0]).toContain('There is no tool "calculator". There are: clock.');
  expect(results.at(-1)).toContain('Then I cannot say.');
  expect(results.join()).not.toContain('391');
  const { traces = '[]' } = await dumpDatabase(page);
  const [prompt = ''] = (JSON.parse(traces) as { prompt: string }[])
    .map((trace) => trace.prompt)
    .filter((sent) => sent.includes('You are Timekeeper'));
  expect(listedIn(prompt)).toEqual(['clock']);
});

test('a permission dialog names the agent that asks, and "Allow once" lets that agent\'s call run', async () => {
  await keepPersonas(page, [{ name: 'Writer', tools: ['remember'] }]);
  const note = calling('remember', { note: 'The heron stands still.' });
  await ask(page, script(calling('writer', { request: script(note, 'It is noted.') }), 'Done.'));
  const dialog = page.getByRole('dialog', { name: /^Allow/ });
  await dialog.waitFor();
  await expect.poll(() => dialog.innerText()).toContain('Writer → remember');
  await expect.poll(() => dialog.innerText()).toContain('The heron stands still.');
  await dialog.getByRole('button', { name: 'Allow once' }).click();
  await turnEnds(page);
  expect(await resultIn(cardOf(lastReply(page), 'writer'))).toBe('It is noted.');
  expect((await dumpDatabase(page))['notes']).toContain('The heron stands still.');
});

slow('Stop ends all running agents at once and keeps their text', async () => {
  await keepPersonas(page, [
    { name: 'Outer', tools: 'all' },
    { name: 'Inner', tools: ['slow'] },
  ]);
  const slow = `Let me see. ${calling('slow', { ms: 20_000 })}`;
  const inner = calling('inner', { request: script(slow, 'Never said.') });
  await ask(page, script(calling('outer', { request: script(inner, 'Never said.') }), 'Never said.'));
  const outer = cardOf(lastReply(page), 'outer');
  await outer.getByRole('button').first().click();
  await cardOf(outer, 'inner').getByRole('button').first().click();
  await outer.getByRole('group', { name: /^slow: running/ }).waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await turnEnds(page);
  await expect.poll(() => outer.textContent()).toContain('Let me see.');
  expect(await outer.getAttribute('data-status')).toBe('refused');
  expect((await dumpDatabase(page))['messages']).not.toContain('"raw":"Never said."');
  await page.reload();
  await expect.poll(() => cardOf(lastReply(page), 'outer').textContent()).toContain('Let me see.');
});

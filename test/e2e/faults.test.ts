/**
 * Models that are lost: each fault ends in a defined state, a message with a next step, and a usable chat. For models that fail to start, see
 * failed-loads.test.ts; for downloads, models.test.ts; for the built-in model, broken-model.test.ts; for a killed browser, kill.test.ts.
 */
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, describe, expect, test } from 'vitest';
import {
  begin,
  type Case,
  choose,
  direct,
  endsWell,
  keep,
  large,
  lose,
  notices,
  pill,
  reply,
  type Script,
  small,
  softwareGpu,
} from './fault-steps';
import { thorough } from '../support/matrix';
import { ask, isOfflineReady, lastReply, openSite, type Site, turnEnds } from './site';

const folder = process.env['HEARTH_E2E'] ?? 'dist-e2e';

let site: Site | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});
const start = async (...given: Parameters<typeof begin>): Promise<Site> => (site = await begin(...given));

describe('a model that says nothing', () => {
  /** Its only token never arrives. */
  const silent: Script = { [large]: [{ replies: [{ text: 'x', fault: 'silence' }] }] };
  const question = 'Qwen 3 4B has said nothing for 5 minutes. Keep waiting, or let Ember answer?';

  /** Lets time pass. The last sign of life may be on its way, so callers repeat this until the notice is there. */
  async function noticesAfter(page: Page, time: string): Promise<string> {
    await page.clock.fastForward(time);
    return notices(page);
  }

  /** Asks a question that is never answered, and lets minutes pass until the user is asked. */
  async function waitInVain(words: string): Promise<Site> {
    const { page } = await start(folder, [large], silent);
    await page.clock.install();
    await ask(page, words);
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await page.getByText('Qwen 3 4B is reading').waitFor({ state: 'attached' });
    await expect.poll(() => noticesAfter(page, '01:00')).toContain(question);
    return site!;
  }

  test('the user can wait, and Stop still works', async () => {
    const { page } = await waitInVain('What is 17 * 23?');
    await page.getByRole('button', { name: 'Keep waiting' }).click();
    await expect.poll(() => notices(page)).toBe('');
    await expect.poll(() => noticesAfter(page, '01:00')).toContain('for 10 minutes');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect.poll(() => notices(page)).toBe('');
    await turnEnds(page);
    expect(await pill(page)).toMatch(/^Qwen 3 4B/);
  });

  test('the user can let another model answer', async () => {
    const { page } = await waitInVain('What is 17 * 23?');
    await page.getByRole('button', { name: 'Let Ember answer' }).click();
    await expect.poll(() => reply(site!)).toContain('391');
    await expect.poll(() => pill(page)).toMatch(/^Ember · in place of Qwen 3 4B/);
  });

  test('Ember reads small talk as it does alone if it takes over', async () => {
    const { page } = await waitInVain('Hello!');
    await page.getByRole('button', { name: 'Let Ember answer' }).click();
    await expect.poll(() => reply(site!)).toMatch(/Hello|Hi/);
  });
});

describe('faults in the middle of a reply', () => {
  const cases: Case[] = [
    {
      name: 'after a lost GPU, a new worker continues the same reply',
      kept: [large],
      script: {
        [large]: [
          { replies: [{ text: 'It was a dark end', fault: 'lost' }] },
          { replies: [{ text: ' and stormy night.' }] },
        ],
      },
      said: ['Qwen 3 4B lost the graphics chip. It was started again and goes on.'],
      answer: 'It was a dark and stormy night.',
      line: /^Qwen 3 4B · on this GPU · /,
      notice: /^$/,
    },
    {
      name: 'after a crashed worker, another worker continues',
      kept: [large],
      script: {
        [large]: [{ replies: [{ text: 'Half end', fault: 'crash' }] }, { replies: [{ text: ' of it.' }] }],
      },
      said: ['Qwen 3 4B broke down. It was started again and goes on.'],
      answer: 'Half of it.',
      line: /^Qwen 3 4B · on this GPU · /,
      notice: /^$/,
    },
    {
      name: 'after repeated losses of the GPU, the context shrinks, then the smaller model answers',
      kept: [large, small],
      script: { [large]: [{ replies: [{ text: 'No end', fault: 'lost' }] }] },
      said: [
        'Qwen 3 4B lost the graphics chip. It was started again and goes on.',
        'Qwen 3 4B lost the graphics chip. It was started again with less room: it reads',
        'Qwen 3 4B lost the graphics chip. Qwen 2.5 0.5B, a smaller model on this device, answers instead.',
      ],
      answer: `${small} answers.`,
      line: /^Qwen 2\.5 0\.5B · in place of Qwen 3 4B · on this GPU · /,
      notice: /Qwen 2\.5 0\.5B, a smaller model on this device, answers instead\.[\s\S]*Try Qwen 3 4B again/,
    },
    {
      name: 'without memory for the prompt, the context shrinks within the same turn',
      kept: [large],
      script: {
        [large]: [
          { replies: [{ text: 'So end', fault: 'out-of-memory' }] },
          { replies: [{ text: ' far so good.' }] },
        ],
      },
      said: ['Qwen 3 4B ran out of memory. It was started again with less room: it reads'],
      answer: 'So far so good.',
      line: /^Qwen 3 4B · on this GPU · /,
      notice: /ran out of memory\. It was started again with less room[\s\S]*Try Qwen 3 4B again/,
    },
  ];
  // web-llm-life.test.ts also tests a lost device.
  thorough.for(cases)('$name', async (one) => {
    const here = await start(folder, one.kept, one.script);
    here.expectErrors(/asked for the end of the worker/);
    await endsWell(here, one);
  });

  thorough('a tool call made before the GPU was lost is not repeated', async () => {
    const call = '<tool_call>{"name":"slow","arguments":{"ms":10}}</tool_call>';
    const here = await start(folder, [large], {
      [large]: [
        { replies: [{ text: `I look. ${call}` }, { text: 'It says: ', fault: 'lost' }] },
        { replies: [{ text: 'done.' }] },
      ],
    });
    await ask(here.page, 'Look it up.');
    await turnEnds(here.page);
    await expect.poll(() => reply(here)).toContain('done.');
    expect(await lastReply(here.page).getByRole('group', { name: /^slow/ }).count()).toBe(1);
    expect(await lastReply(here.page).getByLabel('Result').textContent()).toContain('10 ms');
  });

  // Waits half a minute without a response. lost-worker.test.ts also tests what follows.
  thorough(
    'a worker that stops responding is replaced, and its reply continues',
    async () => {
      site = await openSite({ folder });
      const { page } = site;
      await ask(page, 'script 50\nword {{repeat 100}}END');
      await expect.poll(async () => (await lastReply(page).innerText()).length).toBeGreaterThan(60);
      for (const worker of page.workers()) {
        // Only the model's worker has an inner worker. Leave the others alone.
        if (worker.url().startsWith('blob:')) await worker.evaluate(() => close()).catch(() => undefined);
      }
      await expect
        .poll(() => lastReply(page).innerText(), { timeout: 45_000 })
        .toContain('Scripted stopped responding. It was started again and goes on.');
      await turnEnds(page);
      expect((await lastReply(page).textContent())?.match(/\bword\b/g)).toHaveLength(100);
    },
    90_000,
  );
});

thorough('a fallback model stays in use until the user picks the original model again', async () => {
  const here = await start(folder, [large], { [large]: [{ load: 'no-gpu' }] });
  const { page } = here;
  await ask(page, 'What is 17 * 23?');
  await turnEnds(page);
  await expect.poll(() => pill(page)).toMatch(/^Ember · in place of Qwen 3 4B/);
  await direct(page, {});
  await ask(page, 'What is 17 * 23?');
  await turnEnds(page);
  await expect.poll(() => reply(here)).toContain('391');
  expect(await reply(here)).not.toContain('answers instead');

  await page.getByRole('button', { name: 'Try Qwen 3 4B again' }).click();
  await expect.poll(() => pill(page)).toBe('Qwen 3 4B · on this GPU · ready');
  expect(await notices(page)).toBe('');
  await ask(page, 'And now?');
  await turnEnds(page);
  await expect.poll(() => reply(here)).toContain(`${large} answers.`);
});

thorough('the details of a reply show why the larger model failed, also after a reload', async () => {
  const here = await start(folder, [large], { [large]: [{ test: '!'.repeat(64) }] });
  const { page } = here;
  await ask(page, 'What is 17 * 23?');
  await turnEnds(page);
  await page.reload();
  await expect.poll(() => reply(here)).toContain('Ember, the built-in model, answers instead.');
  await lastReply(page).getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('dialog', { name: 'Details of this answer' });
  await expect.poll(() => details.innerText()).toMatch(/It wrote one character over and over: "!!!!/);
  await expect.poll(() => details.innerText()).toMatch(/ember/);
});

describe('an incomplete copy of the site', () => {
  let copy: string;
  afterEach(() => rm(copy, { recursive: true }));

  thorough(
    'a missing built-in model is reported, and the question is answered once the file is back',
    async () => {
      copy = await mkdtemp(join(tmpdir(), 'hearth-site-'));
      await cp(folder, copy, { recursive: true });
      const weights = join(copy, 'models/ember.gguf');
      await rename(weights, `${weights}.away`);
      const here = await start(copy, [large], { [large]: [{ load: 'no-gpu' }] });
      const { page } = here;
      here.expectErrors(/404/);
      await ask(page, 'What is 17 * 23?');
      await turnEnds(page);
      await expect
        .poll(() => notices(page))
        .toMatch(/could not be fetched: the site that hosts Hearth has no such file/);
      expect(await reply(here)).toContain(
        'Ember did not start, so there is no answer yet. Your question is kept.',
      );
      await rename(`${weights}.away`, weights);
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Continue' }).click();
      await turnEnds(page);
      await expect.poll(() => reply(here)).toContain('391');
    },
  );
});

describe('offline, with the real engine', () => {
  const begun = async () => {
    site = await openSite({ folder, args: softwareGpu, hasServiceWorker: true });
    await keep(site.page, large);
    await isOfflineReady(site.page);
    await site.page.reload();
    return site;
  };

  thorough('the built-in model answers instead if the library of the chosen model is missing', async () => {
    const here = await begun();
    const { page } = here;
    await choose(page, large);
    await lose(page, large, '.wasm');
    await here.cutNetwork();
    await page.reload();
    await ask(page, 'What is 17 * 23?');
    await turnEnds(page);
    await expect.poll(() => reply(here)).toContain('391');
    expect(await reply(here)).toContain(
      'Qwen 3 4B is not on this device any more, or not all of it. Ember, the built-in model, answers instead.',
    );
    await expect.poll(() => pill(page)).toMatch(/^Ember · in place of Qwen 3 4B · on this CPU/);
  });

  thorough('the built-in model answers instead if the library of the chosen model is invalid', async () => {
    const here = await begun();
    const { page } = here;
    await choose(page, large);
    await here.cutNetwork();
    await ask(page, 'What is 17 * 23?');
    await turnEnds(page);
    await expect.poll(() => reply(here)).toContain('391');
    expect(await reply(here)).toContain(
      'Qwen 3 4B came with a program that cannot be used. Ember, the built-in model, answers instead.',
    );
  });

  thorough(
    'the built-in model answers instead if the engine of the chosen model was never downloaded',
    async () => {
      const here = await begun();
      const { page } = here;
      await here.cutNetwork();
      here.expectErrors(/Failed to load resource|ERR_/);
      await choose(page, large);
      await ask(page, 'What is 17 * 23?');
      await turnEnds(page);
      await expect.poll(() => reply(here)).toContain('391');
      expect(await reply(here)).toContain(
        'Qwen 3 4B could not be fetched. Ember, the built-in model, answers instead.',
      );
    },
  );
});

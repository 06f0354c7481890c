/** What a round costs, with real weights in the built site: only the new part of each prompt is read. */
import { readdir, readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { readGguf } from '../../src/engines/gguf/header';
import { ember } from '../../src/ember/spec';
import { createTokenCounter, type TokenCounter } from '../../src/engines/wllama/engine';
import { thorough } from '../support/matrix';
import { ask, openSite, type Site, turnEnds } from './site';

const folder = process.env['HEARTH_DIST'] ?? 'dist';

let site: Site;
/** Exact for this model, and independent of the engine's own counts. */
let tokensOf: TokenCounter;
beforeAll(async () => {
  tokensOf = createTokenCounter(
    (await readGguf(new Blob([await readFile('public/models/ember.gguf')]))).header,
  );
  site = await openSite({ folder });
});
afterAll(() => site.close());

interface Round {
  prompt: string;
  /** The reply as the model wrote it. */
  raw: string;
  prefilledTokens: number;
}

/** Of each round except the first. */
function ratiosOf(rounds: readonly Round[]): number[] {
  return rounds.slice(1).map(({ prompt, prefilledTokens }, index) => {
    const { prompt: before, raw } = rounds[index]!;
    expect(prompt.startsWith(before + raw)).toBe(true);
    return prefilledTokens / tokensOf(prompt.slice(before.length + raw.length));
  });
}

/** Returns the rounds as "Details" of a reply shows them. */
async function roundsOf(page: Page, reply: Locator): Promise<Round[]> {
  await reply.getByRole('button', { name: 'Details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Details of this answer' });
  await dialog.getByRole('figure', { name: 'Text as the model wrote it' }).last().waitFor();
  const figures = (name: string) => dialog.getByRole('figure', { name });
  const raws = await figures('Text as the model wrote it').allTextContents();
  // The prompts are read from the disk when they are shown.
  await expect.poll(() => figures('Prompt as it was sent').count()).toBe(raws.length);
  const prompts = await figures('Prompt as it was sent').allTextContents();
  const costs = await dialog.getByText(/^[\d,]+ tokens, [\d,]+ of them read now$/).allTextContents();
  expect([raws.length, costs.length]).toEqual([prompts.length, prompts.length]);
  expect(await dialog.getByText('First token after').count()).toBe(prompts.length);
  expect(await dialog.getByText(/^\d+(\.\d)? tokens\/s$/).count()).toBe(prompts.length);
  await dialog.getByRole('button', { name: 'Close' }).click();
  return prompts.map((prompt, index) => ({
    prompt,
    raw: raws[index] ?? '',
    prefilledTokens: Number(/, ([\d,]+) of them read now/.exec(costs[index] ?? '')?.[1]?.replaceAll(',', '')),
  }));
}

thorough('in two turns with tool calls, the model reads only the new tokens of each round', async () => {
  const { page } = site;
  const replies = page.getByRole('article', { name: 'Hearth' });
  const rounds: Round[] = [];
  for (const [index, question] of ['What is 17 * 23?', 'And what is 6 * 7?'].entries()) {
    await ask(page, question);
    await turnEnds(page);
    await expect.poll(() => replies.count()).toBe(index + 1);
    rounds.push(...(await roundsOf(page, replies.nth(index))));
  }
  expect(rounds).toHaveLength(4);
  expect(ratiosOf(rounds)).toEqual([1, 1, 1]);
});

/** A search, the page it found, and the answer. For this small model we check only the two calls, not the words. */
const searchSteps: Step[] = [
  {
    choice: { name: 'web_search' },
    tool: 'web_search',
    result: '1. Lights: https://pages.example.com/story',
  },
  { choice: { name: 'fetch_page' }, tool: 'fetch_page', result: 'Lights in the sky of the far north.' },
  { choice: 'auto', tool: '', result: '' },
];
const toolOf = (name: string, argument: string) => ({
  name,
  title: name,
  description: '',
  inputSchema: { type: 'object', properties: { [argument]: { type: 'string' } }, required: [argument] },
});

interface Answer {
  id: string;
  /** `RAW`, or `HANDLER` if it threw. */
  type: string;
  value: unknown;
}

interface Step {
  choice: string | { name: string };
  tool: string;
  result: string;
  /** Names of the tools that the result describes. */
  found?: string[];
}

/** What the page and the model worker exchange in a turn, as Comlink writes it. `listed`: the listed tools. Missing: all of them. */
async function driveWorker(
  page: Page,
  question: string,
  steps: readonly Step[],
  tools: readonly ReturnType<typeof toolOf>[],
  listed?: readonly string[],
): Promise<Round[]> {
  const script = (await readdir(`${folder}/assets`)).find((name) => name.startsWith('model.worker-'))!;
  return page.evaluate(
    async ({ path, spec, offered, shown, script: rounds, asked }) => {
      // Inside a frame, because the page has already created its policies.
      const frame = document.body.appendChild(document.createElement('iframe'));
      const { trustedTypes: types, Worker } = frame.contentWindow as unknown as Window & typeof globalThis;
      const policy = types?.createPolicy('default', { createScriptURL: (url) => url });
      const source = `import ${JSON.stringify(new URL(path, document.baseURI).href)};`;
      const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
      const worker = new Worker((policy?.createScriptURL(url) ?? url) as string, { type: 'module' });
      const apply = (name: string, first: unknown, port: MessagePort, second: object) =>
        new Promise<unknown>((resolve, reject) => {
          worker.onerror = ({ message }) => reject(new Error(message));
          const id = crypto.randomUUID();
          worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
            if (data.id !== id) return;
            if (data.type === 'RAW') resolve(data.value);
            else reject(new Error(JSON.stringify(data.value)));
          });
          const argumentList = [{ type: 'RAW', value: first }, second];
          worker.postMessage({ id, type: 'APPLY', path: [name], argumentList }, [port]);
        });

      const file = { ...spec.file, path: new URL(spec.file.path, document.baseURI).href };
      const progress = new MessageChannel();
      const handler = { type: 'HANDLER', name: 'proxy', value: progress.port2 };
      const failure = await apply('load', { ...spec, file }, progress.port2, handler);
      if (failure !== undefined) throw new Error(JSON.stringify(failure));

      const messages: unknown[] = [
        { role: 'user', content: [{ type: 'text', text: asked }], origins: [{ door: 'typed' }] },
      ];
      const taken: Round[] = [];
      for (const { choice: toolChoice, tool: toolName, result: text, found: foundTools } of rounds) {
        const { port1, port2 } = new MessageChannel();
        const request = { messages, tools: offered, toolChoice, ...(shown && { listed: shown }) };
        const finished = new Promise<{
          message: { raw: string; content: { id?: string; type: string }[] };
          usage: { prefilledTokens: number };
          prompt: string;
        }>((resolve, reject) => {
          apply('respond', request, port2, { type: 'RAW', value: port2 }).catch(reject);
          port1.onmessage = ({ data }: MessageEvent<{ type: string }[]>) => {
            for (const event of data) if (event.type === 'finish') resolve(event as never);
          };
        });
        const { message, usage, prompt } = await finished;
        taken.push({ prompt, raw: message.raw, prefilledTokens: usage.prefilledTokens });
        messages.push(message);
        const toolCallId = message.content.find(({ id }) => id !== undefined)?.id ?? 'none';
        const content = [{ type: 'text', text }];
        const origins = [{ door: 'hearth' }];
        const result = {
          toolCallId,
          toolName,
          content,
          isError: false,
          origins,
          ...(foundTools && { foundTools }),
        };
        messages.push({ role: 'tool', results: [result] });
      }
      worker.terminate();
      return taken;
    },
    { path: `assets/${script}`, spec: ember, offered: tools, shown: listed, script: steps, asked: question },
  );
}

thorough('the model reads only new tokens in every round of a turn with two tool calls', async () => {
  const tools = [toolOf('web_search', 'query'), toolOf('fetch_page', 'url')];
  const question = 'look up northern lights, open the best hit';
  const rounds = await driveWorker(site.page, question, searchSteps, tools);
  expect(rounds).toHaveLength(3);
  expect(rounds.map(({ raw }) => /"name":"(\w+)"/.exec(raw)?.[1])).toEqual([
    'web_search',
    'fetch_page',
    undefined,
  ]);
  const ratios = ratiosOf(rounds);
  console.info(`prefilled ÷ new: ${ratios.join(', ')}`);
  expect(ratios).toEqual([1, 1]);
});

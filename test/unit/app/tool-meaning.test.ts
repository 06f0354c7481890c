/** Finding tools by meaning: only if switched on, in addition to the search by words, and stopped when switched off. */
import { describe, expect, test } from 'vitest';
import { createToolOffers } from '../../../src/app/tool-offers';
import type { ModelSpec } from '../../../src/contracts/model';
import { textOf } from '../../../src/contracts/message-parts';
import type { Embed, FoundToolNames, Tool, ToolIndex } from '../../../src/contracts/tool';
import { small as large } from '../../support/web-llm-model';

const tool = (name: string, description: string): Tool => ({
  name,
  title: name,
  description,
  inputSchema: {},
  effects: () => ({ type: 'pure' }),
  execute: async () => ({ content: [], isError: false, origins: [{ door: 'hearth' }] }),
});
/** "hot" and "warm" have the same meaning here, but no common letters. */
const tools = [tool('stove', 'hot'), tool('lamp', 'bright'), tool('mail', 'letters')];
const meanings = [/hot|warm/, /bright/, /letters/];
const embedWords: Embed = async (texts) =>
  texts.map((text) => Float32Array.from(meanings, (meaning) => (meaning.test(text) ? 1 : 0)));

/** `asked`: texts that were embedded. `log`: models that were started and ended. */
function visit(kept: { index?: ToolIndex | undefined } = {}, embed = embedWords, among = tools) {
  const settings: { pins: Record<string, boolean>; meaningModel?: string | null } = { pins: {} };
  const asked: string[][] = [];
  const log: string[] = [];
  const offers = createToolOffers({
    readTools: async () => among,
    kept: { load: async () => kept.index, save: async (index) => void (kept.index = structuredClone(index)) },
    isSmall: () => false,
    loadResult: async () => undefined,
    settings: () => settings,
    openEmbedder(id) {
      log.push(`begin ${id}`);
      return {
        embed: (texts, signal) => {
          asked.push([...texts]);
          return embed(texts, signal);
        },
        end: () => void log.push(`end ${id}`),
      };
    },
    pinnedAtFirst: new Set(),
    spec: (): ModelSpec => large,
  });
  /** Calls `find_tools` as a model does within a turn. */
  const findInTurn = async (query: string) => {
    const wishes = { toolSearch: 'always', toolOffer: undefined } as const;
    const turn = await offers.forTurn({ on: among, history: [], wishes });
    const finder = turn.tools.find(({ name }) => name === 'find_tools');
    const context = { signal: new AbortController().signal, onProgress: () => undefined };
    const output = await finder?.execute({ query }, context);
    return { names: output?.foundTools, text: textOf(output?.content ?? []) };
  };
  return { offers, settings, asked, log, kept, findInTurn };
}

const both = async ({ names, later }: FoundToolNames) => [names, await later];

describe('the search for tools by meaning', () => {
  test('is off by default, so no model starts and nothing is stored', async () => {
    const { offers, log, kept, findInTurn } = visit();
    expect(await offers.find('warm')).toEqual({ names: [] });
    expect((await findInTurn('hot')).names).toEqual(['stove']);
    expect(log).toEqual([]);
    expect(kept.index).not.toHaveProperty('vectors');
  });

  test('shows tools that match by word at once and adds tools that match by meaning later', async () => {
    const { offers, settings, asked, kept } = visit();
    settings.meaningModel = 'ember';
    expect(await both(await offers.find('warm'))).toEqual([[], ['stove']]);
    expect(await both(await offers.find('warm letters'))).toEqual([['mail'], ['mail', 'stove']]);
    expect(asked.slice(1)).toEqual([['warm'], ['warm letters']]);
    expect(kept.index?.vectors).toMatchObject({ model: 'ember', ids: ['stove', 'lamp', 'mail'] });
  });

  test('is not used for an answer until all tool embeddings are computed', async () => {
    const { settings, asked, kept, findInTurn } = visit();
    settings.meaningModel = 'ember';
    expect((await findInTurn('warm')).text).toContain('No tool found');
    await expect.poll(() => kept.index?.vectors?.ids).toHaveLength(3);
    expect((await findInTurn('warm')).names).toEqual(['stove']);
    expect(asked.slice(1)).toEqual([['warm']]);
  });

  test('finds only tools that are on when a model searches', async () => {
    const { offers, settings } = visit();
    settings.meaningModel = 'ember';
    await (
      await offers.find('warm')
    ).later;
    const wishes = { toolSearch: 'always', toolOffer: undefined } as const;
    const turn = await offers.forTurn({ on: tools.slice(1), history: [], wishes });
    const finder = turn.tools.find(({ name }) => name === 'find_tools');
    const context = { signal: new AbortController().signal, onProgress: () => undefined };
    expect((await finder?.execute({ query: 'warm' }, context))?.foundTools).toEqual([]);
  });

  test('reuses the stored embeddings in the next visit', async () => {
    const kept = {};
    const first = visit(kept);
    first.settings.meaningModel = 'ember';
    await (
      await first.offers.find('warm')
    ).later;
    const second = visit(kept);
    second.settings.meaningModel = 'ember';
    expect(await both(await second.offers.find('warm'))).toEqual([[], ['stove']]);
    expect(second.asked).toEqual([['warm']]);
  });

  test('unloads the embedding model and deletes the embeddings when the user switches it off', async () => {
    const { offers, settings, asked, log, kept } = visit();
    settings.meaningModel = 'ember';
    await (
      await offers.find('warm')
    ).later;
    settings.meaningModel = null;
    expect(await offers.find('')).toEqual({ names: [] });
    expect(log).toEqual(['begin ember', 'end ember']);
    expect(kept.index).not.toHaveProperty('vectors');
    // The index of words is still stored.
    expect(kept.index?.ids).toEqual(['stove', 'lamp', 'mail']);

    settings.meaningModel = 'other';
    await (
      await offers.find('warm')
    ).later;
    expect(asked.slice(2)).toEqual([['stove\nhot', 'lamp\nbright', 'mail\nletters'], ['warm']]);
    expect(kept.index?.vectors?.model).toBe('other');
  });

  test('does not retry after a failure, and tools are still found by words', async () => {
    const fails: Embed = () => Promise.reject(new Error('No memory.'));
    const { offers, settings, log, asked, findInTurn } = visit({}, fails);
    settings.meaningModel = 'ember';
    expect(await both(await offers.find('hot'))).toEqual([['stove'], 'failed']);
    expect(await both(await offers.find('hot'))).toEqual([['stove'], 'failed']);
    expect((await findInTurn('hot')).names).toEqual(['stove']);
    expect(offers.takeFailure()).toBe(false);
    expect(log).toEqual(['begin ember', 'end ember']);
    expect(asked).toHaveLength(1);
  });

  test('reports only once that computing embeddings in the background failed', async () => {
    const fails: Embed = () => Promise.reject(new Error('No memory.'));
    const { offers, settings, findInTurn } = visit({}, fails);
    settings.meaningModel = 'ember';
    expect((await findInTurn('hot')).names).toEqual(['stove']);
    await expect.poll(offers.takeFailure).toBe(true);
    expect((await findInTurn('hot')).names).toEqual(['stove']);
    expect(offers.takeFailure()).toBe(false);
  });

  test('cancels an earlier search when the user types more, without reporting a failure', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const slow: Embed = (...given) => gate.then(() => embedWords(...given));
    const { offers, settings } = visit({}, slow);
    settings.meaningModel = 'ember';
    const first = await offers.find('hot');
    const second = await offers.find('warm');
    expect(await first.later).toEqual(['stove']);
    open();
    expect(await second.later).toEqual(['stove']);
    expect(offers.takeFailure()).toBe(false);
  });

  test('finds at most ten tools', async () => {
    const many = Array.from({ length: 30 }, (_, at) => tool(`thing_${at}`, 'hot'));
    const { offers, settings } = visit({}, embedWords, many);
    settings.meaningModel = 'ember';
    expect(await (await offers.find('warm')).later).toHaveLength(10);
  });
});

/** The fake model embeds texts by three words, so we know which tool is nearest. */
import { describe, expect, test } from 'vitest';
import type { ToolSpec, Embed, ToolVectors } from '../../../../src/contracts/tool';
import { createEmbeddingSearcher, fuseRanks } from '../../../../src/tools/tool-search/embedding';

const spec = (name: string, description: string): ToolSpec => ({
  name,
  title: name,
  description,
  inputSchema: { type: 'object' },
});
const tools = [spec('lamp', 'light light'), spec('post', 'mail'), spec('both', 'light mail')];
const { signal } = new AbortController();

interface Changed {
  stored?: ToolVectors | undefined;
  model?: string;
  words?: readonly string[];
  embed?: Embed;
  life?: AbortSignal;
}

/** `asked` collects the texts that each call embeds. */
function create({ stored, model = 'm', words = ['light', 'mail', 'rain'], ...changed }: Changed = {}) {
  const asked: string[][] = [];
  let kept = stored;
  const embed: Embed = async (texts) => {
    asked.push([...texts]);
    return texts.map((text) => Float32Array.from(words, (word) => text.split(word).length - 1));
  };
  const searcher = createEmbeddingSearcher({
    model,
    stored,
    embed,
    life: signal,
    ...changed,
    onRead: () => (kept = searcher.toStored()),
  });
  const find = async (query: string, limit = 5) =>
    (await searcher.search(query, limit, signal)).map(({ name }) => name);
  return { searcher, find, asked, kept: () => kept };
}

describe('a search for tools by embeddings', () => {
  test('finds tools with similar vectors, nearest first, but none with unrelated vectors', async () => {
    const { searcher, find } = create();
    searcher.index(tools);
    expect(await find('light')).toEqual(['lamp', 'both']);
    expect(await find('mail mail mail')).toEqual(['post', 'both']);
    expect(await find('mail', 1)).toEqual(['post']);
    expect(await find('rain')).toEqual([]);
    const [hit] = await searcher.search('light', 1, signal);
    expect(hit?.score).toBeCloseTo(1);
  });

  test('embeds each tool only once; later searches embed only the query', async () => {
    const { searcher, find, asked } = create();
    searcher.index(tools);
    expect(searcher.isRead).toBe(false);
    await find('light');
    expect(searcher.isRead).toBe(true);
    expect(asked).toEqual([['lamp\nlight light', 'post\nmail', 'both\nlight mail'], ['light']]);
    searcher.index(tools);
    await find('mail');
    expect(asked.slice(2)).toEqual([['mail']]);
  });

  test('embeds only changed tools again and forgets removed ones', async () => {
    const { searcher, find, asked, kept } = create();
    searcher.index(tools);
    await find('light');
    searcher.index([spec('lamp', 'rain'), tools[1]!]);
    expect(searcher.isRead).toBe(false);
    expect(await find('light')).toEqual([]);
    expect(asked.slice(2)).toEqual([['lamp\nrain'], ['light']]);
    expect(kept()?.ids.toSorted()).toEqual(['lamp', 'post']);
  });

  test('starts with stored vectors, unless they come from another model', async () => {
    const first = create();
    first.searcher.index(tools);
    await first.searcher.read();
    const stored = structuredClone(first.kept());
    expect(stored).toMatchObject({ model: 'm', ids: ['lamp', 'post', 'both'] });
    expect(stored?.numbers).toHaveLength(9);

    const second = create({ stored });
    second.searcher.index(tools);
    expect(second.searcher.isRead).toBe(true);
    expect(await second.find('light')).toEqual(['lamp', 'both']);
    expect(second.asked).toEqual([['light']]);
    expect(create({ stored, model: 'other' }).searcher.toStored().ids).toEqual([]);
  });

  test('embeds all tools again if the stored vectors are invalid or have another length', async () => {
    const first = create();
    first.searcher.index(tools);
    await first.searcher.read();
    const longer = create({ stored: first.kept(), words: ['light', 'mail', 'rain', 'snow'] });
    longer.searcher.index(tools);
    expect(await longer.find('light')).toEqual(['lamp', 'both']);
    expect(longer.kept()?.numbers).toHaveLength(12);

    const broken = { model: 'm', ids: ['lamp', 'post'], stamps: [], numbers: new Float32Array(3) };
    expect(create({ stored: broken }).searcher.toStored().ids).toEqual([]);
  });

  test('embeds tools in batches, stores each batch, and shares one run among all callers', async () => {
    const many = Array.from({ length: 20 }, (_, at) => spec(`tool_${at}`, 'light'));
    const counts: number[] = [];
    const searcher = createEmbeddingSearcher({
      model: 'm',
      stored: undefined,
      life: signal,
      embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
      onRead: () => void counts.push(searcher.toStored().ids.length),
    });
    searcher.index(many);
    const reading = searcher.read();
    expect(searcher.read()).toBe(reading);
    await reading;
    expect(counts).toEqual([8, 16, 20]);
  });

  test('embeds a tool again if the tool changed while it was being embedded', async () => {
    const readings: string[] = [];
    const { searcher } = create({
      embed: async (texts) => {
        readings.push(...texts);
        if (readings.length === 1) searcher.index([spec('lamp', 'new')]);
        return texts.map(() => Float32Array.of(1));
      },
    });
    searcher.index([spec('lamp', 'old')]);
    await searcher.read();
    expect(readings).toEqual(['lamp\nold', 'lamp\nnew']);
  });

  test('reports failures, stops on an abort, and can be retried', async () => {
    let isBroken = true;
    const { searcher } = create({
      embed: async (texts) => {
        if (isBroken) throw new Error('No memory.');
        return texts.map(() => Float32Array.of(1));
      },
    });
    searcher.index(tools);
    await expect(searcher.search('light', 1, signal)).rejects.toThrow('No memory.');
    const stopped = AbortSignal.abort(new Error('Stopped.'));
    await expect(searcher.search('light', 1, stopped)).rejects.toThrow('Stopped.');
    isBroken = false;
    await searcher.read();
    expect(searcher.isRead).toBe(true);
    await expect(create({ embed: async () => [] }).searcher.search('x', 1, signal)).rejects.toThrow();
  });
});

const ranking = (...names: string[]) => names.map((name) => ({ name, score: 1 }));
const names = (...rankings: ReturnType<typeof ranking>[]) => fuseRanks(...rankings).map(({ name }) => name);

test('merging one ranking of tools leaves it unchanged, and merging none gives no results', () => {
  expect(names(ranking('a', 'b', 'c'))).toEqual(['a', 'b', 'c']);
  expect(names()).toEqual([]);
  expect(names([], ranking('a'))).toEqual(['a']);
});

test('a tool that is in both rankings comes before the first tool of each', () => {
  expect(names(ranking('a', 'b'), ranking('c', 'b'))).toEqual(['b', 'a', 'c']);
});

test('tools with equal scores keep the order of the first ranking', () => {
  expect(names(ranking('a', 'b'), ranking('b', 'a'))).toEqual(['a', 'b']);
  expect(names(ranking('a'), ranking('b'))).toEqual(['a', 'b']);
});

test('merging rankings adds up scores that depend only on the ranks', () => {
  const [first] = fuseRanks([{ name: 'a' }], [{ name: 'b' }, { name: 'a' }]);
  expect(first).toEqual({ name: 'a', score: 1 / 61 + 1 / 62 });
});

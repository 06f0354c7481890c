/** The index for finding tools: it is stored between visits, and updated when the tools change. */
import { expect, test } from 'vitest';
import { createToolOffers } from '../../../src/app/tool-offers';
import type { Tool, ToolIndex, ToolSpec } from '../../../src/contracts/tool';
import { small as large } from '../../support/web-llm-model';

const spec = (name: string): ToolSpec => ({
  name,
  title: name,
  description: `The ${name} of the house.`,
  inputSchema: {},
});

function visit(
  kept: { index?: ToolIndex | undefined; writes: number },
  tools: ToolSpec[],
  mayKeep = () => true,
) {
  return createToolOffers({
    canStore: mayKeep,
    openEmbedder: () => ({ embed: async () => [], end: () => undefined }),
    readTools: async () => tools,
    kept: {
      load: async () => kept.index,
      save: async (index) => void ((kept.index = index), (kept.writes += 1)),
    },
    loadResult: async () => undefined,
    settings: () => ({ pins: { lamp: false, mail: true } }),
    pinnedAtFirst: new Set(['lamp', 'clock']),
    spec: () => large,
    isSmall: () => false,
  });
}

test('the search index of tools is stored again only after a tool has changed', async () => {
  const kept = { writes: 0 };
  const tools = [spec('lamp'), spec('mail')];
  expect((await visit(kept, tools).find('mail')).names).toEqual(['mail']);
  expect((await visit(kept, tools).find('mail')).names).toEqual(['mail']);
  expect(kept.writes).toBe(1);

  const third = visit(kept, tools);
  expect((await third.find('garden')).names).toEqual([]);
  tools.push(spec('garden'));
  expect((await third.find('garden')).names).toEqual([]);
  third.refresh();
  expect((await third.find('garden')).names).toEqual(['garden']);
  expect(kept.writes).toBe(2);
});

test('the search index of tools is not stored during a temporary chat', async () => {
  const kept = { writes: 0 };
  let mayKeep = false;
  const offers = visit(kept, [spec('lamp')], () => mayKeep);
  expect((await offers.find('lamp')).names).toEqual(['lamp']);
  expect(kept.writes).toBe(0);
  mayKeep = true;
  await offers.find('lamp');
  expect(kept.writes).toBe(1);
});

test('with many tools, only pinned tools and search matches are considered for a request', async () => {
  const tools = ['lamp', 'mail', ...Array.from({ length: 40 }, (_, at) => `thing_${at}`)].map(
    (name): Tool => ({
      ...spec(name),
      effects: () => ({ type: 'pure' }),
      execute: async () => ({ content: [], isError: false, origins: [{ door: 'hearth' }] }),
    }),
  );
  const offers = visit({ writes: 0 }, tools);
  const near = await offers.near('the lamp, please', tools);
  expect(near.map(({ name }) => name)).toEqual(['lamp', 'mail']);
  expect(await offers.near('the lamp, please', tools.slice(0, 24))).toHaveLength(24);
});

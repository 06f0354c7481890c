/** The find_tools tool. Its result describes tools that the prompt lacks: a change of the prompt would invalidate the engine's cache. */
import { z } from '../contracts/schema';
import { findToolsName } from '../contracts/tool-names';
import { type FoundTool, type Tool, type ToolSpec } from '../contracts/tool';
import { ToolError } from '../contracts/tool-failure';
import { neutralise } from '../text/neutralise';
import { defineTool } from './define-tool';

export interface FindToolsOptions {
  tools: readonly ToolSpec[];
  search: (
    query: string,
    limit: number,
    signal: AbortSignal,
  ) => readonly FoundTool[] | Promise<readonly FoundTool[]>;
  list: (tools: readonly ToolSpec[]) => string;
  /** Returns names of tools that the model already knows, from its list or an earlier result. */
  described: () => ReadonlySet<string>;
}

const maxSearches = 3;
const maxFoundTools = 5;
/** We drop hits that score less than this share of the best hit. */
const minScoreShare = 0.35;
/** Maximum characters of the descriptions in one result. We always describe the first tool. */
const maxDescriptionCharacters = 6000;

/** Create one per turn: it counts searches and describes each tool only once. */
export function createFindToolsTool({ tools, search, list, described }: FindToolsOptions): Tool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const describedHere = new Set<string>();
  let searches = 0;

  return defineTool({
    name: findToolsName,
    title: 'Find tools',
    description:
      'Finds more tools by what they do: there are many that are not listed here. Use it where a request needs a tool and none of the listed ones fits.',
    input: z.strictObject({
      query: z
        .string()
        .check(z.minLength(1), z.describe('What the tool must do, in a few words, such as "send an email"')),
    }),
    annotations: { readOnlyHint: true },
    examples: [
      { request: 'Will it rain in Oslo tomorrow?', arguments: { query: 'weather forecast' } },
      { request: '明天奥斯陆会下雨吗？', arguments: { query: '天气预报' } },
    ],
    isForLargerModels: true,
    async run({ query }, { signal }) {
      searches += 1;
      if (searches > maxSearches) {
        throw new ToolError(
          'search-limit',
          `Not searched: ${maxSearches} searches are the limit of a turn. Call one of the tools that were found, or answer without a tool.`,
        );
      }
      const last = searches === maxSearches ? ' This was the last search of this turn.' : '';
      const quotedQuery = `"${neutralise(query).slice(0, 80)}"`;
      const hits = await search(query, maxFoundTools, signal);
      const minScore = (hits[0]?.score ?? 0) * minScoreShare;
      const found = hits.flatMap(({ name, score }) => (score >= minScore ? (byName.get(name) ?? []) : []));
      if (found.length === 0) {
        const nearest = findNearestNames(query, [...byName.keys()]);
        const names = nearest.length > 0 ? ` The nearest by name: ${nearest.join(', ')}.` : '';
        const texts = `No tool found for ${quotedQuery}.${names} Answer without a tool.${last}`;
        return { texts, foundTools: [] };
      }
      const before = described();
      const isKnown = ({ name }: ToolSpec) => before.has(name) || describedHere.has(name);
      const known = found.filter(isKnown);
      const unknown = found.filter((tool) => !isKnown(tool));
      let count = unknown.length;
      while (count > 1 && list(unknown.slice(0, count)).length > maxDescriptionCharacters) count -= 1;
      const fresh = unknown.slice(0, count);
      for (const { name } of fresh) describedHere.add(name);
      const texts = [
        `${found.length === 1 ? '1 tool' : `${found.length} tools`} found for ${quotedQuery}: ${listNames(found)}. Call what fits.${last}`,
        ...(known.length > 0 ? [`Described before: ${listNames(known)}.`] : []),
        ...(fresh.length > 0 ? [list(fresh)] : []),
      ];
      return { texts: texts.join('\n'), foundTools: found.map(({ name }) => name) };
    },
  });
}

function listNames(tools: readonly ToolSpec[]): string {
  return tools.map(({ name }) => name).join(', ');
}

const maxNearestNames = 3;
const minNameSimilarity = 0.2;

function findNearestNames(query: string, names: readonly string[]): string[] {
  const wanted = letterPairsOf(query);
  return names
    .map((name) => ({ name, share: diceCoefficient(wanted, letterPairsOf(name)) }))
    .filter(({ share }) => share >= minNameSimilarity)
    .sort((left, right) => right.share - left.share)
    .slice(0, maxNearestNames)
    .map(({ name }) => name);
}

function letterPairsOf(text: string): Set<string> {
  const letters = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return new Set(letters.split('').flatMap((_, at) => (at === 0 ? [] : letters.slice(at - 1, at + 1))));
}

function diceCoefficient(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const both = [...left].filter((pair) => right.has(pair)).length;
  return left.size + right.size === 0 ? 0 : (2 * both) / (left.size + right.size);
}

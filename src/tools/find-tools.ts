/**
 * `find_tools`: how a model that is shown a few tools gets at the others. What it finds is described in the result, so the beginning
 * of the prompt stays as it is, and can be called from there on.
 */
import { z } from '../contracts/schema';
import { findToolsName, type FoundTool, type Tool, type ToolSpec } from '../contracts/tool';
import { ToolError } from '../contracts/tool-failure';
import { neutralise } from '../text/neutralise';
import { defineTool } from './define-tool';
import { nearestNames } from './tool-search/nearest-names';

export interface FindToolsParts {
  /** Those that are on. */
  tools: readonly ToolSpec[];
  /** Finds among them, best first. */
  search: (
    query: string,
    limit: number,
    signal: AbortSignal,
  ) => readonly FoundTool[] | Promise<readonly FoundTool[]>;
  /** Describes tools as the model's own list does. */
  list: (tools: readonly ToolSpec[]) => string;
  /** Names of tools that the model has before it, in its list or in a result of an earlier turn. */
  described: () => ReadonlySet<string>;
}

const mostSearches = 3;
const mostFound = 5;
/** Of the best hit's score: what has less is not meant. */
const leastShare = 0.35;
/** Of what one search describes. The first is described however long it is. */
const mostCharacters = 6000;

/** For one turn: it counts its searches, and describes each tool once. */
export function createFindTools({ tools, search, list, described }: FindToolsParts): Tool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  /** In this turn. */
  const shown = new Set<string>();
  let searches = 0;

  async function find(query: string, signal: AbortSignal): Promise<ToolSpec[]> {
    const hits = await search(query, mostFound, signal);
    const least = (hits[0]?.score ?? 0) * leastShare;
    return hits.flatMap(({ name, score }) => (score >= least ? (byName.get(name) ?? []) : []));
  }

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
      if (searches > mostSearches) {
        throw new ToolError(
          'search-limit',
          `Not searched: ${mostSearches} searches are the limit of a turn. Call one of the tools that were found, or answer without a tool.`,
        );
      }
      const last = searches === mostSearches ? ' This was the last search of this turn.' : '';
      const asked = `"${neutralise(query).slice(0, 80)}"`;
      const found = await find(query, signal);
      if (found.length === 0) {
        const nearest = nearestNames(query, [...byName.keys()]);
        const names = nearest.length > 0 ? ` The nearest by name: ${nearest.join(', ')}.` : '';
        return { texts: `No tool found for ${asked}.${names} Answer without a tool.${last}`, foundTools: [] };
      }
      const before = described();
      const isKnown = ({ name }: ToolSpec) => before.has(name) || shown.has(name);
      const known = found.filter(isKnown);
      const fresh = fitting(
        found.filter((tool) => !isKnown(tool)),
        list,
      );
      for (const { name } of fresh) shown.add(name);
      const texts = [
        `${found.length === 1 ? '1 tool' : `${found.length} tools`} found for ${asked}: ${namesOf(found)}. Call what fits.${last}`,
        ...(known.length > 0 ? [`Described before: ${namesOf(known)}.`] : []),
        ...(fresh.length > 0 ? [list(fresh)] : []),
      ];
      return { texts: texts.join('\n'), foundTools: found.map(({ name }) => name) };
    },
  });
}

function namesOf(tools: readonly ToolSpec[]): string {
  return tools.map(({ name }) => name).join(', ');
}

/** As many, from the first, as may be described at once. */
function fitting(tools: readonly ToolSpec[], list: FindToolsParts['list']): ToolSpec[] {
  const fits = (count: number) => list(tools.slice(0, count)).length <= mostCharacters;
  let count = tools.length;
  while (count > 1 && !fits(count)) count -= 1;
  return tools.slice(0, count);
}

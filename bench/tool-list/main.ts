/** Measures how long the list of tools makes the first prompt, with all enabled tools and with only those that a turn offers. */
import { makeExamCorpus } from '../tool-search/exam-corpus';
import type { Message } from '../../src/contracts/message';
import { specOf, type ToolSpec } from '../../src/contracts/tool';
import { chooseToolOffer, specsOf } from '../../src/agent/offer-tools';
import { dialectOf } from '../../src/protocol/dialects';
import { createFindToolsTool } from '../../src/tools/find-tools';
import { createBuiltinTools } from '../../src/tools/registry';
import { createLexicalSearcher } from '../../src/tools/tool-search/lexical';
import { builtinParts } from '../../test/support/outside';

export interface PromptRow {
  tools: number;
  /** Characters of the system text. */
  all: number;
  /** Median length of the first prompts of 100 questions, in characters. */
  listed: number;
  /** Median length of the results of 100 searches, in characters. */
  search: number;
}

const charactersPerToken = 4;

export async function measurePrompts(format: string, isSmall: boolean): Promise<PromptRow[]> {
  const builtIn = createBuiltinTools(builtinParts())
    .map(specOf)
    .filter(({ isForLargerModels, isCalledByPage }) => !(isSmall && (isForLargerModels || isCalledByPage)));
  const { tools: others, questions } = makeExamCorpus();
  const dialect = dialectOf(format);
  const lengthOf = (tools: readonly ToolSpec[]) => dialect.describe(tools).length;
  const measure = (_messages: readonly Message[], tools: readonly ToolSpec[]) =>
    Promise.resolve({
      promptTokens: lengthOf(tools) / charactersPerToken,
      limitTokens: 8192,
      droppedMessages: 0,
    });
  const pinned = new Set(builtIn.map(({ name }) => name));
  const rows: PromptRow[] = [];
  for (const count of [10, 100, 1000]) {
    const tools = [...builtIn, ...others].slice(0, count);
    const searcher = createLexicalSearcher();
    searcher.index(tools);
    const search = (query: string, limit: number) => searcher.search(query, limit);
    const find = () =>
      createFindToolsTool({ tools, search, list: (found) => dialect.list(found), described: () => pinned });
    const spec = { id: '', contextTokens: 8192 };
    const listFor = async (
      question: string,
    ): Promise<{ list: readonly ToolSpec[]; isSearching: boolean }> => {
      const finder = isSmall ? undefined : find();
      const messages = [
        {
          role: 'user' as const,
          content: [{ type: 'text' as const, text: question }],
          origins: [{ door: 'typed' as const }],
        },
      ];
      const offer = await chooseToolOffer(
        { spec, isSmall, tools, finder, messages, before: undefined, measure },
        { mode: 'when-needed', isPinned: (name) => pinned.has(name), search, needed: [] },
      );
      if (!offer) return { list: tools, isSearching: false };
      const chosen = specsOf(offer.listed, tools);
      return offer.finder === 'model' && finder
        ? { list: [finder, ...chosen], isSearching: true }
        : { list: chosen, isSearching: false };
    };
    const context = { signal: new AbortController().signal, onProgress: () => undefined };
    const listed: number[] = [];
    const searched: number[] = [];
    for (const { request } of questions.slice(0, 100)) {
      const { list, isSearching } = await listFor(request);
      listed.push(lengthOf(list));
      if (!isSearching) continue;
      const { content } = await find().execute({ query: request }, context);
      searched.push(content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0));
    }
    rows.push({
      tools: count,
      all: lengthOf(tools),
      listed: medianOf(listed),
      search: medianOf(searched),
    });
  }
  return rows;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** What the list of tools takes of the first prompt: all that are on, or the pinned ones, a search and what it finds. */
import { makeExamCorpus } from '../tool-search/exam-corpus';
import { specOf, type ToolSpec } from '../../src/contracts/tool';
import { likelyTools } from '../../src/agent/tool-offer/make-offer';
import { dialectOf } from '../../src/protocol/formats/registry';
import { createFindTools } from '../../src/tools/find-tools';
import { createBuiltinTools } from '../../src/tools/registry';
import { createLexicalSearcher } from '../../src/tools/tool-search/lexical';
import { builtinParts } from '../../test/support/outside';

export interface PromptRow {
  tools: number;
  /** Characters of the system text. */
  all: number;
  listed: number;
  /** Of the result of one search, the middle of 100. */
  search: number;
}

export async function measurePrompts(format: string, isSmall: boolean): Promise<PromptRow[]> {
  const builtIn = createBuiltinTools(builtinParts())
    .map(specOf)
    .filter(({ isForLargerModels, isCalledByPage }) => !(isSmall && (isForLargerModels || isCalledByPage)));
  const { tools: others, questions } = makeExamCorpus();
  const dialect = dialectOf(format);
  const lengthOf = (tools: readonly ToolSpec[]) => dialect.describe(tools, 'en').length;
  const pinned = new Set(builtIn.map(({ name }) => name));
  const rows: PromptRow[] = [];
  for (const count of [10, 100, 1000]) {
    const tools = [...builtIn, ...others].slice(0, count);
    const searcher = createLexicalSearcher();
    searcher.index(tools);
    const search = (query: string, limit: number) => searcher.search(query, limit);
    const find = () =>
      createFindTools({ tools, search, list: (found) => dialect.list(found), described: () => pinned });
    const spec = { id: '', isSmall, contextTokens: 8192 };
    const listed = likelyTools({ spec, tools, finder: find() }, (name) => pinned.has(name));
    const context = { signal: new AbortController().signal, onProgress: () => undefined };
    const lengths: number[] = [];
    for (const { request } of questions.slice(0, 100)) {
      const { content } = await find().execute({ query: request }, context);
      lengths.push(content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0));
    }
    lengths.sort((one, other) => one - other);
    const isSearching = !isSmall && listed.length < tools.length;
    rows.push({
      ...{ tools: count, all: lengthOf(tools), listed: lengthOf(listed) },
      search: isSearching ? (lengths[50] ?? 0) : 0,
    });
  }
  return rows;
}

/** Runs the exam and returns rows to print. */
import { createLexicalSearcher } from '../../src/tools/tool-search/lexical';
import { type Corpus, makeCorpus } from './corpus';
import { makeExamCorpus } from './exam-corpus';
import { examine, type Marks, miniSearch, ours, tunedBoost } from './measure';
import actions from './actions.txt?raw';
import thingsToTune from './things-tune.txt?raw';
import toolsToTune from './tools-tune.txt?raw';
import { tune } from './tune';

const searchers: Record<string, (tools: Corpus['tools']) => (query: string) => string[]> = {
  ours,
  'MiniSearch, as it comes': (tools) => miniSearch(tools),
  '… fields boosted': (tools) => miniSearch(tools, { boost: tunedBoost }),
  '… prefix and fuzzy too': (tools) => miniSearch(tools, { boost: tunedBoost, isLoose: true }),
  '… single characters too': (tools) => miniSearch(tools, { boost: tunedBoost, hasCharacters: true }),
};

export interface Row extends Marks {
  language: 'en' | 'zh';
  searcher: string;
}

/** `share`: the part of the questions to ask, evenly spread. */
export function runExam(now: () => number, share = 1): { tools: number; rows: Row[] } {
  const { tools, questions } = makeExamCorpus();
  const asked = questions.filter((_, at) => Math.floor(at * share) < Math.floor((at + 1) * share));
  const rows = (['en', 'zh'] as const).flatMap((language) =>
    Object.entries(searchers).map(([searcher, build]) => ({
      language,
      searcher,
      ...examine(
        build(tools),
        asked.filter((question) => question.language === language),
        now,
      ),
    })),
  );
  return { tools: tools.length, rows };
}

export interface Growth {
  tools: number;
  /** Milliseconds: of one search, and of CPU time to index all from nothing, to load all from storage, and to add one tool. */
  p50: number;
  p99: number;
  fromNothing: number;
  fromStore: number;
  oneMore: number;
}

/** `busy` returns milliseconds of CPU time, because other programs must not count in long tasks. */
export function measureGrowth(now: () => number, busy: () => number): Growth[] {
  const { tools, questions } = makeExamCorpus(9);
  return [1000, 3000, 10_000].map((count) => {
    const some = tools.slice(0, count);
    const { p50, p99 } = examine(ours(some), questions, now);
    const fromNothing = leastOf(7, busy, () => createLexicalSearcher().index(some));
    const before = createLexicalSearcher();
    before.index(some);
    const stored = before.toStored();
    const fromStore = leastOf(7, busy, () => createLexicalSearcher({ stored }).index(some));
    const [first] = some;
    const more = first ? [...some, { ...first, name: 'one_more' }] : some;
    const oneMore = leastOf(7, busy, () => createLexicalSearcher({ stored }).index(more));
    return { tools: some.length, p50, p99, fromNothing, fromStore, oneMore };
  });
}

export function runTuning(): ReturnType<typeof tune> {
  return tune(makeCorpus({ single: toolsToTune, things: thingsToTune, actions, wording: 'tune' }));
}

/** Returns the shortest of several times, because other programs can only make one longer. */
function leastOf(times: number, now: () => number, run: () => unknown): number {
  const taken = Array.from({ length: times }, () => {
    const begun = now();
    run();
    return now() - begun;
  });
  return Math.min(...taken);
}

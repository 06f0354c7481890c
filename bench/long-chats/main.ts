/**
 * Measures what a model has to read, and what its prompt still contains, in chats of forty turns: with turns dropped, as before, and with summaries.
 */
import { createCompactionStage } from '../../src/agent/compaction/compact';
import { summarizeByRule } from '../../src/agent/compaction/rule-summary';
import { findStatementAboutUser } from '../../src/ember/page-replies';
import type { Message, BranchSummary } from '../../src/contracts/message';
import type { ModelSpec, TextEngine } from '../../src/contracts/model';
import { specOf } from '../../src/contracts/tool';
import { readGguf } from '../../src/engines/gguf/header';
import { renderPrompt } from '../../src/engines/engine-parts';
import { createTokenCounter, type TokenCounter } from '../../src/engines/wllama/engine';
import { ember } from '../../src/ember/spec';
import { createChatModel } from '../../src/protocol/chat-model';
import { createBuiltinTools } from '../../src/tools/registry';
import { builtinParts } from '../../test/support/outside';
import { kinds, type Kind, type LongChat, makeChats, user } from './chats';
import { createPipeline } from '../../src/contracts/pipeline';

/** `dropping`: no summaries, as before. `rule`: the page writes them. `empty`: a model writes them without any fact, the worst case. */
export type Way = 'dropping' | 'rule' | 'empty';

export interface Row {
  window: number;
  way: Way;
  /** Means over all turns of all chats, in tokens: not in the cache, and in the prompt. `worst` is the most that a single turn had to read. */
  prefilled: number;
  prompt: number;
  worst: number;
  /** Also a mean: the tokens since the last reply, including that reply. No engine could read less. */
  fresh: number;
  /** Means per chat: turns in which the beginning of the prompt changed, and tokens read to write summaries. */
  steps: number;
  noted: number;
  /** Mean number of messages per chat that the prompt contains word for word at the end. */
  kept: number;
  /** The number of chats, by kind, whose fact is in the prompt of the forty-first turn. */
  recalled: Record<Kind, number>;
}

export interface Bench {
  chats: number;
  rows: Row[];
  /** The number of facts that the page finds in the whole chat when it answers for a very small model. */
  byPage: Record<Kind, number>;
}

/** `weights`: Ember's file, of which only the vocabulary is used. */
export async function runBench(weights: Blob): Promise<Bench> {
  const count = createTokenCounter((await readGguf(weights)).header);
  const chats = makeChats();
  const rows: Row[] = [];
  for (const window of [2048, 4096, 8192]) {
    // Ember is never asked for notes.
    const ways =
      window === ember.contextTokens
        ? (['dropping', 'rule'] as const)
        : (['dropping', 'rule', 'empty'] as const);
    for (const way of ways) rows.push(await measure(chats, window, way, count));
  }
  const byPage = countKinds(chats, ({ messages }, { question, answer }) =>
    (findStatementAboutUser([...messages, user(question)]) ?? '').includes(answer),
  );
  return { chats: chats.length, rows, byPage };
}

const emptyNotes =
  'The two of them talked about many things of the past, and about who had done what. Some questions are still open, and nothing was settled.';

async function measure(
  chats: readonly LongChat[],
  window: number,
  way: Way,
  count: TokenCounter,
): Promise<Row> {
  const runs: Awaited<ReturnType<typeof runChat>>[] = [];
  for (const chat of chats) runs.push(await runChat(chat, window, way, count));
  const all = runs.flatMap(({ turns }) => turns);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    window,
    way,
    prefilled: mean(all.map(({ prefilled }) => prefilled)),
    prompt: mean(all.map(({ prompt }) => prompt)),
    fresh: mean(all.map(({ fresh }) => fresh)),
    worst: Math.max(...all.map(({ prefilled }) => prefilled)),
    steps: mean(runs.map(({ steps }) => steps)),
    noted: mean(runs.map(({ noted }) => noted)),
    kept: mean(runs.map(({ kept }) => kept)),
    recalled: countKinds(chats, (chat, { answer }) => {
      return runs[chats.indexOf(chat)]?.last.includes(answer) ?? false;
    }),
  };
}

function countKinds(
  chats: readonly LongChat[],
  isRecalled: (chat: LongChat, fact: LongChat['facts'][number]) => boolean,
): Record<Kind, number> {
  const counted = kinds.map((kind) => {
    const right = chats.filter((chat) =>
      chat.facts.some((fact) => fact.kind === kind && isRecalled(chat, fact)),
    );
    return [kind, right.length] as const;
  });
  return Object.fromEntries(counted) as Record<Kind, number>;
}

/** Runs a chat as the app does: each turn has one or two rounds, and the engine caches what a prompt shares with the one before. */
async function runChat({ messages }: LongChat, window: number, way: Way, count: TokenCounter) {
  const spec = specFor(window);
  const engine = createRecorder(spec, way, count);
  const chat = createChatModel(engine.one, spec, () => 'id');
  const tools = toolsFor(spec);
  const turns: { prefilled: number; prompt: number; fresh: number }[] = [];
  let told = 0;
  let summary: BranchSummary | undefined;
  let kept = 0;
  const asked = [...messages, user('?')];
  for (const [length, message] of asked.entries()) {
    const isNext = asked[length + 1]?.role === 'assistant' || length === asked.length - 1;
    if (message.role === 'assistant' || !isNext) continue;
    const history: readonly Message[] = asked.slice(0, length + 1);
    const model =
      way === 'dropping'
        ? chat
        : createPipeline(chat, [
            createCompactionStage({
              spec: () => spec,
              isSmall: () => spec.isSmall === true,
              before: summary ? [summary] : [],
              newNonce: () => 'nonce',
            }),
          ]);
    const before = engine.read;
    const request = { messages: history, tools, toolChoice: 'auto' as const };
    for await (const event of model.respond(request, new AbortController().signal)) {
      if (event.type === 'summary') {
        summary = event.summary && { ...event.summary, messages: event.messages };
      }
      if (event.type === 'context') {
        const { droppedMessages, summedUpMessages = 0 } = event.context;
        kept = history.length - droppedMessages - summedUpMessages;
      }
    }
    if (message.role === 'user') turns.push({ prefilled: 0, prompt: 0, fresh: 0 });
    const turn = turns.at(-1);
    if (!turn) continue;
    turn.prefilled += engine.read - before;
    const all = await chat.measure(history.slice(told), []);
    turn.fresh += all.promptTokens;
    told = history.length;
    turn.prompt = engine.promptTokens;
  }
  return { turns, steps: engine.steps, noted: engine.noted, kept, last: engine.last };
}

/** Returns Ember for its own window, and for a larger window a model with a common prompt format. */
function specFor(window: number): ModelSpec {
  if (window === ember.contextTokens) return ember;
  return { ...ember, format: 'hermes', isSmall: false, contextTokens: window, maxReplyTokens: window / 8 };
}

function toolsFor({ isSmall }: ModelSpec) {
  return createBuiltinTools(builtinParts())
    .map(specOf)
    .filter(({ isForLargerModels, isCalledByPage }) => !(isSmall && (isForLargerModels || isCalledByPage)));
}

/** A fake engine that caches one conversation, and counts the tokens of each prompt that its cache lacks. */
function createRecorder(spec: ModelSpec, way: Way, count: TokenCounter) {
  let held = '';
  const state = { read: 0, noted: 0, steps: 0, promptTokens: 0, last: '' };
  const { before, after } = spec.template.user;
  const one: TextEngine = {
    load: () => Promise.resolve(),
    count: (messages) => Promise.resolve(messages.map(({ content }) => count(before + content + after))),
    // eslint-disable-next-line @typescript-eslint/require-await -- an engine's events come one by one.
    async *generate({ messages }) {
      const prompt = renderPrompt(messages, spec.template);
      const isNotes = /^(?:Stop here and write notes|请在此停下)/.test(messages.at(-1)?.content ?? '');
      let shared = 0;
      while (shared < held.length && held[shared] === prompt[shared]) shared++;
      const fresh = count(prompt.slice(shared));
      state.read += fresh;
      if (isNotes) state.noted += fresh;
      else {
        state.promptTokens = count(prompt);
        state.last = prompt;
        // More than the end of the conversation has changed.
        if (held !== '' && held.length - shared > mostReplaced) state.steps += 1;
      }
      held = isNotes ? held.slice(0, shared) + prompt.slice(shared) : prompt;
      const usage = { promptTokens: 0, prefilledTokens: fresh, outputTokens: 0 };
      if (isNotes && way === 'empty') yield { type: 'text-delta', text: emptyNotes };
      yield { type: 'finish', finishReason: 'stop', usage, prompt };
    },
  };
  return Object.assign(state, { one });
}

/** Maximum characters that may change at the end of a prompt: the header of the reply, which moves when the reply is added. */
const mostReplaced = 40;

/** Returns a summary by the rule, as an example of its length and content. */
export function exampleOf(): string {
  return summarizeByRule(makeChats()[0]?.messages.slice(0, 60) ?? [], 800);
}

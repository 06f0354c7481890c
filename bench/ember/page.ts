/** Asks the real engine the questions of Ember's evaluation, with the app's own prompt and reader. Driven by `run.js`. */
import { findArgumentsIn, isGroundedCall, createPageStage } from '../../src/ember/page-stage';
import type { AssistantMessage, CertaintyThresholds } from '../../src/contracts/message';
import type { ModelSpec, Sampling } from '../../src/contracts/model';
import { createToolListStage } from '../../src/agent/offer-tools';
import { specOf, type ToolSpec } from '../../src/contracts/tool';
import { ember } from '../../src/ember/spec';
import { createLlama } from '../../src/engines/llama/engine';
import { createChatModel } from '../../src/protocol/chat-model';
import { readPlainCalls, runPureCall, wouldSucceed } from '../../src/ember/plain-calls';
import { createBuiltinTools } from '../../src/tools/registry';
import { createLexicalSearcher } from '../../src/tools/tool-search/lexical';
import { builtinParts } from '../../test/support/outside';
import { loadPlaces } from '../../test/support/small-model';
import { type Case, messagesOf, toolsOf, type WrittenCall } from './cases';
import { isRight } from './score';
import { createPipeline } from '../../src/contracts/pipeline';

const never = new AbortController().signal;
const builtIn = createBuiltinTools(builtinParts());
const own = builtIn.map(specOf);
const engine = createLlama();
let model: ReturnType<typeof createChatModel> | undefined;
let spec: ModelSpec | undefined;

/** Loads the model and returns the milliseconds. `changed` is what other weights need in the spec. */
async function load(changed: Partial<ModelSpec>): Promise<number> {
  spec = { ...ember, ...changed };
  const file = { ...spec.file, path: new URL(spec.file.path, document.baseURI).href };
  const start = performance.now();
  await engine.load({ ...spec, file }, { signal: never, onProgress: () => undefined });
  model = createChatModel(engine, spec, () => crypto.randomUUID());
  return performance.now() - start;
}

interface AskOptions {
  /** Tools that are on besides those of the case. The page then shows the model only a few of all, as in the app. */
  others?: readonly ToolSpec[];
  /** Defaults to the sampling of the model. */
  sampling?: Sampling;
}

async function ask(given: Case, { others = [], sampling }: AskOptions = {}) {
  if (!model || !spec) throw new Error('No model is loaded.');
  const tools = [...toolsOf(given, own), ...others];
  const messages = messagesOf(given, tools);
  const copied = spec.isSmall ? findArgumentsIn(messages, tools) : undefined;
  const request = { messages, tools, toolChoice: 'auto' as const, copied, ...(sampling && { sampling }) };
  const shown = others.length > 0 ? offer(model, spec, tools) : model;
  for await (const event of shown.respond(request, never)) {
    if (event.type !== 'finish') continue;
    const { content, raw = event.message.errorMessage ?? '' } = event.message;
    const written = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
    const reply = {
      calls: written.map(({ name, arguments: input }) => ({ name, arguments: input })),
      hasInvalid: content.some(({ type }) => type === 'invalid-tool-call'),
      text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    };
    const isShown = written.every((call) => isGroundedCall(call, messages));
    return { ...reply, raw, isShown, isRight: isRight(given, reply), usage: event.usage };
  }
  throw new Error(`${given.id}: no end.`);
}

/** The tools of the app that are pinned unless the user unpins them. */
const pinned = new Set(own.flatMap(({ name, isCalledByPage }) => (isCalledByPage ? [] : [name])));

function offer(chatModel: NonNullable<typeof model>, asked: ModelSpec, tools: readonly ToolSpec[]) {
  const searcher = createLexicalSearcher();
  searcher.index(tools);
  return createPipeline(chatModel, [
    createToolListStage({
      spec: () => asked,
      isSmall: () => asked.isSmall === true,
      search: searcher.search,
      isPinned: (name) => pinned.has(name),
      mode: 'when-needed',
      needed: [],
      before: undefined,
    }),
  ]);
}

/**
 * Asks as the app does in a chat, with a user who knows what is meant: the page makes calls that it can read itself, and offers readings if the model
 * is not sure. `readings` is the number of readings that the user was shown, or 0 if the user was not asked.
 */
async function askAsApp(given: Case, thresholds: CertaintyThresholds) {
  if (!model) throw new Error('No model is loaded.');
  const tools = toolsOf(given, own);
  const messages = messagesOf(given, tools);
  const offered = builtIn.filter(({ name }) => given.tools.includes(name));
  const callsOf = ({ content }: Pick<AssistantMessage, 'content'>) =>
    content.flatMap((part) =>
      part.type === 'tool-call' ? [{ name: part.name, arguments: part.arguments }] : [],
    );
  let readings = 0;
  let isAmong = false;
  const page = { text: 'From the page.', suggestions: [] };
  const spoken = createPipeline(model, [
    createPageStage({
      isSmall: () => true,
      calls: await readPlainCalls(messages, offered, never, loadPlaces),
      reply: () => page,
      rephrase: () => page,
      answer: () => undefined,
      fails: async (call) => !(await wouldSucceed(call, offered, never)),
      hasToolsOff: false,
      newId: () => crypto.randomUUID(),
      doubt: {
        by: 'person',
        thresholds: () => thresholds,
        tryOut: (call) => runPureCall(call, offered, never),
        // The tools of the evaluation set that are not the app's affect nothing.
        staysHere: ({ name }) => name !== 'web_search' && name !== 'fetch_page',
        choose(shown) {
          readings = shown.length;
          const place = shown.findIndex(({ message }) =>
            isRight(given, { calls: callsOf(message), hasInvalid: false, text: '' }),
          );
          isAmong = place >= 0;
          return Promise.resolve(isAmong ? place : undefined);
        },
      },
    }),
  ]);
  for await (const event of spoken.respond({ messages, tools, toolChoice: 'auto' }, never)) {
    if (event.type !== 'finish') continue;
    const { content } = event.message;
    const reply = {
      calls: callsOf(event.message),
      hasInvalid: content.some(({ type }) => type === 'invalid-tool-call'),
      text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    };
    return { ...reply, readings, isAmong, isRight: isRight(given, reply) };
  }
  throw new Error(`${given.id}: no end.`);
}

/** Whether these calls, without any text, are what the case expects. */
function judge(given: Case, calls: readonly WrittenCall[]): boolean {
  return isRight(given, { calls, hasInvalid: false, text: calls.length === 0 ? 'words' : '' });
}

Object.assign(window, { load, ask, askAsApp, judge });

/**
 * Asks as the app does: the page first makes the calls that it can read itself, then the real engine replies, then the page checks that reply. Driven
 * by `run.js`.
 */
import { answerFromResults } from '../../src/ember/tell-results';
import { createPageStage } from '../../src/ember/page-stage';
import { replyWithoutCall, replyToSmallTalk } from '../../src/ember/page-replies';
import type { Message } from '../../src/contracts/message';
import { ember } from '../../src/ember/spec';
import { createLlama } from '../../src/engines/llama/engine';
import { createChatModel } from '../../src/protocol/chat-model';
import { calculate } from '../../src/tools/builtin/calculator/calculate';
import { readPlainCalls, isPlaceMissing, wouldSucceed } from '../../src/ember/plain-calls';
import { createBuiltinTools } from '../../src/tools/registry';
import { builtinParts } from '../../test/support/outside';
import { loadPlaces } from '../../test/support/small-model';
import { writeRequests } from './sums';
import { neverInDoubt } from '../../test/support/never-in-doubt';
import { createPipeline } from '../../src/contracts/pipeline';

const never = new AbortController().signal;
/** The tools that are on in a new chat. */
const tools = createBuiltinTools(builtinParts()).filter(({ isForLargerModels }) => !isForLargerModels);
const listed = tools.filter(({ isCalledByPage }) => !isCalledByPage).map(({ name }) => name);
const engine = createLlama();
let model: ReturnType<typeof createChatModel> | undefined;

async function load(): Promise<void> {
  const file = { ...ember.file, path: new URL(ember.file.path, document.baseURI).href };
  await engine.load({ ...ember, file }, { signal: never, onProgress: () => undefined });
  model = createChatModel(engine, ember, () => crypto.randomUUID());
}

/** Asks as the first message of a chat. Returns the called tools, the calculator's expression, and whether the page or the model read the request. */
async function ask(text: string) {
  if (!model) throw new Error('No model is loaded.');
  const messages: Message[] = [
    { role: 'user', content: [{ type: 'text', text }], origins: [{ door: 'typed' }] },
  ];
  const speaking = { modelName: 'Ember', tools, language: 'en' as const };
  const calls = await readPlainCalls(messages, tools, never, loadPlaces);
  const isTalk =
    !calls && ((await isPlaceMissing(messages, tools, loadPlaces)) || replyToSmallTalk(messages, speaking));
  if (isTalk) return { by: 'page', called: [], expression: undefined };
  const speaker = createPipeline(model, [
    createPageStage({
      isSmall: () => true,
      calls,
      reply: (asked) => replyWithoutCall(asked, speaking),
      answer: (asked) => answerFromResults(asked, speaking.language),
      fails: async (call, stop) => !(await wouldSucceed(call, tools, stop)),
      hasToolsOff: false,
      newId: () => 'new',
      rephrase: () => ({ text: '', suggestions: [] }),
      doubt: neverInDoubt,
    }),
  ]);
  for await (const event of speaker.respond({ messages, tools, listed, toolChoice: 'auto' }, never)) {
    if (event.type !== 'finish') continue;
    const called = event.message.content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
    const sum = called.find(({ name }) => name === 'calculator')?.arguments['expression'];
    return {
      by: calls ? 'page' : 'model',
      logProbability: event.usage.logProbability,
      called: called.map(({ name }) => name),
      expression: typeof sum === 'string' ? sum : undefined,
    };
  }
  throw new Error(`No end of: ${text}`);
}

/** Returns the values of both sums, or undefined if either is not a sum. */
function valuesOf(...sums: string[]): string[] | undefined {
  const read = sums.map(calculate);
  return read.every(({ ok }) => ok) ? read.map((one) => (one.ok ? one.value : '')) : undefined;
}

Object.assign(window, { load, ask, valuesOf, writeRequests });

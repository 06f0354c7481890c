/** Asks the real engine what Ember's evaluation asks, with the app's own prompt and reader. Driven by `run.js`. */
import type { ModelSpec } from '../../src/contracts/model';
import { copiedCalls } from '../../src/agent/page-reply/copied-calls';
import { offerTools } from '../../src/agent/tool-offer/offer-tools';
import { specOf, type ToolSpec } from '../../src/contracts/tool';
import { models } from '../../src/engines/library/built-in';
import { createSmallLlama } from '../../src/engines/small-llama/engine';
import { createChatModel } from '../../src/protocol/chat-model';
import { createBuiltinTools } from '../../src/tools/registry';
import { createLexicalSearcher } from '../../src/tools/tool-search/lexical';
import { builtinParts } from '../../test/support/outside';
import { type Case, messagesOf, toolsOf } from './cases';
import { isRight } from './score';

const never = new AbortController().signal;
const own = createBuiltinTools(builtinParts()).map(specOf);
const engine = createSmallLlama();
let model: ReturnType<typeof createChatModel> | undefined;
let spec: ModelSpec | undefined;

/** Milliseconds. `changed` is what other weights need. */
async function load(changed: Partial<ModelSpec>): Promise<number> {
  const ember = models.find((known) => known.engine === 'small-llama');
  if (!ember) throw new Error('Ember is not in the catalog.');
  spec = { ...ember, ...changed };
  const file = { ...spec.file, path: new URL(spec.file.path, document.baseURI).href };
  const start = performance.now();
  await engine.load({ ...spec, file }, { signal: never, onProgress: () => undefined });
  model = createChatModel(engine, spec, () => crypto.randomUUID());
  return performance.now() - start;
}

/** With `others` on beside those of the case, of which the page then shows it a few, as in the app. */
async function ask(given: Case, others: readonly ToolSpec[] = []) {
  if (!model || !spec) throw new Error('No model is loaded.');
  const tools = [...toolsOf(given, own), ...others];
  const messages = messagesOf(given, tools);
  const copied = spec.isSmall ? copiedCalls(messages, tools) : undefined;
  const request = { messages, tools, toolChoice: 'auto' as const, copied };
  const shown = others.length > 0 ? offer(model, spec, tools) : model;
  for await (const event of shown.respond(request, never)) {
    if (event.type !== 'finish') continue;
    const { content, raw = event.message.errorMessage ?? '' } = event.message;
    const reply = {
      calls: content.flatMap((part) =>
        part.type === 'tool-call' ? [{ name: part.name, arguments: part.arguments }] : [],
      ),
      hasInvalid: content.some(({ type }) => type === 'invalid-tool-call'),
      text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    };
    return { ...reply, raw, isRight: isRight(given, reply), usage: event.usage };
  }
  throw new Error(`${given.id}: no end.`);
}

/** What the app's own tools are pinned by until a person lets them go. */
const pinned = new Set(own.flatMap(({ name, isCalledByPage }) => (isCalledByPage ? [] : [name])));

function offer(chatModel: NonNullable<typeof model>, asked: ModelSpec, tools: readonly ToolSpec[]) {
  const searcher = createLexicalSearcher();
  searcher.index(tools);
  return offerTools(chatModel, {
    ...{ spec: () => asked, search: searcher.search, isPinned: (name) => pinned.has(name) },
    ...{ mode: 'when-needed', needed: [], before: undefined },
  });
}

Object.assign(window, { load, ask });

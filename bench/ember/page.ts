/** Asks the real engine what Ember's evaluation asks, with the app's own prompt and reader. Driven by `run.js`. */
import type { ModelSpec } from '../../src/contracts/model';
import { specOf } from '../../src/contracts/tool';
import { models } from '../../src/engines/library/built-in';
import { createSmallLlama } from '../../src/engines/small-llama/engine';
import { createChatModel } from '../../src/protocol/chat-model';
import { createBuiltinTools } from '../../src/tools/registry';
import { builtinParts } from '../../test/support/outside';
import { type Case, messagesOf, toolsOf } from './cases';
import { isRight } from './score';

const never = new AbortController().signal;
const own = createBuiltinTools(builtinParts()).map(specOf);
const engine = createSmallLlama();
let model: ReturnType<typeof createChatModel> | undefined;

/** Milliseconds. `changed` is what other weights need. */
async function load(changed: Partial<ModelSpec>): Promise<number> {
  const ember = models.find((known) => known.engine === 'small-llama');
  if (!ember) throw new Error('Ember is not in the catalog.');
  const spec = { ...ember, ...changed };
  const file = { ...spec.file, path: new URL(spec.file.path, document.baseURI).href };
  const start = performance.now();
  await engine.load({ ...spec, file }, { signal: never, onProgress: () => undefined });
  model = createChatModel(engine, spec, () => crypto.randomUUID());
  return performance.now() - start;
}

async function ask(given: Case) {
  if (!model) throw new Error('No model is loaded.');
  const tools = toolsOf(given, own);
  const request = { messages: messagesOf(given, tools), tools, toolChoice: 'auto' as const };
  for await (const event of model.respond(request, never)) {
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

Object.assign(window, { load, ask });

/** Asks the real engine, at a high temperature, for calls that a grammar constrains to a schema, and parses them. Driven by `run.js`. */
import { Validator } from '@cfworker/json-schema';
import { ember } from '../../src/ember/spec';
import { createLlama } from '../../src/engines/llama/engine';
import { createChatModel } from '../../src/protocol/chat-model';
import { schemas } from '../../test/fixtures/protocol/schemas';

const requests = ['What is 17 * 23?', '查一下今天的天气', 'Tell me a story about trains.', 'Do it, please.'];

const spec = {
  ...ember,
  file: { ...ember.file, path: new URL(ember.file.path, document.baseURI).href },
  sampling: { temperature: 1 },
};
const engine = createLlama();
await engine.load(spec, { signal: new AbortController().signal, onProgress: () => undefined });
const model = createChatModel(engine, spec, () => crypto.randomUUID());

/** Returns how many of `count` replies were a single valid call, the first reply that was not, and the tokens of all replies. */
async function ask(index: number, count: number) {
  const { name, schema } = schemas[index] ?? { name: '', schema: {} };
  const tool = { name: 'do_it', title: 'Do it', description: 'Does it.', inputSchema: schema };
  const validator = new Validator(schema);
  let fitting = 0;
  let tokens = 0;
  let failure: string | undefined;
  for (let run = 0; run < count; run++) {
    const text = requests[run % requests.length] ?? '';
    const request = {
      messages: [
        {
          role: 'user' as const,
          content: [{ type: 'text' as const, text }],
          origins: [{ door: 'typed' as const }],
        },
      ],
      tools: [tool],
      toolChoice: { name: tool.name },
    };
    for await (const event of model.respond(request, new AbortController().signal)) {
      if (event.type !== 'finish') continue;
      const [call, ...more] = event.message.content;
      tokens += event.usage.outputTokens;
      const fits =
        call?.type === 'tool-call' && more.length === 0 && validator.validate(call.arguments).valid;
      if (fits) fitting++;
      else
        failure ??= `${event.message.finishReason}: ${event.message.raw ?? ''} ${event.message.errorMessage ?? ''}`;
    }
  }
  return { name, fitting, tokens, failure };
}

Object.assign(window, { ask, schemaCount: schemas.length });

/** llama.cpp accepts the grammar of a JSON schema, and the model that ships obeys it. */
import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import type { ModelEvent, ModelSpec, TextDelta } from '../../src/contracts/model';
import { ember } from '../../src/ember/spec';
import { createLlama } from '../../src/engines/llama/engine';
import { createChatModel } from '../../src/protocol/chat-model';
import { constrainAnswer } from '../../src/protocol/constraint';
import { articleOutput } from '../fixtures/protocol/article';
import { collect } from '../support/collect';
import { slow } from '../support/matrix';

const never = new AbortController().signal;
const path = new URL(`/${ember.file.path}`, document.baseURI).href;
/**
 * Prompted like a larger model, which gets more time before it counts as repeating itself, because this one writes at length without
 * saying anything. The small context makes its texts end at their limits.
 */
const spec: ModelSpec = {
  ...ember,
  file: { ...ember.file, path },
  format: 'hermes',
  isSmall: false,
  contextTokens: 200,
};

describe('llama.cpp with a grammar', () => {
  async function load(changes: Partial<ModelSpec> = {}) {
    const engine = createLlama();
    const loaded = { ...spec, ...changes };
    await engine.load(loaded, { signal: never, onProgress: () => undefined });
    return { engine, model: createChatModel(engine, loaded, () => 'id') };
  }

  test('writes an article that fits the schema, even if the model alone would not', async () => {
    const { model } = await load();
    const messages = [
      {
        role: 'user' as const,
        content: [{ type: 'text' as const, text: 'Hello!' }],
        origins: [{ door: 'typed' as const }],
      },
    ];
    const request = { messages, tools: [], toolChoice: 'none' as const, answer: articleOutput };
    const { items } = await collect(model.respond(request, never) as AsyncGenerator<ModelEvent>);
    const finish = items.at(-1);
    if (finish?.type !== 'finish') throw new Error('no finish');
    expect(finish.usage.heldTo).toBe('answer');
    const [text, ...more] = finish.message.content;
    expect(more).toEqual([]);
    const value: unknown = JSON.parse(text?.type === 'text' ? text.text : '');
    expect(new Validator(articleOutput, '2020-12').validate(value)).toMatchObject({ valid: true });
  });

  slow('accepts the largest grammar that Hearth generates', async () => {
    const { engine } = await load({ contextTokens: 2048 });
    const request = {
      messages: [{ role: 'user' as const, content: 'Hello!' }],
      sampling: { temperature: 0 },
      maxTokens: 12,
      constraint: constrainAnswer(articleOutput, 100_000),
    };
    const { items } = await collect(engine.generate(request, never) as AsyncGenerator<TextDelta>);
    expect(items.at(-1)).toMatchObject({ type: 'finish', finishReason: 'length' });
    const text = items.map((item) => (item.type === 'text-delta' ? item.text : '')).join('');
    expect(text).toMatch(/^\{"title":"./);
  });
});

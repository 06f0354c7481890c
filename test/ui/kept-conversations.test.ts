/**
 * What llama.cpp reads again after another conversation, with the model that ships. This is the cost of a turn with agents.
 * `test/contract/web-llm-engine.test.ts` tests WebLLM. Why: docs/decisions/2026-11-25-agents-and-caches.md.
 */
import { expect } from 'vitest';
import type { Message } from '../../src/contracts/message';
import type { ModelSpec, PromptMessage, Usage } from '../../src/contracts/model';
import { ember } from '../../src/ember/spec';
import { createLlama } from '../../src/engines/llama/engine';
import { createChatModel } from '../../src/protocol/chat-model';
import { calculator } from '../fixtures/protocol/tools';
import { thorough, slow } from '../support/matrix';

const path = new URL(`/${ember.file.path}`, document.baseURI).href;
const spec: ModelSpec = { ...ember, file: { ...ember.file, path } };
const never = new AbortController().signal;

const system = (who: string): PromptMessage => ({
  role: 'system',
  content: `You are the ${who}. ${`The ${who} answers in plain words. `.repeat(4)}`,
});
const user = (content: string): PromptMessage => ({ role: 'user', content });

async function load(worthKeepingMs: number) {
  const engine = createLlama({ worthKeepingMs });
  await engine.load(spec, { signal: never, onProgress: () => undefined });
  return async (messages: readonly PromptMessage[]): Promise<{ text: string; usage: Usage }> => {
    let text = '';
    const request = { messages, sampling: { temperature: 0 }, maxTokens: 200 };
    for await (const delta of engine.generate(request, never)) {
      if (delta.type === 'text-delta') text += delta.text;
      else if (delta.type === 'server-wait') throw new Error('No server is asked.');
      else if (delta.type === 'prompt-progress') continue;
      else if (delta.finishReason === 'stop') return { text, usage: delta.usage };
      else throw new Error(`It ended with ${delta.finishReason}. ${delta.errorMessage ?? ''}`);
    }
    throw new Error('It ended without a finish.');
  };
}

/** Returns as `read` the number of tokens of the outer conversation that are read again after the others. */
async function readAfter(others: readonly string[], worthKeepingMs: number) {
  const ask = await load(worthKeepingMs);
  const outer = [system('host'), user('Hello, how are you today?')];
  const first = await ask(outer);
  for (const other of others) {
    const inner = [system(other), user('Hello, who are you?')];
    const reply = await ask(inner);
    await ask([...inner, { role: 'assistant', content: reply.text }, user('And what can you do?')]);
  }
  const next = await ask([...outer, { role: 'assistant', content: first.text }, user('And who are you?')]);
  return { read: next.usage.prefilledTokens, usage: next.usage };
}

slow('a conversation that took long to process stays in the cache during another conversation', async () => {
  const { read, usage } = await readAfter(['writer'], 0);
  expect(read).toBeLessThan(20);
  expect(usage.promptTokens).toBeGreaterThan(100);
});

thorough('a conversation that was quick to process is not cached and is processed again', async () => {
  const { read, usage } = await readAfter(['writer'], Infinity);
  expect(read).toBeGreaterThan(usage.promptTokens - 10);
});

slow('in a chat with a persona and a tool, each request to the model processes only new tokens', async () => {
  const engine = createLlama();
  await engine.load(spec, { signal: never, onProgress: () => undefined });
  const model = createChatModel(engine, spec, () => 'id');
  const asks = (text: string): Message => ({
    role: 'user',
    content: [{ type: 'text', text }],
    origins: [{ door: 'typed' }],
  });
  const result = (text: string): Message => ({
    role: 'tool',
    nonce: 'n0nce',
    results: [
      {
        toolCallId: 'id',
        toolName: 'calculator',
        content: [{ type: 'text', text }],
        isError: false,
        origins: [{ door: 'hearth' }],
      },
    ],
  });
  const messages: Message[] = [{ role: 'system', content: 'You are a playful companion by the fire.' }];
  const beyond: number[] = [];
  let held: number | undefined;
  for (const next of [asks('What is 17 * 23?'), result('391'), asks('And what is 6 * 7?'), result('42')]) {
    messages.push(next);
    const toolChoice = next.role === 'tool' ? ('none' as const) : { name: 'calculator' };
    const request = { messages: [...messages], tools: [calculator], toolChoice };
    for await (const event of model.respond(request, never)) {
      if (event.type !== 'finish') continue;
      const { promptTokens, prefilledTokens, outputTokens } = event.usage;
      if (held !== undefined) beyond.push(prefilledTokens - (promptTokens - held));
      held = promptTokens + outputTokens;
      messages.push(event.message);
    }
  }
  expect(beyond).toEqual([0, 0, 0]);
});

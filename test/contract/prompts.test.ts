/**
 * Checks what keeps every cache valid: a chat sent in parts, one new message per round, equals the whole chat rendered at once. Covers
 * every dialect in every template, both kinds of engine, and every model we offer.
 */
import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/contracts/message';
import type { ModelSpec, PromptMessage, TextEngine } from '../../src/contracts/model';
import { ember } from '../../src/ember/spec';
import { catalog } from '../../src/engines/library/catalog';
import {
  chatMl,
  gemma,
  gemma4,
  hermesChatMl,
  llama3,
  mistral,
  olderMistral,
  phi4,
} from '../../src/engines/library/templates';
import { specOf } from '../../src/engines/library/entry';
import { renderPrompt } from '../../src/engines/engine-parts';
import { renderMessages } from '../../src/engines/web-llm/conversation';
import { createChatModel } from '../../src/protocol/chat-model';
import { dialectOf, formatsWithDialect } from '../../src/protocol/dialects';
import { offered } from '../fixtures/protocol/tools';

const builtIn = ember;
const templates = {
  chatMl,
  hermesChatMl,
  llama3,
  phi4,
  gemma,
  gemma4,
  mistral,
  mistralInst: olderMistral,
  ember: builtIn.template,
};
const dialects = formatsWithDialect.map(({ id }) => id);
const results: readonly string[] = ['12:00 $$ $& <|im_end|><|end|>', '{"a": "</tool_call>"}'];
const neverAborts = new AbortController().signal;

const user = (text: string): Message => ({
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
      toolName: 'clock',
      content: [{ type: 'text', text }],
      isError: text.includes('$'),
      origins: [{ door: 'hearth' }],
    },
  ],
});

interface Step {
  request: readonly PromptMessage[];
  reply: string;
  /** The message after the reply. */
  next: Message | undefined;
}

/** Runs a turn of three rounds and a follow-up question through everything between the loop and the engine. */
async function converse(spec: ModelSpec): Promise<Step[]> {
  const call = dialectOf(spec.format).writeCall({ name: 'clock', arguments: {} });
  const replies = [call, `Wait. ${call}`, 'It is "late".', 'You are welcome.'];
  const steps: Step[] = [];
  const engine: TextEngine = {
    load: () => Promise.resolve(),
    count: (messages) => Promise.resolve(messages.map(() => 1)),
    async *generate({ messages }) {
      const reply = replies[steps.length] ?? '';
      steps.push({ request: messages, reply, next: undefined });
      yield { type: 'text-delta', text: reply };
      const usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 1 };
      yield { type: 'finish', finishReason: 'stop', usage, prompt: '' };
    },
  };
  const model = createChatModel(engine, spec, () => 'id');
  const messages: Message[] = [user('How late is it? $& <|im_end|> <tool_call>')];
  const nexts = [...results.map(result), user('Thank you')];
  for (const [round] of replies.entries()) {
    const request = { messages: [...messages], tools: offered, toolChoice: 'auto' as const };
    for await (const event of model.respond(request, neverAborts)) {
      if (event.type === 'finish') messages.push(event.message);
    }
    const next = nexts[round];
    if (!next) continue;
    messages.push(next);
    steps[round] = { ...steps[round]!, next };
  }
  return steps;
}

/** Returns the text between the end of one reply and the start of the next. */
function between(next: Message, { format, template }: ModelSpec): string {
  const dialect = dialectOf(format);
  const names = offered.map(({ name }) => name);
  const { assistant } = template;
  if (next.role === 'tool') {
    const { before, after } = template.tool;
    return assistant.after + before + dialect.writeResults(next, names) + after + assistant.before;
  }
  const { before, after } = template.user;
  return `${assistant.after}${before}Thank you${after}${assistant.before}`;
}

async function checkPrefixes(spec: ModelSpec): Promise<void> {
  const steps = await converse(spec);
  expect(steps).toHaveLength(4);
  let parts = renderPrompt(steps[0]!.request, spec.template);
  let held = renderMessages(steps[0]!.request, spec.template);
  for (const [round, { request, reply, next }] of steps.entries()) {
    // For an engine that takes text, the longest prefix that two prompts share is everything it has cached.
    expect(renderPrompt(request, spec.template)).toBe(parts);
    // For an engine that takes messages, all but the last equal those it has cached, and joined they are the same text.
    const rendered = renderMessages(request, spec.template);
    if (round > 0) {
      expect(rendered.slice(0, -1)).toEqual(held);
      expect(rendered.at(-1)?.role).toBe('user');
    }
    expect(rendered.map(({ content }) => content).join('')).toBe(parts);
    held = [...rendered, { role: 'assistant', content: reply }];
    if (next) parts += reply + between(next, spec);
  }
}

describe.for(dialects)('the prompt format %s', (format) => {
  test.for(Object.keys(templates) as (keyof typeof templates)[])(
    'each prompt continues the one before, with the template: %s',
    async (name) => {
      await checkPrefixes({ ...builtIn, format, template: templates[name], contextTokens: 8192 });
    },
  );
});

const offers = catalog.flatMap((entry) =>
  entry.variants.flatMap((variant) =>
    [true, false].map((isThinking) => ({
      name: `${variant.id}${isThinking ? ', thinking' : ''}`,
      spec: specOf(entry, variant, { contextTokens: 8192, isThinking }),
    })),
  ),
);

test.for([{ name: 'the shipped model', spec: builtIn }, ...offers])(
  'invariant: each prompt continues the one before, so the engine can reuse its cache: $name',
  async ({ spec }) => {
    await checkPrefixes(spec);
  },
);

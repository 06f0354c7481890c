import { describe, expect, test } from 'vitest';
import type { ImagePart, Message } from '../../../src/contracts/message';
import type { GenerateRequest, ReplyRequest, TextEngine } from '../../../src/contracts/model';
import { outsideOriginsIn } from '../../../src/contracts/provenance';
import { createChatModel } from '../../../src/protocol/chat-model';
import { readChatContext } from '../../../src/tools/permissions/context';
import { small as large } from '../../support/web-llm-model';

const image: ImagePart = { type: 'image', data: 'QUJD', mimeType: 'image/png' };
const pixels = { width: 600, height: 500 };
const tokens = 416;

const asked = (text: string, ...names: string[]): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  attached: names.map((name) => ({ fileId: `id of ${name}`, name, kind: 'picture', bytes: 9, pixels })),
  origins: [{ door: 'typed' }],
});
const answer: Message = { role: 'assistant', content: [], raw: 'Yes.', finishReason: 'stop' };

/** The prompt for a model where each character is one token. */
async function promptFor(
  messages: readonly Message[],
  {
    takesPictures = true,
    contextTokens = 20_000,
    pictures = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`id of ${name}`, image])),
  }: { takesPictures?: boolean; contextTokens?: number; pictures?: ReplyRequest['pictures'] } = {},
) {
  const requests: GenerateRequest[] = [];
  const engine: TextEngine = {
    takesPictures,
    load: async () => undefined,
    async *generate(request) {
      requests.push(request);
      const usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 1 };
      yield { type: 'finish', finishReason: 'stop', usage, prompt: '' };
    },
    count: async (all) => all.map(({ content }) => content.length),
  };
  const model = createChatModel(engine, { ...large, contextTokens, maxReplyTokens: 200 }, () => 'id');
  const request = { messages, tools: [], toolChoice: 'none' as const, pictures };
  for await (const event of model.respond(request, new AbortController().signal)) void event;
  return { prompt: requests[0]?.messages ?? [], use: await model.measure(messages, []) };
}

describe('pictures for a model that accepts them', () => {
  test('they are sent with their names, before the text', async () => {
    const { prompt } = await promptFor([asked('Which is older?', 'a', 'b')]);
    const label = (name: string) => ({ type: 'text', text: `The picture "${name}":` });
    expect(prompt).toEqual([
      {
        role: 'user',
        content: 'The picture "a":\n\nThe picture "b":\n\nWhich is older?',
        parts: {
          type: 'question',
          content: [label('a'), image, label('b'), image, { type: 'text', text: 'Which is older?' }],
          pictureTokens: 2 * tokens,
        },
      },
    ]);
  });

  test('they cost tokens according to their pixels, even before they are loaded', async () => {
    const bare = await promptFor([asked('What?')]);
    const { use } = await promptFor([asked('What?', 'a')]);
    expect(use.promptTokens - bare.use.promptTokens).toBe(tokens + 'The picture "a":\n\n'.length);
  });

  test('they are mentioned in the prompt if they are no longer stored', async () => {
    const { prompt } = await promptFor([asked('What?', 'gone')]);
    expect(prompt[0]?.parts).toBeUndefined();
    expect(prompt[0]?.content).toMatch(/picture "gone"\. It is not shown any more.*\n\nWhat\?$/);
  });

  test('they are dropped before messages, oldest first, if the context is full', async () => {
    const chat = ['a', 'b', 'c', 'd']
      .flatMap((name) => [asked(`What is in ${name}?`, name), answer])
      .slice(0, -1);
    const { prompt, use } = await promptFor(chat, { contextTokens: 200 + 2 * tokens + 500 });
    const told = prompt.filter(({ role }) => role === 'user');
    expect(told.map(({ parts }) => parts?.type)).toEqual([undefined, undefined, 'question', 'question']);
    expect(told[0]?.content).toMatch(/^\[The picture "a" was shown here.*\]\nWhat is in a\?$/);
    expect(use).toMatchObject({ droppedMessages: 0, maskedMessages: 4 });
  });
});

test('invariant: a model without vision is informed in words that there is a picture', async () => {
  const { prompt, use } = await promptFor([asked('What?', 'a')], { takesPictures: false });
  expect(prompt).toEqual([
    { role: 'user', content: expect.stringMatching(/you see no pictures.*\n\nWhat\?$/) },
  ]);
  expect(use.promptTokens).toBeLessThan(tokens);
});

test('control tokens in the name of a picture are made harmless', async () => {
  const { prompt } = await promptFor([asked('What?', '<|im_end|>"]\n[x')], { takesPictures: false });
  expect(prompt[0]?.content).not.toContain('<|im_end|>');
  expect(prompt[0]?.content.match(/[[\]]/g)).toHaveLength(2);
});

test('a picture counts as content from an outside source', () => {
  const chat = [asked('What?', 'a')];
  const file = { door: 'file', name: 'a' };
  expect(outsideOriginsIn(chat)).toEqual([file]);
  expect(readChatContext(chat).origins).toEqual([file]);
});

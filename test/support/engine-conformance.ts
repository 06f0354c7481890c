/**
 * The only conformance suite for engines, described in `docs/how-to/add-an-engine.md`. `test/contract/engine-conformance.test.ts` runs it
 * on engines that work in Node, `test/ui/engine-conformance.test.ts` on those that need a browser.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../src/contracts/app-error';
import type {
  ChatModel,
  GenerateRequest,
  LoadOptions,
  ModelSpec,
  PromptMessage,
  TextDelta,
  TextEngine,
} from '../../src/contracts/model';
import { createChatModel } from '../../src/protocol/chat-model';
import { collect } from './collect';

export interface EngineCase {
  name: string;
  /** Creates an engine that is not loaded yet. Once loaded, its model must answer every question with at least four tokens. */
  create: () => Promise<EngineUnderTest>;
  sees?: boolean;
  /** The engine can read the start of a prompt before the user asks. */
  readsAhead?: boolean;
  /** Tests that do not apply, and why. */
  skip?: Partial<Record<'cache' | 'length' | 'load', string>>;
}

interface EngineUnderTest {
  engine: TextEngine;
  spec: ModelSpec;
  /** Set if loading takes more than calling the engine. */
  load?: () => Promise<void>;
}

const neverAborts = new AbortController().signal;
const loading: LoadOptions = { signal: neverAborts, onProgress: () => undefined };
const system: PromptMessage = {
  role: 'system',
  content: `You are a friendly assistant. ${'Be brief. '.repeat(40)}`,
};
const user = (content: string): PromptMessage => ({ role: 'user', content });
const question = user('Hello, how are you today?');

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const shown: PromptMessage = {
  role: 'user',
  content: 'The picture "dot.png":\n\nWhat do you see?',
  parts: {
    type: 'question',
    content: [
      { type: 'text', text: 'The picture "dot.png":' },
      { type: 'image', data: picture, mimeType: 'image/png' },
      { type: 'text', text: 'What do you see?' },
    ],
    pictureTokens: 300,
  },
};

const textOf = (items: readonly TextDelta[]) =>
  items.map((item) => (item.type === 'text-delta' ? item.text : '')).join('');

export function holdEngine({ name, create, skip = {}, sees = false, readsAhead = false }: EngineCase): void {
  describe(name, () => {
    let engine: TextEngine;
    let spec: ModelSpec;
    beforeAll(async () => {
      const created = await create();
      ({ engine, spec } = created);
      await (created.load?.() ?? engine.load(spec, loading));
    });

    const start = (changed: Partial<GenerateRequest> = {}, signal = neverAborts) =>
      engine.generate(
        { messages: [system, question], sampling: { temperature: 0 }, maxTokens: 24, ...changed },
        signal,
      ) as AsyncGenerator<TextDelta>;

    /** Runs a whole reply, which must end with its only finish. */
    async function ask(changed: Partial<GenerateRequest> = {}, signal = neverAborts) {
      const { items } = await collect(start(changed, signal));
      const finish = items.at(-1);
      expect(items.filter(({ type }) => type === 'finish')).toEqual([finish]);
      if (finish?.type !== 'finish') throw new Error('It ended without a finish.');
      return { finish, text: textOf(items), pieces: items.length - 1 };
    }

    /** Checks that nothing remains of earlier requests. */
    async function answersOn() {
      const { finish, text } = await ask();
      expect(text).not.toBe('');
      expect(['stop', 'length']).toContain(finish.finishReason);
    }

    test('a reply consists of text pieces and one finish event with its token counts and prompt', async () => {
      const { finish, text, pieces } = await ask();
      expect(pieces).toBeGreaterThan(2);
      expect(text).not.toBe('');
      const { promptTokens, prefilledTokens, outputTokens } = finish.usage;
      expect(outputTokens).toBeGreaterThan(2);
      expect(promptTokens).toBeGreaterThan(0);
      expect(prefilledTokens).toBeGreaterThan(0);
      expect(prefilledTokens).toBeLessThanOrEqual(promptTokens);
      for (const { content } of [system, question]) expect(finish.prompt).toContain(content);
    });

    test.skipIf(skip.length)('a reply ends at its token limit', async () => {
      const { finish, text } = await ask({ maxTokens: 2 });
      expect(finish.finishReason).toBe('length');
      expect(finish.usage.outputTokens).toBe(2);
      expect(text).not.toBe('');
    });

    test('a reply stopped before it starts consists only of a finish event', async () => {
      const { finish, text } = await ask({}, AbortSignal.abort());
      expect([finish.finishReason, text]).toEqual(['aborted', '']);
      await answersOn();
    });

    test('a reply stopped while the prompt is read has at most one text piece and a finish event', async () => {
      const stop = new AbortController();
      const reply = start(
        { messages: [system, user(`${question.content} ${'And you? '.repeat(20)}`)] },
        stop.signal,
      );
      const first = reply.next();
      stop.abort();
      const { items } = await collect(reply);
      const all = [(await first).value as TextDelta, ...items];
      expect(all.length).toBeLessThanOrEqual(2);
      expect(all.at(-1)).toMatchObject({ type: 'finish', finishReason: 'aborted' });
      await answersOn();
    });

    test('a reply stopped midway keeps its text so far and has a finish event', async () => {
      const stop = new AbortController();
      const reply = start({}, stop.signal);
      const first = (await reply.next()).value as TextDelta;
      expect(first.type).toBe('text-delta');
      stop.abort();
      const { items } = await collect(reply);
      expect(items.length).toBeLessThanOrEqual(2);
      expect(items.at(-1)).toMatchObject({ type: 'finish', finishReason: 'aborted' });
      await answersOn();
    });

    test('a reply that the app stops reading midway does not block the next reply', async () => {
      for await (const { type } of start()) if (type === 'text-delta') break;
      await answersOn();
    });

    test('the counted size of messages is never lower than their number of tokens in the prompt', async () => {
      const messages = [system, question, user('')];
      const counts = await engine.count(messages);
      expect(counts).toHaveLength(3);
      const [long = 0, short = 0, empty = 0] = counts;
      expect(long).toBeGreaterThan(short);
      expect(short).toBeGreaterThan(empty);
      const { finish } = await ask();
      const [header = 0] = await engine.count([{ role: 'assistant', content: '' }]);
      expect(finish.usage.promptTokens).toBeLessThanOrEqual(long + short + header);
    });

    test.skipIf(skip.cache)(
      'for the next question, the engine reads only the new part of the prompt',
      async () => {
        // Long enough for the reply to end by itself, because engines may cache a reply that was cut off differently.
        const first = await ask({ maxTokens: 400 });
        expect(first.finish.finishReason).toBe('stop');
        const reply: PromptMessage = { role: 'assistant', content: first.text };
        const next = await ask({ messages: [system, question, reply, user('And who are you?')] });
        const held = first.finish.usage.promptTokens + first.finish.usage.outputTokens;
        const fresh = next.finish.usage.promptTokens - held;
        expect(fresh).toBeGreaterThan(0);
        // Some engines count the token that ended the reply, but none caches it.
        expect(Math.abs(next.finish.usage.prefilledTokens - fresh)).toBeLessThanOrEqual(2);
        expect(next.finish.usage.prefilledTokens).toBeLessThan(next.finish.usage.promptTokens / 2);
      },
    );

    test.runIf(readsAhead)(
      'the engine can read a prompt in advance, and later reads only the question',
      async () => {
        const other: PromptMessage = {
          role: 'system',
          content: `You are a pirate. ${'Be loud. '.repeat(40)}`,
        };
        const ahead = await ask({ messages: [other], maxTokens: 0, onlyRead: true });
        expect([ahead.finish.finishReason, ahead.text]).toEqual(['stop', '']);
        expect(ahead.finish.usage.outputTokens).toBe(0);
        expect(ahead.finish.prompt).toContain(other.content);
        const { finish, text } = await ask({ messages: [other, question] });
        expect(text).not.toBe('');
        expect(finish.prompt.startsWith(ahead.finish.prompt)).toBe(true);
        const { promptTokens, prefilledTokens } = finish.usage;
        expect(prefilledTokens).toBe(promptTokens - ahead.finish.usage.promptTokens);
      },
    );

    test.runIf(readsAhead)(
      'stopping a prompt that is read in advance gives a finish event and no text',
      async () => {
        const stop = new AbortController();
        const reply = start({ messages: [user('And you? '.repeat(40))], onlyRead: true }, stop.signal);
        const first = reply.next();
        stop.abort();
        const { items } = await collect(reply);
        const all = [(await first).value as TextDelta, ...items];
        expect(textOf(all)).toBe('');
        expect(all.at(-1)).toMatchObject({ type: 'finish', finishReason: 'aborted' });
        await answersOn();
      },
    );

    test('the engine continues an unfinished assistant message', async () => {
      const { finish } = await ask({ messages: [system, question, { role: 'assistant', content: 'I am' }] });
      expect(finish.finishReason).not.toBe('error');
      expect(finish.prompt.indexOf('I am')).toBeGreaterThan(finish.prompt.indexOf(question.content));
    });

    test('the engine reports whether its model accepts pictures', () => {
      expect(engine.takesPictures ?? false).toBe(sees);
    });

    test.runIf(sees)(
      'a picture is sent with its question, but left out of the displayed prompt',
      async () => {
        const { finish, text } = await ask({ messages: [system, shown] });
        expect(finish.finishReason).not.toBe('error');
        expect(text).not.toBe('');
        expect(finish.prompt).toContain('What do you see?');
        expect(finish.prompt).not.toContain(picture.slice(30));
        const bare = await ask({ messages: [system, user(shown.content)] });
        expect(finish.usage.promptTokens).toBeGreaterThan(bare.finish.usage.promptTokens);
      },
    );

    test('a request before the model has loaded is rejected', async () => {
      const bare = (await create()).engine;
      const crashed = { code: 'engine-crashed' };
      await expect(bare.count([question])).rejects.toMatchObject(crashed);
      const request = { messages: [question], sampling: { temperature: 0 }, maxTokens: 2 };
      const reply = bare.generate(request, neverAborts) as AsyncGenerator<TextDelta>;
      await expect(collect(reply)).rejects.toMatchObject(crashed);
    });

    test.skipIf(skip.load)('loading a missing model fails with an error code', async () => {
      const bare = await create();
      const missing = { ...bare.spec, file: { ...bare.spec.file, path: `${bare.spec.file.path}.missing` } };
      const mlc = missing.mlc && { ...missing.mlc, modelUrl: `${missing.mlc.modelUrl}-missing` };
      const failed = bare.engine.load({ ...missing, ...(mlc && { mlc }) }, loading);
      await expect(failed).rejects.toBeInstanceOf(AppError);
    });

    describe('the engine in a chat with tools', () => {
      let model: ChatModel;
      beforeAll(() => {
        model = createChatModel(engine, spec, () => 'id');
      });
      const messages = [
        {
          role: 'user' as const,
          content: [{ type: 'text' as const, text: question.content }],
          origins: [{ door: 'typed' as const }],
        },
      ];
      const respond = (signal: AbortSignal) =>
        model.respond({ messages, tools: [], toolChoice: 'auto' }, signal);

      test('a reply ends with one finish event that contains the displayed text', async () => {
        let shown = '';
        const finishes = [];
        for await (const event of respond(neverAborts)) {
          expect(finishes).toEqual([]);
          if (event.type === 'text-delta') shown += event.text;
          if (event.type === 'finish') finishes.push(event);
        }
        expect(shown).not.toBe('');
        expect(finishes).toMatchObject([{ message: { role: 'assistant', writer: spec.id } }]);
        expect(finishes[0]?.message.content).toEqual([{ type: 'text', text: shown }]);
        const { promptTokens } = await model.measure(messages, []);
        expect(promptTokens).toBeGreaterThan(0);
      });

      test('a reply stopped in the middle keeps the displayed text', async () => {
        const stop = new AbortController();
        let shown = '';
        let last;
        for await (const event of respond(stop.signal)) {
          if (event.type === 'text-delta') {
            shown += event.text;
            stop.abort();
          }
          last = event;
        }
        expect(last).toMatchObject({
          type: 'finish',
          message: { finishReason: 'aborted', content: [{ type: 'text', text: shown }] },
        });
        await answersOn();
      });
    });
  });
}

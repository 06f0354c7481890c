import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { ModelName, ModelPlace } from '../../src/contracts/model-library';
import type { ModelPhase } from '../../src/state/model-status.svelte';
import { tokensPerSecondOf } from '../../src/ui/chat/speed';
import { show } from './show';
import { usage } from './script';
import { text, Told } from './told';
import { slow } from '../support/matrix';

const progress = { step: 'weights' as const, loadedBytes: 2_600_000, totalBytes: 6_200_000 };

describe('the model status line', () => {
  test('shows which model runs, where, and how fast', async () => {
    const { app, screen } = await show();
    await expect.element(screen.getByText(/Ember.*on this CPU.*ready/).first()).toBeVisible();
    app.model.usage = usage;
    await expect.element(screen.getByText('210 tokens/s')).toBeVisible();
  });

  slow('shows loading progress in bytes and can cancel loading', async () => {
    const { app, calls, screen } = await show();
    app.model.phase = { type: 'loading', progress };
    await expect.element(screen.getByText('2.6 MB of 6.2 MB')).toBeVisible();
    await screen.getByRole('button', { name: 'Cancel' }).click();
    expect(calls).toEqual([['cancel']]);
    app.model.phase = { type: 'idle' };
    await expect.element(screen.getByText('not started')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Cancel' })).not.toBeInTheDocument();
  });
});

describe('the header and the empty chat', () => {
  const model = (name: string, place: ModelPlace, changed: Partial<ModelName> = {}): ModelName => ({
    id: name,
    name,
    engine: 'web-llm',
    place,
    bytes: 1,
    ...changed,
  });
  const ember = model('Ember', 'processor', { engine: 'llama', isSmall: true });
  const models = [
    { shown: ember, header: 'on this CPU', sentence: /a small model, answers in this tab/ },
    { shown: model('Large', 'gpu'), header: 'on this GPU', sentence: /answers on this device/ },
    { shown: model('Browser’s', 'browser'), header: 'in this browser', sentence: /answers on this device/ },
    {
      shown: model('Mine', 'loopback'),
      header: 'on this device’s server',
      sentence: /answers on this device/,
    },
    {
      shown: model('Ours', 'network'),
      header: 'on your network',
      sentence: /leaves this device, for the server of Ours/,
    },
    {
      shown: model('Theirs', 'elsewhere'),
      header: 'leaves this device',
      sentence: /leaves this device, for the server of Theirs/,
    },
  ];
  /** `isOver`: no model answers, so the empty chat says nothing about one. */
  const phases: { phase: ModelPhase; header: string; isOver?: true }[] = [
    { phase: { type: 'idle' }, header: 'not started' },
    { phase: { type: 'loading' }, header: 'starting' },
    { phase: { type: 'ready' }, header: 'ready' },
    {
      phase: { type: 'failed', code: 'gpu-missing', detail: '' },
      header: 'did not start',
      isOver: true,
    },
    {
      phase: { type: 'failed', code: 'gpu-lost', detail: '', isLost: true },
      header: 'stopped',
      isOver: true,
    },
  ];
  const step = {
    rung: 'built-in',
    fault: 'gpu-lost',
    detail: '',
    from: '',
    to: '',
    contextTokens: 1,
  } as const;

  test.for(
    models.flatMap((answering) => [
      { ...answering, fallback: 'none', chosen: answering.shown },
      { ...answering, fallback: 'another model', chosen: model('Chosen', 'gpu') },
      { ...answering, fallback: 'its variant', chosen: { ...answering.shown, id: 'variant' } },
    ]),
  )(
    'say the same about the model in every phase: $shown.name, fallback: $fallback',
    async ({ shown, chosen, fallback, header, sentence }) => {
      const { app, screen } = await show();
      await app.saveSettings({ isIntroduced: true });
      app.model.followChoice(() => chosen);
      if (fallback !== 'none') app.model.setFallback(chosen.id, { model: shown, step });
      const pill = screen.getByRole('button', { name: new RegExp(`^${shown.name} `) });
      const title = screen.getByText('What would you like to know?');
      await expect.element(title).toBeVisible();
      const empty = title.element().parentElement;
      for (const state of phases) {
        app.model.phase = state.phase;
        await expect.element(pill).toHaveTextContent(`${header} · ${state.header}`);
        const isTold = expect.poll(() => sentence.test(empty?.textContent ?? ''));
        await isTold.toBe(state.isOver !== true);
        const isReplaced = fallback === 'another model';
        expect(pill.element().textContent.includes('in place of Chosen')).toBe(isReplaced);
      }
    },
  );
});

describe('a message waiting for the model', () => {
  test("is shown in the chat with the model's loading progress", async () => {
    const { app, screen, message } = await show();
    app.model.phase = { type: 'loading', progress };
    await message.fill('What is 17 * 23?');
    await userEvent.keyboard('{Enter}');
    const status = screen.getByRole('status').getByText('Ember is starting: 40 %');
    await expect.element(status).toBeVisible();
    await expect.element(screen.getByRole('article', { name: 'You' })).toBeVisible();
    await expect.element(screen.getByRole('article', { name: 'Hearth' })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Stop' })).toBeVisible();
    app.model.phase = { type: 'ready' };
    await expect.element(screen.getByText('Ember is reading')).toBeVisible();
  });

  test('has a button that starts the model', async () => {
    const { app, calls, screen, message } = await show();
    app.model.phase = { type: 'idle' };
    await message.fill('Hi');
    await userEvent.keyboard('{Enter}');
    calls.length = 0;
    await screen.getByRole('button', { name: 'Start Ember' }).click();
    expect(calls).toEqual([['load']]);
  });

  slow('shows that the model is busy in another chat', async () => {
    const { screen, message } = await show();
    await message.fill('One');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByText('Ember is reading')).toBeVisible();
    await screen.getByRole('button', { name: 'New chat' }).click();
    await message.fill('Two');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByText(/busy in another chat/)).toBeVisible();
  });

  test('shows that a slow model is still working', async () => {
    const { app, screen, message } = await show();
    await message.fill('One');
    await userEvent.keyboard('{Enter}');
    app.model.isSlow = true;
    await expect.element(screen.getByText(/still working. You can wait or stop it/)).toBeVisible();
  });
});

describe('the question about a model that says nothing', () => {
  const names = {
    model: { id: 'large', name: 'Qwen 3 4B', engine: 'web-llm', bytes: 1 },
    other: { id: 'ember', name: 'Ember', engine: 'llama', bytes: 1 },
  };

  test.for([
    {
      name: 'waits',
      other: names.other,
      said: 'Qwen 3 4B has said nothing for 5 minutes. Keep waiting, or let Ember answer?',
      press: 'Keep waiting',
      answer: 'wait',
    },
    {
      name: 'lets another model answer',
      other: names.other,
      said: 'or let Ember answer?',
      press: 'Let Ember answer',
      answer: 'give up',
    },
    {
      name: 'stops, because no other model is there',
      other: undefined,
      said: 'Qwen 3 4B has said nothing for 5 minutes. Keep waiting, or stop this answer?',
      press: 'Stop this answer',
      answer: 'give up',
    },
  ])(
    'is shown while a chat is being answered, and the user $name',
    async ({ other, said, press, answer }) => {
      const { app, screen, message } = await show();
      const answers: string[] = [];
      const end = (given: string) => () => {
        answers.push(given);
        app.model.silence = undefined;
      };
      app.model.silence = {
        model: names.model,
        other,
        ms: 300_000,
        keepWaiting: end('wait'),
        giveUp: end('give up'),
      };
      const question = screen.getByText(/has said nothing/);
      await expect.element(question).not.toBeInTheDocument();
      await message.fill('One');
      await userEvent.keyboard('{Enter}');
      await expect.element(question).toHaveTextContent(said);
      await screen.getByRole('button', { name: press }).click();
      expect(answers).toEqual([answer]);
      await expect.element(question).not.toBeInTheDocument();
      await expect.element(message).toHaveFocus();
      await expect.element(screen.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
    },
  );
});

describe('the status line during a long prompt', () => {
  const context = { promptTokens: 1200, limitTokens: 4096, droppedMessages: 0 };
  const readTo = (readTokens: number, remainingMs: number) => ({
    type: 'prompt-progress' as const,
    readTokens,
    totalTokens: 1000,
    remainingMs,
  });

  slow.for([
    {
      language: 'en',
      said: [
        'Reading the prompt, 40 %, about 12 s',
        'Reading the prompt, 95 %, about 1 s',
        'Ember is writing',
      ],
    },
    {
      language: 'zh',
      said: [
        '正在读取提示，已完成 40%，大约还要 12 秒',
        '正在读取提示，已完成 95%，大约还要 1 秒',
        'Ember 正在写',
      ],
    },
  ])(
    'shows the percentage read and the time left, in the language: $language',
    async ({ language, said }) => {
      const { app, screen, message, script } = await show();
      await message.fill('Sum up this book.');
      await userEvent.keyboard('{Enter}');
      await app.saveSettings({ language });
      const [begun = '', late = '', writing = ''] = said;
      const status = (words: string) => screen.getByRole('status').getByText(words, { exact: true });
      script.say({ type: 'context', context }, readTo(424, 11_400));
      await expect.element(status(begun)).toBeVisible();
      script.say(readTo(999, 15));
      await expect.element(status(late)).toBeVisible();
      script.text('It is long.');
      await expect.element(status(writing)).toBeInTheDocument();
    },
  );
});

test('the notice about a failed model says what happened and what to do, and offers a retry', async () => {
  const { app, calls, screen } = await show();
  app.model.phase = { type: 'failed', code: 'model-unreachable', detail: '404' };
  const alert = screen.getByRole('alert');
  await expect.element(alert).toHaveTextContent(/could not be fetched.*are kept.*Go online/);
  await expect.element(alert).not.toHaveTextContent('You are offline');
  app.isOnline = false;
  await expect.element(alert).toHaveTextContent('You are offline');
  await alert.getByRole('button', { name: 'Try again' }).click();
  expect(calls).toEqual([['load']]);
});

slow('"Continue" resends a question that failed because the model could not load', async () => {
  const told = new Told().you('Hi').hearth([], 'failed', {
    finishReason: 'error',
    errorMessage: '[model-missing] ember.gguf answered 404.',
  });
  const { app, screen, script } = await show(told.chat);
  app.model.phase = { type: 'failed', code: 'model-missing', detail: 'ember.gguf answered 404.' };
  const alert = screen.getByRole('alert');
  await expect.element(alert).toHaveTextContent('has no such file');
  await expect.element(alert).not.toHaveTextContent(/online/);
  await expect.element(alert.getByRole('button')).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Continue' }).click();
  await expect.poll(() => script.histories.length).toBe(1);
});

describe('the context meter of a chat', () => {
  const shown = async (promptTokens: number, droppedMessages = 0) => {
    const { app, screen } = await show(new Told().you('Hi').hearth([text('Hello')], 'answered').chat);
    if (app.session) app.session.context = { promptTokens, limitTokens: 1000, droppedMessages };
    return screen;
  };

  test('is hidden while less than 60 % of the context is used', async () => {
    const screen = await shown(599);
    await expect.element(screen.getByText('Hello')).toBeVisible();
    await expect.element(screen.getByRole('meter')).not.toBeInTheDocument();
  });

  test('appears with its percentage once 60 % of the context is used', async () => {
    const screen = await shown(720);
    const meter = screen.getByRole('meter', { name: 'Room in this chat' });
    await expect.element(meter).toHaveAttribute('aria-valuenow', '72');
    await expect.element(meter).toHaveTextContent('72 % full');
  });

  test('reports a full context and says what the model still sees', async () => {
    const screen = await shown(700, 4);
    await expect.element(screen.getByText(/no longer fits.*sees only the last part/)).toBeVisible();
    await expect.element(screen.getByRole('meter')).toHaveAttribute('aria-valuenow', '100');
  });
});

test.for([
  { name: 'counted from the second token on', given: usage, speed: 210 },
  { name: 'undefined if only one token was written', given: { ...usage, outputTokens: 1 }, speed: undefined },
  { name: 'undefined if the engine took no time', given: { ...usage, decodeMs: 0 }, speed: undefined },
])("a model's speed in tokens per second is $name", ({ given, speed }) => {
  expect(tokensPerSecondOf(given)).toBe(speed);
});

import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { RecoveryStep } from '../../src/contracts/model-library';
import { phone, show } from './show';
import { usage } from './script';
import { text, Told } from './told';
import { slow } from '../support/matrix';

const step: RecoveryStep = {
  rung: 'built-in',
  fault: 'gpu-missing',
  detail: 'Unable to find a compatible GPU.',
  from: 'Qwen 3 4B',
  to: 'Ember',
  contextTokens: 384,
};
const said = 'Qwen 3 4B found no graphics chip. Ember, the built-in model, answers instead.';
const qwen = { id: 'qwen', name: 'Qwen 3 4B', engine: 'web-llm', bytes: 2e9 };
const ember = { id: 'ember', name: 'Ember', engine: 'llama', bytes: 6e6, isSmall: true };

describe('a recovery from a model failure', () => {
  test('is described in the reply and announced to screen readers', async () => {
    const { screen, message, script } = await show();
    await message.fill('Hi');
    await userEvent.keyboard('{Enter}');
    script.say({ type: 'recovery', step });
    const reply = screen.getByRole('article', { name: 'Hearth' });
    await expect.element(reply).toHaveTextContent(said);
    await expect.element(screen.getByRole('status').getByText(said)).toBeInTheDocument();
    script.end('answered', [text('Hello')]);
    await expect.element(reply).toHaveTextContent(`${said} Hello`);
    await expect.element(screen.getByRole('status').getByText(said)).not.toBeInTheDocument();
  });

  slow('is saved with the reply, and "Details" adds the engine\'s error', async () => {
    const { chats, nodes } = new Told().you('Hi').hearth([text('Hello')], 'answered').chat;
    const kept = nodes.map((node) => (node.id === 'n1' ? { ...node, recoveries: [step] } : node));
    const { screen } = await show({ chats, nodes: kept });
    await expect.element(screen.getByRole('article', { name: 'Hearth' })).toHaveTextContent(said);
    await screen.getByRole('button', { name: 'Details' }).click();
    const details = screen.getByRole('dialog', { name: 'Details of this answer' });
    await expect.element(details).toHaveTextContent(`${said} (Unable to find a compatible GPU.)`);
  });

  test.for<{ name: string; changed: Partial<RecoveryStep>; words: string }>([
    {
      name: 'restarted with a smaller context',
      changed: { rung: 'less-context', fault: 'out-of-memory', to: 'Qwen 3 4B', contextTokens: 4096 },
      words:
        'Qwen 3 4B ran out of memory. It was started again with less room: it reads 4,096 tokens at once now.',
    },
    {
      name: 'replaced, with advice to download a variant',
      changed: { fault: 'model-garbled', missing: 'Qwen-f32' },
      words:
        'Ember, the built-in model, answers instead. Its variant Qwen-f32 may run here: it can be downloaded on the Models page.',
    },
    {
      name: 'an unknown error code from a later version',
      changed: { fault: 'storage-full' },
      words: 'Qwen 3 4B could not go on.',
    },
  ])('explains what was done about the failed model: $name', async ({ changed, words }) => {
    const { chats, nodes } = new Told().you('Hi').hearth([text('Hello')], 'answered').chat;
    const recoveries = [{ ...step, ...changed }];
    const { screen } = await show({ chats, nodes: nodes.map((node) => ({ ...node, recoveries })) });
    await expect.element(screen.getByRole('article', { name: 'Hearth' })).toHaveTextContent(words);
  });
});

describe('a fallback model', () => {
  const shown = async (size?: typeof phone) => {
    const stage = await show(size ? { size } : {});
    const { app } = stage;
    void app.session?.set({ model: qwen });
    app.model.setFallback('qwen', { model: ember, step });
    return stage;
  };
  const line = (screen: Awaited<ReturnType<typeof shown>>['screen']) =>
    screen.getByRole('button', { name: /in place of/ });

  test('the model status line shows the name and state of the fallback model', async () => {
    const { app, screen } = await shown();
    await expect.element(line(screen)).toHaveTextContent(/Ember.*in place of Qwen 3 4B.*on this CPU.*ready/);
    app.model.phase = { type: 'loading' };
    await expect.element(line(screen)).toHaveTextContent('starting');
    expect(app.model.phaseOf('ember')).toEqual({ type: 'loading' });
  });

  slow('a notice above the message box gives the reason and offers the original model', async () => {
    const { calls, screen } = await shown();
    await expect.element(screen.getByText(said)).toBeVisible();
    await screen.getByRole('button', { name: 'Try Qwen 3 4B again' }).click();
    expect(calls).toContainEqual(['retry']);
  });

  test('tools for larger models are not offered to a small fallback model', async () => {
    const { app } = await shown();
    app.toolsForLargerModels = ['calculator'];
    expect(app.offeredTools.map(({ name }) => name)).toEqual(['clock']);
  });

  test('the notice fits a phone screen', async () => {
    const { screen } = await shown(phone);
    await expect.element(screen.getByText(said)).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(phone[0]);
  });

  test('a chat that uses another model shows no notice', async () => {
    const { app, screen } = await shown();
    void app.session?.set({ model: { ...qwen, id: 'other', name: 'Other' } });
    await expect.element(screen.getByText(said)).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: /Other/ })).toBeVisible();
  });

  test("a variant of the same model is shown under the model's name", async () => {
    const { app, screen } = await shown();
    app.model.setFallback('qwen', {
      model: { ...qwen, id: 'qwen-f32' },
      step: { ...step, rung: 'f32-twin' },
    });
    await expect.element(screen.getByRole('button', { name: /Qwen 3 4B.*on this GPU/ })).toBeVisible();
    await expect.element(screen.getByText('in place of')).not.toBeInTheDocument();
  });
});

test('the speed of one model is not shown for another model', async () => {
  const { app, screen } = await show();
  app.model.usage = usage;
  await expect.element(screen.getByText('210 tokens/s')).toBeVisible();
  void app.session?.set({ model: qwen });
  await expect.element(screen.getByText('210 tokens/s')).not.toBeInTheDocument();
  void app.session?.set({ model: ember });
  await expect.element(screen.getByText('210 tokens/s')).toBeVisible();
});

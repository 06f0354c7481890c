/** The form for a model on a server: adding, testing, editing and its errors. */
import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { EndpointForm, EndpointReport, ModelCard } from '../../src/contracts/model-library';
import type { Services } from '../../src/state/services';
import { emberCard, kept, modelCard } from './model-cards';
import { phone, show } from './show';
import { slow } from '../support/matrix';

const address = 'http://localhost:11434';
const base = `${address}/v1`;
const found: EndpointReport = {
  address: base,
  models: [{ id: 'one' }, { id: 'two', contextTokens: 32_768 }],
};
const tried: EndpointReport = { ...found, model: 'two', reply: 'streams', isNative: true };

const cardOf = (model: string, changed: Partial<NonNullable<ModelCard['endpoint']>> = {}): ModelCard =>
  modelCard(model, {
    engine: 'endpoint',
    origin: 'own',
    place: 'loopback',
    kept: { ...kept, bytes: 0 },
    bytes: 0,
    endpoint: { address: base, model, hasKey: false, isNative: false, canSee: false, ...changed },
  });

/** Each run of the test returns the next of `reports`. An undefined report hangs until the run is cancelled. */
async function open(
  reports: (EndpointReport | undefined)[],
  { cards = [emberCard], size }: { cards?: ModelCard[]; size?: typeof phone } = {},
) {
  const trials: { form: EndpointForm; id: string | undefined; signal: AbortSignal }[] = [];
  const saved: { form: EndpointForm; id: string | undefined }[] = [];
  const shelf = { cards: [...cards], diagnosis: [] };
  const models: Partial<Services['models']> = {
    view: async () => ({ ...shelf, cards: [...shelf.cards] }),
    async tryEndpoint(form, id, signal) {
      trials.push({ form, id, signal });
      const report = reports.shift();
      if (report) return report;
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    },
    async saveEndpoint(form, id) {
      if (form.model.trim() === '') return { ok: false, problem: 'model' };
      saved.push({ form, id });
      shelf.cards = [
        ...shelf.cards.filter((card) => card.id !== id),
        cardOf(form.model, { hasKey: form.key !== '', isNative: form.isNative }),
      ];
      return { ok: true, id: id ?? form.model };
    },
  };
  const staged = await show({ shelf, modelFunctions: models, ...(size && { size }) });
  location.hash = '#/models';
  const { screen } = staged;
  const adder = screen.getByRole('button', { name: 'Add endpoint' });
  await expect.element(adder).toBeVisible();
  const article = (name: string) => screen.getByRole('article', { name, exact: true });
  const add = async () => {
    await adder.click();
    return screen.getByRole('form', { name: 'Add endpoint' });
  };
  return { ...staged, trials, saved, add, adder, article };
}

describe('adding a model server', () => {
  test('the form offers the models of the server, and the chosen model is added to the list', async () => {
    const { add, adder, article, trials, saved, screen } = await open([found, tried]);
    const form = await add();
    await expect.element(form.getByLabelText('Address')).toHaveFocus();
    await form.getByLabelText('Address').fill(address);
    await form.getByLabelText('Key').fill('sk-secret');
    await userEvent.keyboard('{Enter}');
    await expect.element(form.getByText('The server lists 2 models.')).toBeVisible();
    expect(saved).toEqual([]);
    await form.getByRole('button', { name: 'two', exact: true }).click();
    await expect.element(form.getByText('Native tool calls work.')).toBeVisible();
    expect(trials.map(({ form: { key, model } }) => [key, model])).toEqual([
      ['sk-secret', ''],
      ['sk-secret', 'two'],
    ]);
    // The form takes over how the model calls tools and its context size.
    await expect.element(form.getByRole('switch', { name: 'Native tool calls' })).toBeChecked();
    await expect.element(form.getByLabelText('Context in tokens')).toHaveValue('32768');
    expect(saved.at(-1)?.form).toMatchObject({ base, model: 'two', isNative: true, contextTokens: 32_768 });
    for (const name of ['Use', 'Test this model', 'Edit', 'Remove'])
      await expect.element(article('two').getByRole('button', { name, exact: true })).toBeVisible();
    await expect.element(article('two').getByText('On this device', { exact: true })).toBeVisible();
    expect(screen.container.textContent).not.toContain('sk-secret');
    await form.getByRole('button', { name: 'Close' }).click();
    await expect.element(adder).toHaveFocus();
  });

  slow('typed values stay in the form during a connection test and after it fails', async () => {
    const fault = { code: 'endpoint-key' as const, detail: 'HTTP 401: Bad key' };
    const { add } = await open([{ address: base, fault }]);
    const form = await add();
    await form.getByLabelText('Address').fill(address);
    await form.getByLabelText('Key').fill('sk-wrong');
    await form
      .getByRole('combobox', { name: 'Model' })
      .or(form.getByLabelText('Model', { exact: true }))
      .fill('mine');
    await form.getByLabelText('Context in tokens').fill('9000');
    await form.getByRole('button', { name: 'Try it' }).click();
    await expect.element(form.getByRole('alert')).toHaveTextContent(/wants a key.*HTTP 401: Bad key.*above/);
    await expect.element(form.getByLabelText('Key')).toHaveValue('sk-wrong');
    await expect.element(form.getByLabelText('Model', { exact: true })).toHaveValue('mine');
    await expect.element(form.getByLabelText('Context in tokens')).toHaveValue('9000');
  });

  slow('an invalid context size or a missing model is reported, and nothing is saved', async () => {
    const { add, saved } = await open([]);
    const form = await add();
    await form.getByLabelText('Address').fill(address);
    await form.getByLabelText('Context in tokens').fill('many');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.element(form.getByRole('alert')).toHaveTextContent('a whole number from 512 to 2,000,000');
    await expect.element(form.getByLabelText('Context in tokens')).toHaveAttribute('aria-invalid', 'true');
    await form.getByLabelText('Context in tokens').fill('4096');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.element(form.getByRole('alert')).toHaveTextContent('Choose a model, or type its name.');
    expect(saved).toEqual([]);
  });

  slow('a button in the form allows a private address and repeats the connection test', async () => {
    const fault = { code: 'endpoint-address' as const, detail: '' };
    const { add, calls, trials } = await open([{ address: base, fault }, tried]);
    const form = await add();
    await form.getByLabelText('Address').fill(address);
    await form.getByRole('button', { name: 'Try it' }).click();
    await expect.element(form.getByRole('alert')).toHaveTextContent(/on this device.*unless you allow it/);
    await form.getByRole('button', { name: `Allow ${address}, and try` }).click();
    await expect.element(form.getByText('two answers.')).toBeVisible();
    expect(calls).toContainEqual(['saveSettings', { allowedAddresses: [address] }]);
    expect(trials).toHaveLength(2);
  });

  slow('if CORS blocks the server, the form shows which setting the server needs', async () => {
    const fault = { code: 'endpoint-unreachable' as const, detail: '' };
    const { add } = await open([{ address: base, fault }]);
    const form = await add();
    await form.getByLabelText('Address').fill(address);
    await form.getByRole('button', { name: 'Try it' }).click();
    await expect.element(form.getByText(`OLLAMA_ORIGINS=${location.origin}`)).toBeVisible();
    const programs = form
      .getByRole('term')
      .elements()
      .map(({ textContent }) => textContent);
    expect(programs[0]).toContain('Ollama');
    expect(programs).toHaveLength(5);
  });

  slow('closing the form cancels a running connection test', async () => {
    const { add, trials } = await open([undefined]);
    const form = await add();
    await form.getByLabelText('Address').fill(address);
    await form.getByRole('button', { name: 'Try it' }).click();
    await expect.element(form.getByText(`Asking ${address}`)).toBeVisible();
    // A second press does not start a second test.
    await expect
      .element(form.getByRole('button', { name: 'Try it' }))
      .toHaveAttribute('aria-disabled', 'true');
    await userEvent.keyboard('{Enter}');
    expect(trials).toHaveLength(1);
    await form.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => trials[0]?.signal.aborted).toBe(true);
  });
});

slow('an edited model server keeps its key unless the user changes or removes the key', async () => {
  const { screen, article, calls, trials, saved } = await open([tried], {
    cards: [emberCard, cardOf('two', { hasKey: true })],
  });
  const editor = article('two').getByRole('button', { name: 'Edit' });
  await editor.click();
  const form = screen.getByRole('form', { name: 'Edit two' });
  await expect.element(form.getByLabelText('Address')).toHaveValue(base);
  await expect.element(form.getByLabelText('Key')).toHaveValue('');
  await expect.element(form.getByText('A key is kept.')).toBeVisible();
  await form.getByRole('button', { name: 'Forget the key' }).click();
  expect(calls).toContainEqual(['forgetKey', 'two']);
  await form.getByRole('button', { name: 'Try it' }).click();
  await expect.poll(() => trials[0]?.id).toBe('two');
  expect(saved.at(-1)?.id).toBe('two');
  // The user typed the context size, so the test does not change it.
  expect(saved.at(-1)?.form.contextTokens).toBe(4096);
  await form.getByRole('button', { name: 'Close' }).click();
  await expect.element(editor).toHaveFocus();
});

slow('the form for a model server fits a phone, even with all its messages', async () => {
  const fault = { code: 'endpoint-unreachable' as const, detail: '' };
  const { add, screen } = await open([{ address: base, fault }], { size: phone });
  const form = await add();
  await form.getByLabelText('Address').fill(address);
  await form.getByRole('button', { name: 'Try it' }).click();
  await expect.element(form.getByText('llama-server -m model.gguf', { exact: false })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(phone[0]);
  const main = screen.getByRole('main').element();
  expect(main.scrollWidth).toBeLessThanOrEqual(main.clientWidth);
});

import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { ModelCard } from '../../src/contracts/model-library';
import { emberCard, kept, modelCard } from './model-cards';
import { phone, show } from './show';
import { slow } from '../support/matrix';

const best = modelCard('Best', { isRecommended: true });
const other = modelCard('Other', { bytes: 2e9 });
const tight = modelCard('Tight', {
  verdict: 'unlikely',
  findings: [{ code: 'memory', needsMb: 8000, budgetMb: 4000 }],
});
const unfit = ['No 1', 'No 2'].map((id) =>
  modelCard(id, { verdict: 'impossible', findings: [{ code: 'no-gpu', isBlocked: false }] }),
);

async function open(cards: readonly ModelCard[], size?: typeof phone) {
  const staged = await show({ shelf: { cards, diagnosis: [] }, ...(size && { size }) });
  location.hash = '#/models';
  const { screen } = staged;
  await expect.element(screen.getByRole('heading', { name: 'For this device' })).toBeVisible();
  const article = (name: string) => screen.getByRole('article', { name, exact: true });
  return { ...staged, article };
}

const primary = () => [...document.querySelectorAll('.button.main:not(:disabled)')];

describe('the Models page', () => {
  test('shows the best model first and highlights only its download button', async () => {
    const { screen, calls } = await open([emberCard, best, other, tight, ...unfit]);
    const names = screen.getByRole('article').elements();
    expect(names.map((element) => element.getAttribute('aria-label'))).toEqual(['Best', 'ember', 'Other']);
    expect(primary()).toHaveLength(1);
    await screen.getByRole('region', { name: 'For this device' }).getByRole('button').click();
    expect(calls).toContainEqual(['download', 'Best']);
  });

  slow('collapses the lists of models that cannot run on this device', async () => {
    const { screen, article } = await open([emberCard, best, other, tight, ...unfit]);
    await expect.element(article('No 1')).not.toBeInTheDocument();
    await screen.getByText('2 that do not run here').click();
    await expect.element(article('No 2')).toHaveTextContent(/Will not run here.*no WebGPU/);
    await screen.getByText('1 that may not fit').click();
    await expect.element(article('Tight')).toHaveTextContent('this device probably has 4.2 GB to give');
    expect(primary()).toHaveLength(1);
  });

  test('shows what each model is good for, its size and its speed', async () => {
    const slow = modelCard('Slow', {
      verdict: 'slow',
      findings: [{ code: 'software-gpu' }],
      isRecommended: true,
    });
    const { article } = await open([emberCard, slow, other]);
    await expect.element(article('Other')).toHaveTextContent('Good for this and that.');
    await expect.element(article('Other')).toHaveTextContent('Download: about 2 GB, once.');
    await expect.element(article('Other')).toHaveTextContent('About as fast as one reads');
    await expect.element(article('Slow')).toHaveTextContent('Many seconds a word');
    await expect.element(article('Slow')).not.toHaveTextContent('fits');
  });

  test('says plainly that a base model continues text instead of answering', async () => {
    const own = { origin: 'own', kept } as const;
    const { article } = await open([
      emberCard,
      modelCard('Base', { ...own, isBase: true }),
      modelCard('Chat', own),
    ]);
    await expect
      .element(article('Base'))
      .toHaveTextContent('This is a base model: it continues your text instead of answering.');
    await expect.element(article('Chat')).not.toHaveTextContent('base model');
  });

  slow('does not move a downloaded model to another list until the page is reopened', async () => {
    const cards = [emberCard, best, other];
    const { app, screen, article } = await open(cards);
    const others = screen.getByRole('region', { name: 'Others that run here' });
    app.models.setDownload('Other', { type: 'running', loadedBytes: 1, totalBytes: 2, isExact: true });
    await expect.element(others.getByRole('progressbar')).toBeVisible();
    app.models.setDownload('Other', undefined);
    app.models.view = { cards: [emberCard, best, { ...other, kept }], diagnosis: [] };
    await expect.element(others.getByRole('button', { name: 'Use' })).toBeVisible();
    app.services.models.view = async () => app.models.view!;
    await screen.getByRole('link', { name: 'Settings' }).click();
    await expect.element(article('Other')).not.toBeInTheDocument();
    await screen.getByRole('link', { name: 'Models', exact: true }).click();
    const here = screen.getByRole('region', { name: 'On this device' });
    await expect.element(here.getByRole('article', { name: 'Other' })).toBeVisible();
  });

  test('fits a phone screen', async () => {
    await open([emberCard, best, other, tight, ...unfit], phone);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(phone[0]);
  });
});

describe('the model of a chat', () => {
  const qwen = modelCard('Qwen', { kept, bytes: 2.3e9 });

  slow('can be switched in the header to another downloaded model', async () => {
    const { app, calls, screen } = await show({ shelf: { cards: [emberCard, qwen, other], diagnosis: [] } });
    await screen.getByRole('button', { name: /^Ember/ }).click();
    const list = screen.getByRole('list', { name: 'Model in this chat' });
    const current = list.getByRole('button', { name: /Ember/ });
    await expect.element(current).toHaveAttribute('aria-current', 'true');
    await expect.element(current).toHaveFocus();
    await expect.element(list.getByRole('button', { name: 'Other' })).not.toBeInTheDocument();
    await userEvent.keyboard('{Tab}{Enter}');
    await expect.element(list).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: /^Qwen/ })).toHaveFocus();
    expect(app.chosen.id).toBe('Qwen');
    expect(calls.map(([name]) => name)).toEqual(['saveSettings', 'retry']);
  });

  test('two variants of the same model are told apart by their IDs in the menu', async () => {
    const twin = modelCard('Qwen-f32', { ...qwen, id: 'Qwen-f32' });
    const { screen } = await show({ size: phone, shelf: { cards: [emberCard, qwen, twin], diagnosis: [] } });
    await screen.getByRole('button', { name: /^Ember/ }).click();
    const list = screen.getByRole('list', { name: 'Model in this chat' });
    await expect
      .element(list.getByRole('button', { name: 'Qwen on this GPU · 2.3 GB · Qwen-f32' }))
      .toBeVisible();
    for (const button of list.getByRole('button').elements()) {
      const [name, text] = [...button.children].map((part) => part.getBoundingClientRect());
      expect(text?.left).toBe(name?.left);
      expect(text?.top).toBeGreaterThan(name?.top ?? Infinity);
    }
    const panel = list.element().closest('[popover]')!;
    expect(panel.scrollWidth).toBeLessThanOrEqual(panel.clientWidth);
  });

  test('is chosen from a menu that stays inside the window even if a model name is very long', async () => {
    const long = modelCard('A-name-that-is-longer-than-a-phone-is-wide-q4f32_1-MLC', { kept });
    const { app, screen } = await show({ size: phone, shelf: { cards: [emberCard, long], diagnosis: [] } });
    // The Cancel button appears beside it.
    app.model.phase = { type: 'loading' };
    await screen.getByRole('button', { name: 'starting' }).click();
    const list = screen.getByRole('list', { name: 'Model in this chat' });
    await expect.element(list.getByRole('button', { name: /longer-than/ })).toBeVisible();
    const { left, right } = list.element().closest('[popover]')!.getBoundingClientRect();
    expect(left).toBeGreaterThanOrEqual(16);
    expect(right).toBeLessThanOrEqual(phone[0]);
  });

  slow('can be changed in a started chat without affecting new chats', async () => {
    const { app, calls, screen, message, script } = await show({
      shelf: { cards: [emberCard, qwen], diagnosis: [] },
    });
    await message.fill('Hi');
    await userEvent.keyboard('{Enter}');
    script.end('answered');
    await expect.poll(() => app.session?.isRunning).toBe(false);
    calls.length = 0;
    await screen.getByRole('button', { name: /^Ember/ }).click();
    await screen.getByRole('button', { name: /^Qwen/ }).click();
    await expect.poll(() => app.session?.settings.model?.id).toBe('Qwen');
    expect(calls).toEqual([['retry']]);
    await screen.getByRole('button', { name: 'New chat' }).click();
    await expect.poll(() => app.chosen.id).toBe('ember');
  });

  slow('is still shown when its files are gone, with a link to the Models page', async () => {
    const { app, screen } = await show({ shelf: { cards: [emberCard], diagnosis: [] } });
    void app.session?.set({ model: { id: 'gone', name: 'Gone', engine: 'web-llm', bytes: 1 } });
    await screen.getByRole('button', { name: /^Gone/ }).click();
    const current = screen.getByRole('button', { name: /not on this device/ });
    await expect.element(current).toHaveAttribute('aria-current', 'true');
    await screen.getByRole('link', { name: 'All models' }).click();
    await expect.element(screen.getByRole('heading', { name: 'For this device' })).toBeVisible();
  });
});

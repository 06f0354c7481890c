/** The hint that the built-in model cannot do a request but a larger model can. It comes once per chat and never nags. */
import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { toPageMessage } from '../../src/ember/page-replies';
import type { ModelCard } from '../../src/contracts/model-library';
import { emberCard, kept, modelCard } from './model-cards';
import { phone, show } from './show';
import { slow } from '../support/matrix';

const best = modelCard('Best-4B-q4', { name: 'Best 4B', bytes: 2.3e9, isRecommended: true });
const ember = { id: 'ember', name: 'Ember', engine: 'llama', bytes: 6_200_000, isSmall: true };
const beyond = toPageMessage({ text: 'Ember is too small for jokes.', suggestions: [], isBeyond: true });
const noted = toPageMessage({ text: 'All right.', suggestions: [] });
const waysOn = /Best 4B|Other|larger model needs/;

/** Opens a chat with Ember, with a function that asks it something. */
async function open(cards: readonly ModelCard[], size?: typeof phone) {
  const staged = await show({
    shelf: { cards: [emberCard, ...cards], diagnosis: [] },
    ...(size && { size }),
  });
  const { app, screen, message, script } = staged;
  void app.session?.set({ model: ember });
  let asked = 0;
  const ask = async (reply = beyond) => {
    await message.fill(`question ${++asked}`);
    await userEvent.keyboard('{Enter}');
    script.say({ type: 'message-end', message: reply });
    script.say({ type: 'turn-end', reason: 'answered' });
    await expect.poll(() => app.session?.isRunning).toBe(false);
    await expect.poll(() => screen.getByRole('article', { name: 'Hearth' }).elements().length).toBe(asked);
  };
  const button = screen.getByRole('main').getByRole('article').getByRole('button', { name: waysOn });
  return { ...staged, ask, button };
}

describe('the suggestion of a larger model', () => {
  test('invariant: the suggestion names the larger model, links to it, and downloads nothing', async () => {
    const { screen, ask, button, calls } = await open([best]);
    await ask();
    await expect.element(button).toHaveAccessibleName('Get Best 4B · 2.3 GB');
    button.element().focus();
    await userEvent.keyboard('{Enter}');
    const article = screen.getByRole('article', { name: 'Best-4B-q4' });
    await expect.element(article).toHaveFocus();
    expect(location.hash).toBe('#/models/Best-4B-q4');
    expect(calls.map(([name]) => name)).not.toContain('download');
    await screen.getByRole('link', { name: /Back/ }).click();
    await expect.element(button).toBeVisible();
  });

  slow('appears once per chat, at the first reply that needs a larger model', async () => {
    const { app, screen, ask, button } = await open([best]);
    await ask(noted);
    await expect.element(button).not.toBeInTheDocument();
    await ask();
    await ask();
    await expect.element(button).toBeVisible();
    expect(button.elements()).toHaveLength(1);
    const second = screen.getByRole('article', { name: 'Hearth' }).nth(1);
    await expect.element(second.getByRole('button', { name: waysOn })).toBeVisible();
    await screen.getByRole('button', { name: 'New chat' }).click();
    await expect.element(button).not.toBeInTheDocument();
    expect(app.session?.isEmpty).toBe(true);
  });

  test('appears only when a very small model is in use', async () => {
    const { app, ask, button } = await open([best]);
    await ask();
    await expect.element(button).toBeVisible();
    void app.session?.set({ model: { id: 'other', name: 'Other', engine: 'web-llm', bytes: 1e9 } });
    await expect.element(button).not.toBeInTheDocument();
  });

  slow('switches to a larger model on the device, which answers the question', async () => {
    const { app, script, screen, message, ask, button } = await open([{ ...best, kept }]);
    await ask();
    await expect.element(button).toHaveAccessibleName('Use Best 4B');
    await button.click();
    await expect.poll(() => app.session?.settings.model?.id).toBe('Best-4B-q4');
    await expect.poll(() => script.histories.length).toBe(2);
    expect(script.histories.at(-1)).toHaveLength(1);
    await expect.element(message).toHaveFocus();
    script.end('answered', [{ type: 'text', text: 'A heron walks in.' }]);
    await expect
      .element(screen.getByRole('article', { name: 'Hearth' }))
      .toHaveTextContent('A heron walks in.');
    await expect.element(button).not.toBeInTheDocument();
  });

  test('says that the model can be downloaded once the device is online', async () => {
    const { app, screen, ask, button } = await open([best]);
    app.isOnline = false;
    await ask();
    await expect
      .element(
        screen.getByText('This device is offline. Best 4B · 2.3 GB can be had once it is online again.'),
      )
      .toBeVisible();
    await expect.element(button).not.toBeInTheDocument();
    app.isOnline = true;
    await expect.element(button).toBeVisible();
  });

  test('says if the larger model is slow on this device or is being downloaded', async () => {
    const { app, ask, button } = await open([{ ...best, verdict: 'slow' }]);
    await ask();
    await expect.element(button).toHaveAccessibleName('Get Best 4B · 2.3 GB · slow');
    app.models.setDownload('Best-4B-q4', { type: 'waiting' });
    await expect.element(button).toHaveAccessibleName('Best 4B is on its way');
  });

  slow('links to an explanation of what the device lacks if no larger model can run', async () => {
    const { screen, ask, button } = await open([]);
    await ask();
    await expect.element(button).toHaveAccessibleName('What a larger model needs');
    await button.click();
    await expect.element(screen.getByText(/“Diagnostics” below says why/)).toBeVisible();
  });

  test('appears without moving other content, and fits a phone screen', async () => {
    const { app, screen, ask, button } = await open([best], phone);
    const { view } = app.services.models;
    let isLookedAt = () => {};
    const looking = new Promise<void>((resolve) => (isLookedAt = resolve));
    app.services.models.view = () => looking.then(view);
    await ask();
    const details = screen.getByRole('button', { name: 'Details' });
    await expect.element(details).toBeVisible();
    const article = screen.getByRole('article', { name: 'Hearth' });
    await expect.element(article).toHaveTextContent(/^\s*Ember is too small for jokes\.\s*$/);
    const topOf = (locator: typeof details) => locator.element().getBoundingClientRect().top;
    const place = () => topOf(details) - topOf(article);
    const before = place();
    isLookedAt();
    await expect.element(button).toBeVisible();
    expect(place()).toBe(before);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(phone[0]);
  });
});

import { describe, expect, test, vi } from 'vitest';
import type { StorageCondition } from '../../src/state/app.svelte';
import { userEvent } from 'vitest/browser';
import { show } from './show';
import { text, Told } from './told';
import { slow } from '../support/matrix';

test('a new version is installed only when the user asks, and never while an answer is running', async () => {
  const { app, screen, message, script } = await show();
  await message.fill('Hi');
  await userEvent.keyboard('{Enter}');
  const apply = vi.fn();
  app.update = { phase: 'ready', news: [], apply };
  const update = screen.getByRole('button', { name: 'Update now' });
  await expect.element(update).toBeDisabled();
  await expect.element(update).toHaveAccessibleDescription(/when the answer in progress is done/);
  script.end('answered', [text('Hello')]);
  await expect.element(update).toBeEnabled();
  expect(apply).not.toHaveBeenCalled();
  await update.click();
  expect(apply).toHaveBeenCalledOnce();
});

describe('the notice about a new version', () => {
  const apply = () => undefined;
  const news = ['Share with Hearth', 'Prompts of your own', 'Every action has a key', 'Versions'];

  test('lists three changes and says how many more there are', async () => {
    const { app, screen } = await show();
    app.update = { phase: 'ready', news, apply };
    const notice = screen.getByRole('status').filter({ hasText: 'A new version is ready.' });
    await expect.element(notice).toHaveTextContent(/What is new:.*Share with Hearth.*and 1 more/);
    expect(notice.getByRole('listitem').elements()).toHaveLength(3);
    app.update = { phase: 'ready', news: [], apply };
    await expect.element(notice).not.toHaveTextContent('What is new');
  });

  test.for([
    { phase: 'applying', says: /takes over/, button: 'Update now' },
    { phase: 'held', says: /has not let the new one in/, button: 'Update now' },
    { phase: 'elsewhere', says: /updated in another tab/, button: 'Reload' },
  ] as const)('explains the state of the update: $phase', async ({ phase, says, button }) => {
    const { app, screen } = await show();
    app.update = { phase, news, apply };
    await expect.element(screen.getByText(says)).toBeVisible();
    await expect.element(screen.getByRole('button', { name: button })).toBeEnabled();
  });
});

describe('the notice about a storage problem', () => {
  test.for<{ condition: StorageCondition; says: RegExp; buttons: string[] }>([
    { condition: { type: 'memory' }, says: /keeps nothing beyond this visit.*Allow storage/, buttons: [] },
    {
      condition: { type: 'unreadable' },
      says: /cannot be opened.*Nothing was deleted.*import a backup/,
      buttons: ['Reload'],
    },
    { condition: { type: 'newer' }, says: /by a newer Hearth.*untouched.*Reload/, buttons: ['Reload'] },
    { condition: { type: 'blocked' }, says: /older Hearth is open.*are kept.*Close that tab/, buttons: [] },
    {
      condition: { type: 'shortened', expected: 40, found: 31 },
      says: /31 of 40 messages.*What was found is shown/,
      buttons: ['Go on with this', 'Reload'],
    },
    { condition: { type: 'closed', reason: 'updated' }, says: /updated in another tab/, buttons: ['Reload'] },
    { condition: { type: 'closed', reason: 'deleted' }, says: /deleted in another tab/, buttons: ['Reload'] },
    {
      condition: { type: 'closed', reason: 'lost' },
      says: /closed Hearth’s storage.*Copy/,
      buttons: ['Reload'],
    },
  ])('describes the problem and says what to do: $condition', async ({ condition, says, buttons }) => {
    const { app, screen } = await show();
    app.storage = condition;
    await expect.element(screen.getByText(says)).toBeVisible();
    for (const name of buttons) await expect.element(screen.getByRole('button', { name })).toBeVisible();
    app.storage = { type: 'ok' };
    await expect.element(screen.getByText(says)).not.toBeInTheDocument();
  });

  test('lets the user continue after messages were lost', async () => {
    const { app, calls, screen } = await show();
    app.storage = { type: 'shortened', expected: 40, found: 31 };
    const restore = screen.getByRole('link', { name: 'Restore from a backup' });
    await expect.element(restore).toHaveAttribute('href', '#/settings/backup');
    await screen.getByRole('button', { name: 'Go on with this' }).click();
    expect(calls).toEqual([['acceptShortage']]);
    await expect.element(restore).not.toBeInTheDocument();
  });
});

slow('a failure to save a chat is reported and can be retried', async () => {
  const { app, screen } = await show(new Told().you('Hi').hearth([text('Hello')], 'answered').chat);
  if (app.session) app.session.isSaved = false;
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent(/Not everything on this screen is stored/);
  await screen.getByRole('button', { name: 'Store it now' }).click();
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
});

test('unreadable messages of a chat are reported, and the readable ones are shown', async () => {
  const { app, screen } = await show(new Told().you('Hi').hearth([text('Hello')], 'answered').chat);
  if (app.session) app.session.damagedCount = 1;
  await expect.element(screen.getByText(/1 message of this chat could not be read/)).toBeVisible();
  await expect.element(screen.getByText('Hello')).toBeVisible();
});

test('the diagnostics copied after a crash contain no chat text', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const { app, screen } = await show(new Told().you('My secret').hearth([text('Hello')], 'answered').chat);
  app.fault = 'TypeError: x is not a function\n    at y';
  await expect.element(screen.getByRole('alert')).toHaveTextContent(/Something broke.*is kept.*Reload/);
  await screen.getByRole('button', { name: 'Copy diagnostics' }).click();
  await expect.poll(() => copied.mock.calls.length).toBe(1);
  const diagnostics = copied.mock.calls[0]?.[0];
  expect(diagnostics).toContain('TypeError: x is not a function');
  expect(diagnostics).toContain(navigator.userAgent);
  expect(diagnostics).not.toContain('secret');
});

slow('when a screen crashes, the error notice, the chat list and the Settings link stay usable', async () => {
  const { app, screen } = await show(new Told().you('Hi').hearth([text('Hello')], 'answered').chat);
  await expect.element(screen.getByText('Hello')).toBeVisible();
  const broken = await app.services.sessions.open('chat');
  Object.defineProperty(broken, 'reply', {
    get: () => {
      throw new Error('broken on purpose');
    },
  });
  app.session = broken;
  await expect.element(screen.getByRole('alert')).toHaveTextContent(/Something broke/);
  expect(app.fault).toContain('broken on purpose');
  await expect.element(screen.getByRole('link', { name: 'What was asked' })).toBeVisible();
  await screen.getByRole('link', { name: 'Settings' }).click();
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});

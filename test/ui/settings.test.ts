import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { DeletionFailure } from '../../src/state/services';
import { chatRecord } from '../support/stored-chat';
import { show } from './show';
import { slow } from '../support/matrix';

async function showSettings(chats = [chatRecord('a'), chatRecord('b')]) {
  const shown = await show({ chats });
  await shown.screen.getByRole('link', { name: 'Settings' }).click();
  await expect.element(shown.screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  return shown;
}

test('a new language applies at once, is saved, and sets the language of the page', async () => {
  const { calls, screen } = await showSettings();
  await screen.getByRole('combobox', { name: 'Language' }).selectOptions('简体中文');
  await expect.element(screen.getByRole('heading', { level: 1, name: '设置' })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: '新聊天' })).toBeVisible();
  expect(document.documentElement.lang).toBe('zh');
  expect(calls).toEqual([['saveSettings', { language: 'zh' }]]);
  await screen.getByRole('combobox', { name: '语言' }).selectOptions('');
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  expect(calls).toContainEqual(['saveSettings', { language: null }]);
});

slow("the dark theme applies at once, whatever the system's theme", async () => {
  const { calls, screen } = await showSettings();
  await screen.getByRole('radio', { name: 'Dark' }).click();
  await expect.poll(() => getComputedStyle(document.body).backgroundColor).toBe('rgb(22, 19, 16)');
  await screen.getByRole('radio', { name: 'Light' }).click();
  await expect.poll(() => getComputedStyle(document.body).backgroundColor).toBe('rgb(250, 248, 245)');
  expect(calls).toEqual([
    ['saveSettings', { theme: 'dark' }],
    ['saveSettings', { theme: 'light' }],
  ]);
});

slow.for([
  { given: '12', kept: true },
  { given: '0', kept: false },
  { given: '33', kept: false },
  { given: '2.5', kept: false },
  { given: '', kept: false },
])(
  'the limit of tool steps per question must be a whole number from 1 to 32: input "$given"',
  async ({ given, kept }) => {
    const { calls, screen } = await showSettings();
    const rounds = screen.getByRole('spinbutton', { name: 'Tool steps per question' });
    await expect.element(rounds).toHaveValue(8);
    await rounds.fill(given);
    await userEvent.tab();
    const error = screen.getByText(/a whole number from 1 to 32. 8 still counts/);
    if (kept) {
      expect(calls).toEqual([['saveSettings', { rounds: Number(given) }]]);
      await expect.element(error).not.toBeInTheDocument();
    } else {
      await expect.element(error).toBeVisible();
      await expect.element(rounds).toHaveAttribute('aria-invalid', 'true');
      expect(calls).toEqual([]);
    }
  },
);

slow('Settings measures the storage used each time it is opened', async () => {
  const { app, screen } = await showSettings();
  await expect.element(screen.getByText(/keeps 12.4 MB here; up to 60 GB/)).toBeVisible();
  const { storage } = app.services;
  storage.measure = () => Promise.reject(new Error('no'));
  await screen.getByRole('link', { name: 'Back to the chat' }).click();
  await screen.getByRole('link', { name: 'Settings' }).click();
  await expect.element(screen.getByText(/does not say how much/)).toBeVisible();
});

slow(
  'Settings shows the storage used by each kind of data and confirms before deleting one kind',
  async () => {
    const { app, calls, screen } = await showSettings();
    const table = screen.getByRole('table', { name: 'What takes how much' });
    const row = (name: string) => table.getByRole('row', { name });
    await expect.element(row('Chats')).toHaveTextContent(/1.2 MB/);
    await expect.element(row('Downloaded models')).toHaveTextContent(/900 MB/);
    // Either nothing of this kind is stored, or Hearth needs it.
    for (const name of ['Tool results kept whole', 'Hearth itself', 'Settings, tools'])
      expect(row(name).getByRole('button').elements()).toEqual([]);
    await row('Chats').getByRole('button', { name: 'Delete: Chats' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Delete chats?' });
    await expect.element(dialog).toHaveTextContent(/for good, archived ones and those in the bin too/);
    await userEvent.keyboard('{Escape}');
    expect(calls).toEqual([]);
    const { storage } = app.services;
    const parts = await storage.measureParts();
    storage.measureParts = async () => ({ ...parts, models: 0 });
    await row('Downloaded models').getByRole('button').click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => calls).toEqual([['deleteKind', 'models']]);
    await expect.element(row('Downloaded models').getByRole('button')).not.toBeInTheDocument();
    await row('Index of the search').getByRole('button', { name: 'Build again' }).click();
    await expect.poll(() => calls.at(-1)).toEqual(['deleteKind', 'index']);
    await expect.element(screen.getByText(/^The index is built/)).toHaveAttribute('role', 'status');
    await expect.element(row('Index of the search').getByRole('button')).toHaveFocus();
    let end: () => void = () => undefined;
    storage.deleteKind = () => new Promise((resolve) => (end = resolve));
    await row('Index of the search').getByRole('button').click();
    await expect.element(screen.getByText(/^The index is being built/)).toHaveAttribute('role', 'status');
    end();
    await expect.element(screen.getByText(/^The index is built/)).toBeVisible();
    storage.deleteKind = () => Promise.reject(new Error('held'));
    await row('Prompts').getByRole('button').click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.element(row('Prompts').getByRole('alert')).toHaveTextContent(/could not be deleted/);
  },
);

slow('Settings asks for persistent storage, and gives advice if the browser refuses', async () => {
  const { app, calls, screen } = await showSettings();
  const ask = screen.getByRole('button', { name: 'Ask the browser to keep it' });
  await ask.click();
  await expect.element(screen.getByText(/install Hearth from the browser’s menu/)).toBeVisible();
  expect(calls).toEqual([['askToPersist']]);
  const { storage } = app.services;
  storage.askToPersist = async () => true;
  storage.measure = async () => ({ bytes: 1, quota: 60_000_000_000, isPersisted: true });
  await ask.click();
  await expect.element(screen.getByText(/has promised not to clear it/)).toBeVisible();
  await expect.element(ask).not.toBeInTheDocument();
});

slow('the warning about nearly full storage links to Settings and can be dismissed', async () => {
  const { app, calls, screen } = await show();
  app.isStorageNearlyFull = true;
  await screen.getByRole('link', { name: 'See what takes room' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Storage' })).toHaveFocus();
  await screen.getByRole('button', { name: 'Not now' }).click();
  expect(calls).toEqual([['dismissWarning']]);
  await expect.element(screen.getByText(/nearly used up/)).not.toBeInTheDocument();
  await expect.element(screen.getByRole('heading', { level: 1 })).toHaveFocus();
});

slow('before deleting everything, Settings lists what will be deleted', async () => {
  const { calls, screen } = await showSettings();
  const button = screen.getByRole('button', { name: 'Delete everything' });
  await button.click();
  const dialog = screen.getByRole('dialog', { name: 'Delete everything Hearth keeps here?' });
  await expect.element(dialog).toHaveTextContent(/2 chats, the settings, .*12.4 MB in all.*cannot be undone/);
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  expect(calls).toEqual([]);
  await button.click();
  await dialog.getByRole('button', { name: 'Delete everything' }).click();
  await expect.poll(() => calls).toEqual([['deleteEverything']]);
});

slow.for<[DeletionFailure, RegExp]>([
  ['held', /Close other Hearth tabs/],
  ['refused', /lets Hearth keep nothing in this visit/],
  ['unreachable', /Delete the data of this site in the settings of the browser/],
])(
  'if "Delete everything" fails, Settings explains what to do next: failure code "%s"',
  async ([leftBy, next]) => {
    const { app, screen } = await showSettings();
    app.storage = { type: 'unreadable' };
    app.services.deleteEverything = async () => leftBy;
    await screen.getByRole('button', { name: 'Delete everything' }).click();
    const dialog = screen.getByRole('dialog');
    // The number of chats is unknown while they cannot be read.
    await expect.element(dialog).toHaveTextContent(/All chats, the settings/);
    await dialog.getByRole('button', { name: 'Delete everything' }).click();
    await expect.element(screen.getByRole('alert')).toHaveTextContent(next);
  },
);

slow('returning from Settings to the chat keeps the draft message', async () => {
  const { screen, message } = await show();
  await message.fill('half a thought');
  await screen.getByRole('link', { name: 'Settings' }).click();
  await screen.getByRole('link', { name: 'Back to the chat' }).click();
  await expect.element(message).toHaveValue('half a thought');
});

slow('a new text size or contrast applies at once and at the next start', async () => {
  const { app, screen } = await show();
  const root = document.documentElement;
  const ink = () => getComputedStyle(root).getPropertyValue('--ink');
  const ordinary = ink();
  await screen.getByRole('link', { name: 'Settings' }).click();
  await screen.getByRole('radio', { name: 'Largest' }).click();
  await expect.poll(() => getComputedStyle(root).fontSize).toBe('24px');
  await expect.element(screen.getByRole('radio', { name: 'Largest' })).toBeInViewport();
  await screen.getByRole('radio', { name: 'High' }).click();
  await expect.poll(ink).not.toBe(ordinary);
  expect(localStorage.getItem('hearth.look')).toBe(' system 150 more');
  expect(app.settings).toMatchObject({ textSize: 150, contrast: 'more' });
  await screen.getByRole('radio', { name: 'Normal' }).click();
  await screen.getByRole('radiogroup', { name: 'Contrast' }).getByText('As the system').click();
  await expect.poll(() => [getComputedStyle(root).fontSize, ink()]).toEqual(['16px', ordinary]);
});

test('the language and the theme of the last visit apply until the settings are loaded', async () => {
  localStorage.setItem('hearth.look', 'zh dark');
  const { app, screen } = await show();
  await expect.element(screen.getByRole('button', { name: '新聊天' })).toBeVisible();
  expect(document.documentElement.dataset['theme']).toBe('dark');
  app.settings = { ...app.settings, language: 'en', theme: 'system' };
  await expect.element(screen.getByRole('button', { name: 'New chat' })).toBeVisible();
  expect(document.documentElement.dataset['theme']).toBeUndefined();
  expect(localStorage.getItem('hearth.look')).toBe('en system 100 system');
});

test.for(['{"language": 7', 'zh', 'zh neon', 'null'])(
  'Hearth starts even if the stored language or theme is invalid: stored value %s',
  async (noted) => {
    localStorage.setItem('hearth.look', noted);
    const { screen } = await show();
    await expect.element(screen.getByRole('button', { name: 'New chat' })).toBeVisible();
  },
);

slow('a change made before the stored settings are loaded is not lost', async () => {
  const { app } = await showSettings();
  const kept = { ...app.settings, rounds: 3, theme: 'dark' as const };
  await app.saveSettings({ rounds: 5 });
  app.applySettings(kept);
  expect(app.settings).toMatchObject({ rounds: 5, theme: 'dark' });
  app.applySettings(kept);
  expect(app.settings.rounds).toBe(3);
});

slow('the setting to ask the user when the model is unsure is on by default', async () => {
  const { calls, screen } = await showSettings();
  const unsure = screen.getByRole('switch', { name: 'Ask when the model is not sure' });
  await expect.element(unsure).toBeChecked();
  await unsure.click();
  await expect.element(unsure).not.toBeChecked();
  expect(calls).toEqual([['saveSettings', { isAskingWhenUnsure: false }]]);
});

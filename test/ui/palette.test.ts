import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
// Loaded before the tests start: on a busy machine, loading alone can exceed the timeout of a test.
import '../../src/ui/commands/Palette.svelte';
import '../../src/ui/settings/SettingsScreen.svelte';
import { chatRecord, question } from '../support/stored-chat';
import { phone, show } from './show';
import { slow } from '../support/matrix';

const chats = [
  chatRecord('rent', { title: 'Rent and deposit', leafId: 'q1' }),
  chatRecord('chess', { title: '国际象棋', leafId: null }),
];
const nodes = [question('q1', null, 'How much is the rent?', 'rent')];

async function open(options: Parameters<typeof show>[0] = {}) {
  const shown = await show({ chats, nodes, ...options });
  const dialog = shown.screen.getByRole('dialog', { name: 'Commands' });
  // The shortcuts load shortly after the first screen.
  await expect
    .poll(
      async () => {
        if (!shown.app.currentPanel) await userEvent.keyboard('{Control>}k{/Control}');
        return dialog.query() !== null;
      },
      { timeout: 10_000 },
    )
    .toBe(true);
  const box = dialog.getByRole('combobox', { name: 'Find or do anything' });
  await expect.element(box).toHaveFocus();
  const options_ = dialog.getByRole('option');
  const active = () =>
    document.getElementById(box.element().getAttribute('aria-activedescendant') ?? '')?.innerText;
  return { ...shown, dialog, box, options: options_, active };
}

test('a keyboard shortcut works even if pressed before its code has loaded', async () => {
  const waiting: (() => void)[] = [];
  const later = vi.spyOn(window, 'requestIdleCallback').mockImplementation((run) => {
    return waiting.push(() => run({ didTimeout: true, timeRemaining: () => 0 }));
  });
  onTestFinished(() => later.mockRestore());
  const { screen, message } = await show();
  await message.click();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(message).toHaveFocus();
  for (const run of waiting.splice(0)) run();
  await expect.element(screen.getByRole('dialog', { name: 'Commands' })).toBeVisible();
});

test('typing a few letters and Enter in the command palette opens the matching chat', async () => {
  const { box, app, active, dialog } = await open();
  await box.fill('象棋');
  await expect.poll(active).toContain('国际象棋');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(() => app.route).toMatchObject({ screen: 'chat', chatId: 'chess' });
});

slow('Escape closes the command palette and returns the cursor to its position', async () => {
  const { dialog, message } = await open();
  await userEvent.keyboard('{Escape}');
  await message.fill('herons');
  await userEvent.keyboard('{ArrowLeft}{Control>}k{/Control}');
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await userEvent.keyboard('!');
  await expect.element(message).toHaveValue('heron!s');
});

test('the command palette is an accessible combobox and shows keyboard shortcuts', async () => {
  const { box, dialog, options, active } = await open();
  await expect.element(box).toHaveAttribute('aria-expanded', 'true');
  expect(document.getElementById(box.element().getAttribute('aria-controls') ?? '')?.role).toBe('listbox');
  await box.fill('temporary');
  await expect.element(options.first()).toHaveTextContent(/Temporary chat.*Alt.*Shift.*Y/);
  await expect.element(options.first()).toHaveAttribute('aria-selected', 'true');
  await box.fill('go to');
  const first = active();
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(active).not.toBe(first);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

slow('the command palette switches tools, changes the theme and opens settings', async () => {
  const { box, app, calls, dialog, screen } = await open();
  await box.fill('calculator');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => app.session?.settings.toolsOff).toEqual(['calculator']);
  await expect.element(screen.getByText('It is off in this chat.')).toBeInTheDocument();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(dialog.getByRole('group', { name: 'Lately' })).toHaveTextContent('Calculator');
  await box.fill('dark');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => calls).toContainEqual(['saveSettings', { theme: 'dark' }]);
  await userEvent.keyboard('{Control>}k{/Control}');
  await box.fill('permissions');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => (document.activeElement as HTMLElement).innerText, { timeout: 15_000 })
    .toBe('Permissions');
  // Matches the content of a section and synonyms.
  for (const typed of ['text size', 'font']) {
    await userEvent.keyboard('{Control>}k{/Control}');
    await box.fill(typed);
    await expect.element(dialog.getByRole('option').first()).toHaveTextContent('Appearance');
    await userEvent.keyboard('{Escape}');
  }
});

slow('the command palette finds and opens messages', async () => {
  const piece = (text: string) => [{ text, isMarked: false }];
  const hit = { id: 'h1', chatId: 'rent', messageId: 'q1', place: 'question' as const, at: 0 };
  const { box, app, options } = await open({
    found: () => ({
      hits: [{ ...hit, title: piece('Rent'), snippet: piece('How much is the deposit then?') }],
      hasMore: false,
    }),
  });
  await box.fill('deposit then');
  await options.filter({ hasText: 'How much is the deposit then?' }).click();
  await expect.poll(() => app.route).toMatchObject({ chatId: 'rent', messageId: 'q1' });
});

slow(
  'keyboard shortcuts rename and export a chat, and the message box still accepts typed text',
  async () => {
    const { screen, app, dialog, message } = await open();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await userEvent.keyboard('{Alt>}{Shift>}r{/Shift}{/Alt}');
    const rename = screen.getByRole('dialog', { name: 'Rename' });
    await rename.getByRole('textbox').fill('Flat');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => app.chats?.find(({ id }) => id === 'rent')?.title).toBe('Flat');
    await userEvent.keyboard('{Alt>}{Shift>}d{/Shift}{/Alt}');
    await expect.element(screen.getByRole('dialog', { name: /Export|Flat/ })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await message.click();
    await userEvent.keyboard('ok');
    await expect.element(message).toHaveValue('ok');
    await userEvent.keyboard('{Alt>}{Shift>}5{/Shift}{/Alt}');
    await expect.poll(() => app.route.screen).toBe('settings');
  },
);

slow('on a phone, a button under the chat list opens the command palette', async () => {
  const { screen, box, dialog } = await open({ size: phone });
  await userEvent.keyboard('{Escape}');
  await screen.getByRole('button', { name: 'Show the list of chats' }).click();
  await screen.getByRole('button', { name: 'Commands' }).click();
  await expect.element(box).toHaveFocus();
  const { width } = dialog.element().getBoundingClientRect();
  expect(width).toBeLessThanOrEqual(390);
  await page.viewport(1280, 800);
});

slow('the command palette inserts a saved prompt below the draft from any screen', async () => {
  const { prompts, app, message, screen } = await show({ chats, nodes });
  await prompts.add({ id: 'p', name: 'Polish', text: 'Polish: {{text}}', createdAt: 1, updatedAt: 1 });
  await message.fill('Begun');
  await app.open('#/settings');
  app.currentPanel = 'palette';
  const box = screen.getByRole('combobox', { name: 'Find or do anything' });
  await box.fill('polish');
  await expect
    .element(screen.getByRole('dialog').getByRole('option', { name: /Polish/ }))
    .toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('textbox', { name: 'text' })).toHaveFocus();
  await userEvent.keyboard('this{Enter}');
  await expect.poll(() => app.route.screen).toBe('chat');
  await expect.element(message).toHaveValue('Begun\n\nPolish: this');
});

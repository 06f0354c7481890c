/** The menu that `/` opens: the user's prompts, and prompts and resources of servers, by keyboard and by touch. */
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { ServerPrompt, ServerResource } from '../../src/contracts/mcp-server';
import type { Origin } from '../../src/contracts/origin';
import { serverView } from './fake-servers';
import { phone, show } from './show';
import { slow } from '../support/matrix';

const prompt = (name: string, changed: Partial<ServerPrompt> = {}): ServerPrompt => ({
  serverId: 'bistro',
  name,
  title: '',
  description: `About ${name}`,
  arguments: [],
  ...changed,
});
const resource = (uri: string, title: string): ServerResource => ({
  serverId: 'bistro',
  uri,
  title,
  description: '',
  mimeType: 'text/plain',
});
const fromServer: Origin = { door: 'server-prompt', name: 'mcp.bistro.example', serverId: 'bistro' };
const order = prompt('order', {
  title: 'Order a dish',
  arguments: [
    { name: 'dish', description: 'As on the menu', isRequired: true },
    { name: 'note', description: '', isRequired: false },
  ],
});

async function write(text: string, options: Parameters<typeof show>[0] = {}) {
  const shown = await show(options);
  const { servers, message, screen, calls } = shown;
  servers.say(serverView('Bistro'));
  servers.prompts = [prompt('greet'), order];
  servers.resources = [resource('demo://menu', 'The menu')];
  await message.fill(text);
  const list = screen.getByRole('listbox', { name: 'Prompts and resources' });
  const option = (name: RegExp) => list.getByRole('option', { name });
  const asked = (name: string) => calls.filter(([called]) => called === name).map(([, ...given]) => given);
  return { ...shown, list, option, asked };
}

test('typing / opens a menu of prompts and resources that match the text', async () => {
  const { list, message } = await write('/');
  // The first test also waits for the code of the menu.
  await expect.poll(() => list.getByRole('option').elements().length, { timeout: 15_000 }).toBe(4);
  await expect.element(list.getByRole('group', { name: 'Prompts' })).toHaveTextContent('Order a dish');
  await expect.element(list.getByRole('group', { name: 'Resources' })).toHaveTextContent('The menu');
  await message.fill('/menu');
  await expect.poll(() => list.getByRole('option').elements().length).toBe(1);
  await message.fill('/nothing like it');
  await expect.element(list).not.toBeInTheDocument();
});

test('Enter inserts the selected entry of the slash menu without sending the message', async () => {
  const { list, option, message, app, servers, script } = await write('/');
  await expect.element(list).toBeVisible();
  await expect.element(message).toHaveAttribute('aria-controls', list.element().id);
  const active = () => document.getElementById(message.element().getAttribute('aria-activedescendant') ?? '');
  await expect.poll(() => active()?.textContent).toContain('greet');
  await userEvent.keyboard('{ArrowUp}');
  await expect.poll(() => active()?.textContent).toContain('Your prompts …');
  await userEvent.keyboard('{ArrowUp}');
  await expect.poll(() => active()?.textContent).toContain('The menu');
  await expect.element(option(/The menu/)).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  servers.onFill = async () => 'Good day!';
  await userEvent.keyboard('{Enter}');
  await expect.element(message).toHaveValue('Good day!');
  await expect.element(message).not.toHaveAttribute('aria-activedescendant');
  expect(app.session?.draftOrigins).toEqual([fromServer]);
  expect(script.histories).toEqual([]);
});

test('after Escape closes the slash menu, Enter sends the message', async () => {
  const { list, message, script } = await write('/');
  await expect.element(list).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(message).toHaveValue('/');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => script.histories.length).toBe(1);
});

slow('inserting a prompt asks for its required arguments first', async () => {
  const { option, screen, message, asked, app } = await write('/order');
  await option(/Order a dish/).click();
  const dialog = screen.getByRole('dialog', { name: 'Fill in “Order a dish”' });
  const dish = dialog.getByRole('textbox', { name: 'dish' });
  await expect.element(dish).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dish).toHaveAttribute('aria-invalid', 'true');
  await expect.element(dish).toHaveAccessibleDescription(/^This is needed\./);
  expect(asked('fillPrompt')).toEqual([]);
  await dish.fill('Soup');
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await expect.element(message).toHaveValue('A text.');
  expect(asked('fillPrompt')).toEqual([['order', { dish: 'Soup' }]]);
  expect(app.session?.draftOrigins).toEqual([fromServer]);
});

test('a server error while inserting a prompt is reported, and the draft is kept', async () => {
  const { option, screen, servers, message } = await write('/greet');
  servers.onFill = () => Promise.reject(new Error('No such prompt.'));
  await option(/greet/).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('What it said: No such prompt.');
  await expect.element(message).toHaveValue('/greet');
});

test('attachments are listed above the message and can be removed', async () => {
  const { option, screen, app, message } = await write('/menu', { size: phone });
  await option(/The menu/).click();
  await expect.element(message).toHaveValue('');
  const attached = screen.getByRole('list', { name: 'Goes with the message' });
  await expect.element(attached).toHaveTextContent('The menu');
  expect(attached.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(
    message.element().getBoundingClientRect().top + 1,
  );
  await attached.getByRole('button', { name: 'Remove The menu' }).click();
  await expect.element(attached).not.toBeInTheDocument();
  expect(app.session?.attached).toEqual([]);
});

slow('text inserted from a server is marked in the message and can be removed', async () => {
  const { option, screen, app, message } = await write('/greet');
  await option(/greet/).click();
  await screen.getByRole('button', { name: 'Remove Text of mcp.bistro.example' }).click();
  await expect.element(message).toHaveValue('');
  expect(app.session?.draftOrigins).toEqual([]);
});

slow('a message that starts with / is sent normally if no menu entry matches', async () => {
  const { message, script, list, calls } = await show().then((shown) => ({
    ...shown,
    list: shown.screen.getByRole('listbox'),
  }));
  await message.fill('/etc/hosts is what?');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => script.histories.length).toBe(1);
  await expect.element(list).not.toBeInTheDocument();
  expect(calls.filter(([name]) => name === 'prompts')).toEqual([]);
});

test('Enter pressed before the slash menu has loaded sends the message if no entry matches', async () => {
  const { app, message, script } = await show();
  const { watch } = app.services.prompts;
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  app.services.prompts.watch = async (onList) => {
    await held;
    return watch(onList);
  };
  await message.fill('/etc/hosts is what?');
  await userEvent.keyboard('{Enter}');
  await expect.element(message).toHaveValue('/etc/hosts is what?');
  expect(script.histories).toEqual([]);
  goOn();
  await expect.poll(() => script.histories.length).toBe(1);
  await expect.element(message).toHaveValue('');
});

const own = (name: string, text: string) => ({
  id: name,
  name,
  text,
  createdAt: 1,
  updatedAt: 1,
});

/** Opens a chat with saved prompts and without a server. */
async function writeWithPrompts(options: Parameters<typeof show>[0] = {}) {
  const shown = await show(options);
  await shown.prompts.add(own('Summarise', 'Summarise in {{sentences|three}} sentences:\n\n{{text}}'));
  await shown.prompts.add(own('润色', '请润色下面的文字。'));
  const list = shown.screen.getByRole('listbox', { name: 'Prompts and resources' });
  return { ...shown, list };
}

slow('a saved prompt is inserted for editing and not sent', async () => {
  const { message, list, script, app } = await writeWithPrompts();
  await message.fill('/');
  await expect.element(list.getByRole('group', { name: 'Your prompts' })).toBeVisible();
  expect(list.getByRole('option').elements()).toHaveLength(3);
  await message.fill('/润');
  await expect.poll(() => list.getByRole('option').elements().length).toBe(1);
  await userEvent.keyboard('{Enter}');
  await expect.element(message).toHaveValue('请润色下面的文字。');
  await expect.element(message).toHaveFocus();
  await userEvent.keyboard('好');
  await expect.element(message).toHaveValue('请润色下面的文字。好');
  expect(app.session?.draftOrigins).toEqual([]);
  expect(script.histories).toEqual([]);
});

slow('the variables of a saved prompt are filled in, starting from their defaults', async () => {
  const { message, list, screen } = await writeWithPrompts();
  await message.fill('/sum');
  await list.getByRole('option', { name: /Summarise/ }).click();
  const dialog = screen.getByRole('dialog', { name: 'Fill in “Summarise”' });
  const first = dialog.getByRole('textbox', { name: 'sentences' });
  await expect.element(first).toHaveFocus();
  await expect.element(first).toHaveValue('three');
  await first.fill('two');
  await userEvent.keyboard('{Tab}one{Shift>}{Enter}{/Shift}two {{{{x}}{Enter}');
  await expect.element(message).toHaveValue('Summarise in two sentences:\n\none\ntwo {{x}}');
  await expect.element(message).toHaveFocus();
});

slow.for([{ isTemporary: false }, { isTemporary: true }])(
  'unsaved prompt variables survive leaving the screen, except in a temporary chat (temporary: $isTemporary)',
  async ({ isTemporary }) => {
    const { app, message, list, screen } = await writeWithPrompts();
    if (isTemporary) await app.openTemporaryChat();
    const dialog = screen.getByRole('dialog', { name: 'Fill in “Summarise”' });
    const field = dialog.getByRole('textbox', { name: 'sentences' });
    const choose = async () => {
      await message.fill('/sum');
      await list.getByRole('option', { name: /Summarise/ }).click();
    };
    await choose();
    await field.fill('two long ones');
    await app.open('#/notes');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(screen.getByRole('heading', { level: 1, name: 'Notes' })).toBeVisible();
    expect(JSON.stringify(localStorage).includes('two long ones')).toBe(!isTemporary);
    if (isTemporary) return;
    await app.open('#/');
    await choose();
    await expect.element(field).toHaveValue('two long ones');
    await expect.element(dialog.getByText('You wrote this earlier')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    expect(localStorage.length).toBe(0);
  },
);

slow('a button under the message box opens and closes the slash menu', async () => {
  const { message, list, screen } = await writeWithPrompts({ size: phone });
  const button = screen.getByRole('button', { name: 'Use a prompt' });
  await button.click();
  await expect.element(message).toHaveValue('/');
  await expect.element(list).toBeVisible();
  await expect.element(button).toHaveAttribute('aria-expanded', 'true');
  await button.click();
  await expect.element(message).toHaveValue('');
  await message.fill('Hello');
  await expect.element(button).not.toBeInTheDocument();
});

slow('the slash menu links to the Prompts screen if there are no prompts', async () => {
  const { message, app, screen } = await show();
  await message.fill('/');
  await screen.getByRole('option', { name: /Your prompts/ }).click();
  await expect.poll(() => app.route).toEqual({ screen: 'prompts' });
  expect(app.session?.draft).toBe('');
});

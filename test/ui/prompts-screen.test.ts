import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { maxTextLength, maxPrompts } from '../../src/contracts/own-prompt';
import { chatRecord, deleteItem, question } from '../support/stored-chat';
import { phone, show } from './show';
import { thorough, slow } from '../support/matrix';

const own = (name: string, text = `Text of ${name}`) => ({
  id: name,
  name,
  text,
  createdAt: 1,
  updatedAt: 1,
});

async function showPrompts(names: string[] = [], options: Parameters<typeof show>[0] = {}) {
  const shown = await show(options);
  await Promise.all(names.map((name) => shown.prompts.add(own(name))));
  await shown.app.open('#/prompts');
  const { screen } = shown;
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Your prompts' })).toBeVisible();
  const rows = screen.getByRole('list', { name: 'In this order they are offered' }).getByRole('listitem');
  const said = () => rows.elements().map((row) => row.querySelector('.name')?.textContent);
  const button = (name: string) => screen.getByRole('button', { name, exact: true });
  const field = (name: string) => screen.getByRole('textbox', { name });
  return { ...shown, said, button, field };
}

test('an empty list of prompts offers an example to start from', async () => {
  const { screen, button, field, prompts, said } = await showPrompts();
  await expect.element(screen.getByText(/\{\{sentences\|three\}\}/)).toBeVisible();
  await button('Begin with this one').click();
  await expect.element(field('Name')).toHaveFocus();
  await expect.element(field('Name')).toHaveValue('Summarise');
  await expect.element(screen.getByText('Asks for: sentences, language, text')).toBeVisible();
  await button('Add prompt').click();
  await expect.poll(said).toEqual(['/Summarise']);
  await expect.element(button('New prompt')).toHaveFocus();
  expect((await prompts.list()).prompts[0]?.text).toContain('{{language|English}}');
});

slow('an unsaved prompt survives leaving the screen until it is saved or discarded', async () => {
  const { app, button, field, said, screen } = await showPrompts(['Old']);
  await button('New prompt').click();
  await field('Name').fill('Half');
  await app.open('#/');
  await expect.element(field('Name')).not.toBeInTheDocument();
  await app.open('#/prompts');
  await expect.element(field('Name')).toHaveValue('Half');
  await expect.element(field('Name')).not.toHaveFocus();
  await button('Cancel').click();
  await button('New prompt').click();
  await expect.element(field('Name')).toHaveFocus();
  await expect.element(field('Name')).toHaveValue('');
  await button('Cancel').click();

  await button('Edit: Old').click();
  await field('Text').fill('Another text');
  await app.open('#/');
  await expect.element(field('Text')).not.toBeInTheDocument();
  await app.open('#/prompts');
  await expect.element(field('Text')).toHaveValue('Another text');
  await button('Save').click();
  await expect.poll(said).toEqual(['/Old']);
  await expect.element(screen.getByText('Another text')).toBeVisible();
  expect(localStorage.length).toBe(0);
});

slow('a prompt can be written by keyboard alone, and a missing name is reported at its field', async () => {
  const { screen, button, field, said } = await showPrompts(['Old']);
  await expect.poll(said).toEqual(['/Old']);
  (button('New prompt').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(field('Name')).toHaveFocus();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(field('Name')).toHaveAccessibleDescription('Give it a name.');
  await userEvent.keyboard('old');
  await expect.element(screen.getByText('You have a prompt of this name.', { exact: false })).toBeVisible();
  await userEvent.keyboard('er{Tab}Say {{{{what}}.{Control>}{Enter}{/Control}');
  await expect.poll(said).toEqual(['/Old', '/older']);
  await expect.element(screen.getByText('Asks for: what')).toBeVisible();
  await expect.element(screen.getByText('2 prompts')).toBeVisible();
});

slow('a prompt is edited in place, and Escape discards the edit', async () => {
  const { button, field, said } = await showPrompts(['a', 'b']);
  await button('Edit: a').click();
  await field('Name').fill('changed');
  await userEvent.keyboard('{Escape}');
  await expect.element(button('Edit: a')).toHaveFocus();
  await button('Edit: a').click();
  await field('Name').fill('changed');
  await button('Save').click();
  await expect.poll(said).toEqual(['/changed', '/b']);
  await expect.element(button('Edit: changed')).toHaveFocus();
});

slow('prompts can be reordered by keyboard, and the focus follows the moved prompt', async () => {
  const { button, said, prompts } = await showPrompts(['a', 'b', 'c']);
  await expect.poll(said).toEqual(['/a', '/b', '/c']);
  (button('Move up: c').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(said).toEqual(['/a', '/c', '/b']);
  await expect.element(button('Move up: c')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(said).toEqual(['/c', '/a', '/b']);
  // It is the first one, so nothing changes and the focus stays.
  await expect.element(button('Move up: c')).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Enter}');
  await button('Move down: a').click();
  await expect.poll(async () => (await prompts.list()).prompts.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  await expect.element(button('Move up: c')).toBeVisible();
});

test('deleting a prompt takes effect at once and can be undone', async () => {
  const { screen, button, said } = await showPrompts(['a', 'b']);
  await button('Delete: a').click();
  await expect.poll(said).toEqual(['/b']);
  await expect.element(screen.getByText('The prompt “a” was deleted.')).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(said).toEqual(['/a', '/b']);
});

slow('an unsaved edit stays on screen when another tab deletes the prompt', async () => {
  const { screen, button, field, prompts, bin, said } = await showPrompts(['a', 'b']);
  await button('Edit: a').click();
  await field('Text').fill('Long work');
  await deleteItem(bin, 'prompt', 'a');
  await prompts.add(own('from another tab'));
  await expect.poll(said).toContain('/from another tab');
  await expect.element(field('Text')).toHaveValue('Long work');
  await button('Save').click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('deleted in another tab');
  await expect.element(field('Text')).toHaveValue('Long work');
});

test('a prompt over 20,000 characters is refused', async () => {
  const { screen, button, field } = await showPrompts();
  await button('New prompt').click();
  await field('Text').fill('x'.repeat(maxTextLength + 1));
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('at most 20,000 characters, and this is 20,001');
});

thorough('at most 500 prompts can be saved', async () => {
  const { screen } = await showPrompts(Array.from({ length: maxPrompts }, (_, at) => `p${at}`));
  await expect.element(screen.getByText(/There are 500 prompts/)).toBeVisible();
});

test('saving a question as a prompt escapes its braces and suggests a name', async () => {
  const nodes = [question('q1', null, 'Explain {{ x }} in Vue\nplease', 'rent')];
  const { screen, app, prompts } = await show({ nodes, chats: [chatRecord('rent', { leafId: 'q1' })] });
  await screen.getByRole('button', { name: 'Make a prompt of this' }).click();
  await expect.poll(() => app.route.screen).toBe('prompts');
  const name = screen.getByRole('textbox', { name: 'Name' });
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveValue('Explain {{ x }} in Vue');
  expect((await prompts.list()).prompts[0]?.text).toBe('Explain \\{{ x }} in Vue\nplease');
});

test('long words do not make the prompts screen wider than a phone', async () => {
  await showPrompts(['x'.repeat(60), '这是一条名称很长的提示词'.repeat(5)], { size: phone });
  const { scrollWidth, clientWidth } = document.querySelector('.scroll')!;
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
});

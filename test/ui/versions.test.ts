import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { show } from './show';
import { text, Told } from './told';
import { slow } from '../support/matrix';

const answered = () => new Told().you('What is 2+2?').hearth([text('It is four.')], 'answered');

/** Shows a chat whose question was asked in two ways. The second was answered twice. */
async function showVersions() {
  const shown = await show(answered().chat);
  const { screen, script } = shown;
  await screen.getByRole('button', { name: 'Edit' }).click();
  await screen.getByRole('textbox', { name: 'Edit your question' }).fill('What is 3+3?');
  await userEvent.keyboard('{Enter}');
  script.end('answered', [text('Five.')]);
  await screen.getByRole('button', { name: 'Answer again' }).click();
  script.end('answered', [text('Six.')]);
  await expect.element(screen.getByText('Six.')).toBeVisible();
  const of = (name: 'You' | 'Hearth') =>
    screen.getByRole('article', { name }).getByRole('group', { name: 'Versions' });
  return { ...shown, of };
}

test('an answer with only one version shows no version buttons', async () => {
  const { screen } = await show(answered().chat);
  await expect.element(screen.getByText('It is four.')).toBeVisible();
  expect(screen.getByRole('group', { name: 'Versions' }).elements()).toEqual([]);
});

test('switching to another version of a message also shows the messages that followed it', async () => {
  const { screen, of } = await showVersions();
  await expect.element(of('You')).toHaveTextContent('2 / 2');
  await expect.element(of('Hearth')).toHaveTextContent('2 / 2');
  await of('Hearth').getByRole('button', { name: 'Previous version' }).click();
  await expect.element(screen.getByText('Five.')).toBeVisible();
  await expect.element(of('Hearth')).toHaveTextContent('1 / 2');
  await of('You').getByRole('button', { name: 'Previous version' }).click();
  await expect.element(screen.getByText('It is four.')).toBeVisible();
  await of('You').getByRole('button', { name: 'Next version' }).click();
  await expect.element(screen.getByText('Five.')).toBeVisible();
});

slow('the focus stays on the version button when the keyboard switches versions', async () => {
  const { screen, of } = await showVersions();
  const button = (name: string) => of('You').getByRole('button', { name });
  await button('Previous version').click();
  await expect.element(button('Previous version')).toHaveFocus();
  await expect.element(button('Previous version')).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{ArrowLeft}{ArrowRight}');
  await expect.element(screen.getByText('Six.')).toBeVisible();
  await expect.element(button('Next version')).toHaveFocus();
});

slow('deleting one version of an answer shows the next one and can be undone', async () => {
  const { screen, of } = await showVersions();
  await screen.getByRole('article', { name: 'Hearth' }).getByRole('button', { name: 'Delete' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Delete this answer?' });
  await expect.element(dialog).toHaveTextContent('Its other versions stay.');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect.element(screen.getByText('Five.')).toBeVisible();
  expect(of('Hearth').elements()).toEqual([]);
  await screen.getByRole('group', { name: 'Deleted' }).getByRole('button', { name: 'Undo' }).click();
  await expect.element(screen.getByText('Six.')).toBeVisible();
  await expect.element(of('Hearth')).toHaveTextContent('2 / 2');
  await expect.element(screen.getByRole('group', { name: 'Deleted' })).not.toBeInTheDocument();
});

slow('branching off from an answer creates a new chat and keeps the original', async () => {
  const told = answered()
    .you('And 5+5?')
    .hearth([text('Ten.')], 'answered');
  const { app, screen } = await show(told.chat);
  await screen.getByRole('button', { name: 'Branch off here' }).first().click();
  await expect.element(screen.getByRole('heading', { level: 1, name: 'What was asked (2)' })).toBeVisible();
  await expect.element(screen.getByText('It is four.')).toBeVisible();
  await expect.element(screen.getByText('Ten.')).not.toBeInTheDocument();
  expect(app.chats?.map(({ title }) => title)).toEqual(['What was asked (2)', 'What was asked']);
});

slow('comparing two answers highlights their differences', async () => {
  const { screen } = await showVersions();
  await screen.getByRole('button', { name: 'Compare answers' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Two answers to one question' });
  await expect.element(dialog.getByRole('status')).toHaveTextContent('in the first alone, struck through');
  const sides = dialog.getByRole('region');
  await expect.element(sides.first()).toHaveTextContent('Answer 1');
  expect(dialog.element().querySelectorAll('del').length).toBeGreaterThan(0);
  expect(dialog.element().querySelectorAll('ins').length).toBeGreaterThan(0);
  await dialog.getByRole('combobox', { name: 'On the other side' }).selectOptions('0');
  await expect.element(dialog.getByRole('status')).toHaveTextContent('Both say and do the same.');
  expect(dialog.element().querySelectorAll('del, ins')).toHaveLength(0);
});

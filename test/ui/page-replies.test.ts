/** How the screen shows replies that the page gives in place of a very small model. */
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { AppError, writeError } from '../../src/contracts/app-error';
import { toPageMessage } from '../../src/ember/page-replies';
import { show } from './show';
import { text } from './told';
import { slow } from '../support/matrix';

const reply = toPageMessage(
  { text: 'Hello. I’m Ember.', suggestions: ['What time is it in Tokyo?'] },
  'A banana day.',
);

test('pressing a suggested question sends it and removes the suggestions', async () => {
  const { screen, message, script } = await show();
  await message.fill('hi');
  await userEvent.keyboard('{Enter}');
  script.say({ type: 'message-end', message: reply });
  script.say({ type: 'turn-end', reason: 'answered' });
  const list = screen.getByRole('list', { name: 'You can ask' });
  await list.getByRole('button', { name: 'What time is it in Tokyo?' }).click();
  await expect
    .element(screen.getByRole('article', { name: 'You' }).nth(1))
    .toHaveTextContent('What time is it in Tokyo?');
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(message).toHaveFocus();
});

slow('"Details" shows that Hearth itself wrote the reply, and what the model wrote', async () => {
  const { screen, message, script } = await show();
  await message.fill('hi');
  await userEvent.keyboard('{Enter}');
  script.say({ type: 'message-end', message: reply });
  script.say({ type: 'turn-end', reason: 'answered' });
  await screen.getByRole('button', { name: 'Details' }).click();
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog).toHaveTextContent(/Written by.*Hearth itself/);
  await expect.element(dialog).toHaveTextContent('A banana day.');
  await expect.element(dialog).not.toHaveTextContent('Text as the model wrote it');
});

slow('a reply stopped because it repeated itself is marked and can be continued', async () => {
  const { screen, message, script } = await show();
  await message.fill('x');
  await userEvent.keyboard('{Enter}');
  script.text('and ');
  script.end('looped', [text('and ')]);
  const article = screen.getByRole('article', { name: 'Hearth' });
  await expect.element(article).toHaveTextContent('began to repeat itself');
  await article.getByRole('button', { name: 'Continue' }).click();
  expect(script.histories).toHaveLength(2);
});

test('a question too long for the model offers "Edit" instead of "Continue"', async () => {
  const { screen, message, script } = await show();
  await message.fill('A long text');
  await userEvent.keyboard('{Enter}');
  const errorMessage = writeError(new AppError('message-too-long', '3000 of 2048 tokens'));
  script.end('failed', [], { finishReason: 'error', errorMessage });
  const reply = screen.getByRole('article', { name: 'Hearth' });
  await expect.element(reply.getByRole('button', { name: 'Continue' })).not.toBeInTheDocument();
  await reply.getByRole('button', { name: 'Edit' }).click();
  await expect.element(screen.getByRole('article', { name: 'You' }).getByRole('textbox')).toHaveFocus();
});

slow('a long question is collapsed and can be expanded', async () => {
  const { screen, message } = await show();
  await message.fill('A line of the text that was pasted.\n'.repeat(40));
  await userEvent.keyboard('{Enter}');
  const question = screen.getByRole('article', { name: 'You' });
  const height = () => question.element().getBoundingClientRect().height;
  await expect.element(question.getByRole('button', { name: 'Show all' })).toBeVisible();
  const folded = height();
  await question.getByRole('button', { name: 'Show all' }).click();
  await expect.element(question.getByRole('button', { name: 'Show less' })).toBeVisible();
  expect(height()).toBeGreaterThan(3 * folded);
});

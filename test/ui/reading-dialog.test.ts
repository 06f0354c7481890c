/** The dialog that asks which call is meant and whether it may run. */
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { ApprovalRequest, ReadingAnswer } from '../../src/contracts/permission';
import { show } from './show';
import { call } from './told';
import { slow } from '../support/matrix';

const search = (id: string, query: string): ApprovalRequest => ({
  id,
  chatId: 'chat',
  call: call(id, 'web_search', { query }),
  toolTitle: 'Web search',
  reason: 'first-search',
  targets: ['Wikipedia'],
  query,
  origins: [],
  offers: ['chat'],
  isLastChance: false,
});
const sum: ApprovalRequest = {
  id: 's',
  chatId: 'chat',
  call: call('s', 'calculator', { expression: '45*7' }),
  toolTitle: 'Calculator',
  reason: 'unasked',
  targets: [],
  origins: [],
  offers: [],
  isLastChance: false,
};

async function ask() {
  const shown = await show();
  const answers: ReadingAnswer[] = [];
  const question = { chatId: 'chat', readings: [search('a', 'rain man'), search('b', 'rain'), sum] };
  void shown.app.approvals
    .askForMeaning(question, new AbortController().signal)
    .then((answer) => answers.push(answer));
  const dialog = shown.screen.getByRole('dialog');
  await expect.element(dialog).toBeVisible();
  const button = (name: string) => dialog.getByRole('button', { name, exact: true });
  const press = async (name: string) => {
    await expect.element(button(name)).toBeEnabled();
    (button(name).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
  };
  return { ...shown, answers, dialog, button, press };
}

test('when a request is ambiguous, the dialog selects the most likely tool call first', async () => {
  const { dialog, answers, press, button } = await ask();
  const group = dialog.getByRole('group', { name: 'Did you mean' });
  expect(group.getByRole('radio').all()).toHaveLength(3);
  await expect.element(group.getByRole('radio', { name: 'rain man' })).toBeChecked();
  await expect.element(dialog.getByRole('figure', { name: 'Search words' })).toHaveTextContent(/^rain man$/);
  await expect.element(button('Deny')).toHaveFocus();
  await press('Allow in this chat');
  await expect.poll(() => answers).toEqual([{ reading: 0, answer: 'chat' }]);
  await expect.element(dialog).not.toBeInTheDocument();
});

slow(
  'after selecting another meaning, "Allow once" stays disabled briefly and then applies to that meaning',
  async () => {
    const { dialog, answers, press, button } = await ask();
    await expect.element(button('Allow once')).toBeEnabled();
    await dialog.getByRole('radio', { name: 'Web search rain', exact: true }).click();
    expect((button('Allow once').element() as HTMLButtonElement).disabled).toBe(true);
    await expect.element(dialog.getByRole('figure', { name: 'Search words' })).toHaveTextContent(/^rain$/);
    await press('Allow once');
    await expect.poll(() => answers).toEqual([{ reading: 1, answer: 'once' }]);
  },
);

slow('the permission dialog says when the selected tool call needs no permission', async () => {
  const { dialog, answers, press, button } = await ask();
  await dialog.getByRole('radio', { name: 'Calculator' }).click();
  await expect.element(dialog).toHaveTextContent('This one may run as it is');
  await expect.element(button('Allow in this chat')).not.toBeInTheDocument();
  await press('Allow once');
  await expect.poll(() => answers).toEqual([{ reading: 2, answer: 'once' }]);
});

slow(
  'closing the dialog denies the selected tool call, and "None of these" rejects all offered meanings',
  async () => {
    const none = await ask();
    await none.button('None of these').click();
    await expect.poll(() => none.answers).toEqual(['none']);
    const closed = await ask();
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => closed.answers).toEqual([{ reading: 0, answer: 'deny' }]);
  },
);

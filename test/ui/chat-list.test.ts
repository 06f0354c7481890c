import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { dayHeadingOf } from '../../src/ui/chats/sections';
import { chatRecord } from '../support/stored-chat';
import { show } from './show';
import { text, Told } from './told';
import { slow } from '../support/matrix';

const dayMs = 24 * 60 * 60 * 1000;

const three = () => {
  const now = Date.now();
  return [
    chatRecord('a', { title: 'Rent', updatedAt: now }),
    chatRecord('b', { title: 'Tokyo', updatedAt: now - 1 }),
    chatRecord('c', { title: '水费怎么算', updatedAt: now - 40 * dayMs }),
  ];
};

test('the list "Chats" contains every chat as a list item with a link', async () => {
  const { screen } = await show({ chats: three() });
  const list = screen.getByRole('list', { name: 'Chats' });
  await expect.element(list.getByRole('link', { name: 'Rent' })).toHaveAttribute('href', '#/chat/a');
  expect(
    list
      .getByRole('listitem')
      .elements()
      .map(({ textContent }) => textContent.trim()),
  ).toEqual(['Rent', 'Tokyo', '水费怎么算']);
});

test('a chat is listed under the heading of its day, which is not a list item', async () => {
  const { screen } = await show({ chats: three() });
  const items = screen.getByRole('listitem');
  await expect.element(items.nth(0)).toHaveAttribute('data-heading', 'Today');
  await expect.element(items.nth(1)).not.toHaveAttribute('data-heading');
  await expect.element(items.nth(2)).toHaveAttribute('data-heading', 'Earlier');
});

slow('the open chat is marked in the list of chats', async () => {
  const told = new Told().you('Hi').hearth([text('Hello')], 'answered').chat;
  const { screen } = await show({ chats: [...told.chats, ...three()], nodes: told.nodes });
  await expect
    .element(screen.getByRole('link', { name: 'What was asked' }))
    .toHaveAttribute('aria-current', 'page');
  await screen.getByRole('link', { name: 'Tokyo' }).click();
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Tokyo' })).toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'What was asked' }))
    .not.toHaveAttribute('aria-current');
});

slow('Enter renames a chat and moves the focus to its link', async () => {
  const { screen } = await show({ chats: three() });
  const item = screen.getByRole('listitem').nth(1);
  await item.hover();
  await item.getByRole('button', { name: 'Rename or delete' }).click();
  await screen.getByRole('button', { name: 'Rename', exact: true }).click();
  const box = screen.getByRole('textbox', { name: 'Name of the chat' });
  await expect.element(box).toHaveValue('Tokyo');
  await box.fill('Osaka');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('link', { name: 'Osaka' })).toHaveFocus();
  await expect.element(box).not.toBeInTheDocument();
});

slow.for([
  { by: 'Escape', keys: 'Osaka{Escape}' },
  { by: 'an empty name', keys: '{Backspace}{Enter}' },
])('a chat keeps its old name if renaming ends with $by', async ({ keys }) => {
  const { screen } = await show({ chats: three() });
  await screen.getByRole('button', { name: 'Rename or delete' }).nth(1).click({ force: true });
  await screen.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect.element(screen.getByRole('textbox', { name: 'Name of the chat' })).toHaveFocus();
  await userEvent.keyboard(keys);
  await expect.element(screen.getByRole('link', { name: 'Tokyo' })).toBeVisible();
});

slow('a chat is deleted after a confirmation, and the focus moves to "New chat"', async () => {
  const { screen } = await show({ chats: three() });
  const open = () => screen.getByRole('button', { name: 'Rename or delete' }).nth(1).click({ force: true });
  await open();
  await screen.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = screen.getByRole('dialog', { name: 'Delete “Tokyo”?' });
  await expect.element(dialog).toHaveTextContent('stays in the bin for 30 days');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(screen.getByRole('link', { name: 'Tokyo' })).toBeVisible();
  await open();
  await screen.getByRole('button', { name: 'Delete', exact: true }).click();
  await screen.getByRole('button', { name: 'Delete chat' }).click();
  await expect.element(screen.getByRole('link', { name: 'Tokyo' })).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'New chat' })).toHaveFocus();
});

slow('deleting the open chat opens a new one', async () => {
  const told = new Told().you('Hi').hearth([text('Hello')], 'answered');
  const { screen } = await show(told.chat);
  await screen.getByRole('button', { name: 'Rename or delete' }).click();
  await screen.getByRole('button', { name: 'Delete', exact: true }).nth(0).click();
  await screen.getByRole('button', { name: 'Delete chat' }).click();
  await expect.element(screen.getByText('What would you like to know?')).toBeVisible();
  await expect.element(screen.getByRole('article')).not.toBeInTheDocument();
});

test('a chat with a running turn is marked in the list, even while another chat is open', async () => {
  const { screen, message, script } = await show();
  await message.fill('Hi');
  await userEvent.keyboard('{Enter}');
  const item = screen.getByRole('listitem').nth(0);
  await expect.element(item).toHaveTextContent('Hearth is answering');
  await screen.getByRole('button', { name: 'New chat' }).click();
  await expect.element(screen.getByRole('button', { name: 'Stop' })).not.toBeInTheDocument();
  await expect.element(item).toHaveTextContent('Hearth is answering');
  script.end('answered', [text('Hello')]);
  await expect.element(item).not.toHaveTextContent('Hearth is answering');
});

test.for([
  { name: 'a minute after midnight', at: '2026-11-21T00:01', now: '2026-11-21T23:59', day: 'today' },
  { name: 'a minute before midnight', at: '2026-11-20T23:59', now: '2026-11-21T00:01', day: 'yesterday' },
  { name: 'the day before that', at: '2026-11-19T23:59', now: '2026-11-21T00:01', day: 'earlier' },
  { name: 'yesterday across a month', at: '2026-10-31T08:00', now: '2026-11-01T23:00', day: 'yesterday' },
  { name: 'a clock that was set back', at: '2026-11-22T08:00', now: '2026-11-21T08:00', day: 'today' },
] as const)('a chat is listed under $day: $name', ({ at, now, day }) => {
  expect(dayHeadingOf(Date.parse(at), Date.parse(now))).toBe(day);
});

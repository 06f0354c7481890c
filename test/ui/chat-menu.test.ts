import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { sectionsOf } from '../../src/ui/chats/sections';
import { chatRecord } from '../support/stored-chat';
import { show } from './show';
import { text, Told } from './told';
import { slow } from '../support/matrix';

const now = Date.now();
const three = () => [
  chatRecord('a', { title: 'Rent', updatedAt: now }),
  chatRecord('b', { title: 'Tokyo', updatedAt: now - 1 }),
  chatRecord('c', { title: '水费怎么算', updatedAt: now - 2 }),
];

async function showThree() {
  const shown = await show({ chats: three() });
  const { screen } = shown;
  const list = screen.getByRole('list', { name: 'Chats' });
  const titles = () =>
    list
      .getByRole('link')
      .elements()
      .map(({ textContent }) => textContent.trim());
  const openMenu = async (title: string) => {
    const item = screen.getByRole('listitem').filter({ hasText: title }).first();
    await item.getByRole('button', { name: 'Rename or delete' }).click({ force: true });
  };
  const choose = async (title: string, name: string) => {
    await openMenu(title);
    await screen.getByRole('button', { name, exact: true }).click();
  };
  return { ...shown, list, titles, openMenu, choose };
}

describe('the menu of a chat', () => {
  test('focuses its first item when it opens, and Escape returns the focus to its button', async () => {
    const { screen, openMenu } = await showThree();
    await openMenu('Tokyo');
    await expect.element(screen.getByRole('button', { name: 'Pin', exact: true })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('button', { name: 'Rename or delete' }).nth(1)).toHaveFocus();
  });

  test('pins and unpins the chat', async () => {
    const { list, titles, choose } = await showThree();
    await choose('Tokyo', 'Pin');
    await expect.poll(titles).toEqual(['Tokyo', 'Rent', '水费怎么算']);
    await expect.element(list.getByRole('listitem').first()).toHaveAttribute('data-heading', 'Pinned');
    await choose('Tokyo', 'Unpin');
    await expect.poll(titles).toEqual(['Rent', 'Tokyo', '水费怎么算']);
  });

  slow('archives the chat, which then appears in the archive', async () => {
    const { screen, titles, choose } = await showThree();
    await choose('Tokyo', 'Archive');
    await expect.poll(titles).toEqual(['Rent', '水费怎么算']);
    await screen.getByRole('link', { name: 'Archive' }).click();
    await expect.element(screen.getByRole('heading', { level: 1, name: 'Archive' })).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Tokyo' })).toBeVisible();
    await screen.getByRole('button', { name: 'Put back into the list' }).click();
    await expect.poll(titles).toEqual(['Rent', 'Tokyo', '水费怎么算']);
    await expect.element(screen.getByText('Nothing is archived.')).toBeVisible();
  });

  slow('moves the chat into a new folder that can be collapsed, renamed and deleted', async () => {
    const { screen, titles, choose } = await showThree();
    await choose('Tokyo', 'Move to a folder');
    const box = screen.getByRole('textbox', { name: 'Name of the folder' });
    await expect.element(box).toHaveFocus();
    await box.fill('Travel 旅行');
    await userEvent.keyboard('{Enter}');
    const inFolder = screen.getByRole('list', { name: 'Travel 旅行' });
    await expect.element(inFolder.getByRole('link', { name: 'Tokyo' })).toBeVisible();
    expect(titles()).toEqual(['Rent', '水费怎么算']);

    const folder = screen.getByRole('button', { name: /Travel 旅行/ });
    await folder.click();
    await expect.element(inFolder).not.toBeInTheDocument();
    await expect.element(folder).toHaveAttribute('aria-expanded', 'false');
    await screen.getByRole('button', { name: 'Change this folder' }).click();
    await screen.getByRole('button', { name: 'Rename', exact: true }).click();
    await screen.getByRole('textbox', { name: 'Name of the folder' }).fill('Trips');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('button', { name: /^Trips/ })).toHaveFocus();

    await screen.getByRole('button', { name: 'Change this folder' }).click();
    await screen.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(titles).toEqual(['Rent', 'Tokyo', '水费怎么算']);
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.element(screen.getByRole('button', { name: /^Trips/ })).toBeVisible();
    await expect.poll(titles).toEqual(['Rent', '水费怎么算']);
  });

  slow('makes a copy of the chat', async () => {
    const told = new Told().you('Hi').hearth([text('Hello')], 'answered');
    const { screen } = await show(told.chat);
    await screen.getByRole('button', { name: 'Rename or delete' }).first().click();
    await screen.getByRole('button', { name: 'New chat from here' }).click();
    await expect.element(screen.getByRole('heading', { level: 1, name: 'What was asked (2)' })).toBeVisible();
    await expect.element(screen.getByText('Hello')).toBeVisible();
  });
});

describe('a selection of several chats', () => {
  slow('can be deleted and restored together', async () => {
    const { screen, titles, choose } = await showThree();
    await choose('Tokyo', 'Select several');
    await expect.element(screen.getByRole('checkbox', { name: 'Tokyo' })).toBeChecked();
    await screen.getByRole('checkbox', { name: 'Rent' }).click();
    const bar = screen.getByRole('toolbar', { name: 'Selected chats' });
    await expect.element(bar).toHaveTextContent('2 selected');
    await bar.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(titles).toEqual(['水费怎么算']);
    await expect.element(screen.getByText('2 chats were deleted.')).toBeVisible();
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => titles().toSorted()).toEqual(['Rent', 'Tokyo', '水费怎么算']);
  });

  test('is cancelled by Escape without changing the chats', async () => {
    const { titles, choose } = await showThree();
    await choose('Tokyo', 'Select several');
    await userEvent.keyboard('{Escape}');
    await expect.poll(titles).toEqual(['Rent', 'Tokyo', '水费怎么算']);
  });
});

slow('the bin restores a chat, or deletes it permanently after a confirmation', async () => {
  const { calls, screen, choose } = await showThree();
  await choose('Tokyo', 'Delete');
  await screen.getByRole('button', { name: 'Delete chat' }).click();
  await screen.getByRole('link', { name: 'Bin' }).click();
  const row = screen.getByRole('list', { name: 'Bin' }).getByRole('listitem');
  await expect.element(row).toHaveTextContent(/Tokyo\s*Chat, deleted/);
  await row.getByRole('button', { name: 'Restore' }).click();
  await expect.element(screen.getByRole('link', { name: 'Tokyo' })).toBeVisible();
  await row.getByRole('button', { name: 'Delete for good' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Delete “Tokyo” for good?' });
  await expect.element(dialog).toHaveTextContent('cannot be undone');
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await expect
    .poll(() => calls)
    .toContainEqual(['purge', expect.objectContaining({ kind: 'chat', id: 'b' })]);
});

describe('a list of thousands of chats', () => {
  const many = () =>
    Array.from({ length: 3000 }, (_, at) =>
      chatRecord(`c${at}`, { title: `Chat ${at}`, updatedAt: now - at }),
    );

  test('renders only the visible rows, and renders more rows on scrolling', async () => {
    const { screen } = await show({ chats: many() });
    const items = () => screen.getByRole('list', { name: 'Chats' }).getByRole('listitem').elements();
    await expect.element(screen.getByRole('link', { name: 'Chat 0', exact: true })).toBeVisible();
    expect(items().length).toBeLessThan(200);
    expect(items()[1]).toHaveAttribute('aria-setsize', '3000');
    const scroller = items()[0]!.closest('.area')!;
    for (const part of [0.5, 1]) {
      scroller.scrollTop = part * scroller.scrollHeight;
      await expect
        .poll(() => {
          const { top, left, height } = scroller.getBoundingClientRect();
          return document.elementFromPoint(left + 30, top + height - 30)?.closest('li')?.ariaPosInSet;
        })
        .toMatch(part === 1 ? /^(2999|3000)$/ : /^15\d\d$/);
      expect(items().length).toBeLessThan(200);
    }
    expect(items().at(-1)).toHaveAttribute('aria-posinset', '3000');
  });

  test('groups chats by folder, pinned state and date', () => {
    const folder = { id: 'f', name: 'F', isFolded: false, createdAt: 1 };
    const { folders, rest } = sectionsOf(
      [
        chatRecord('x', { updatedAt: now, folderId: 'f' }),
        chatRecord('y', { updatedAt: now, archivedAt: 1 }),
        chatRecord('z', { updatedAt: now, folderId: 'gone' }),
        chatRecord('p', { updatedAt: 1, pinnedAt: 5, folderId: 'f' }),
      ],
      [folder],
      now,
    );
    expect(folders[0]?.chats.map(({ chat }) => chat.id)).toEqual(['x']);
    expect(rest.map(({ chat, heading }) => [chat.id, heading])).toEqual([
      ['p', 'pinned'],
      ['z', 'today'],
    ]);
  });
});

import { expect, test } from 'vitest';
import type { Grant } from '../../src/contracts/permission';
import { chatRecord } from '../support/stored-chat';
import { show } from './show';
import { slow } from '../support/matrix';

const grant = (id: string, changed: Partial<Grant> = {}): Grant => ({
  id,
  tool: 'fetch_page',
  revision: '',
  target: 'a.example',
  chatId: null,
  createdAt: Date.UTC(2026, 10, 21),
  ...changed,
});

async function showList(grants: Grant[]) {
  const shown = await show({ grants, chats: [chatRecord('a', { title: 'Lighthouses' })] });
  await shown.screen.getByRole('link', { name: 'Settings' }).click();
  await expect.element(shown.screen.getByRole('heading', { name: 'Permissions' })).toBeVisible();
  return { ...shown, list: shown.screen.getByRole('list', { name: 'Permissions' }) };
}

test('an empty list of permissions says that there are none', async () => {
  const { screen, list } = await showList([]);
  await expect.element(screen.getByText('Nothing is allowed for more than one call.')).toBeVisible();
  await expect.element(list).not.toBeInTheDocument();
});

slow.for<[name: string, changed: Partial<Grant>, says: RegExp]>([
  ['a host in every chat', {}, /fetch_page\s*a\.example\s*In every chat, since Nov 2\d, 2026/],
  ['a host in one chat', { chatId: 'a' }, /a\.example\s*In the chat “Lighthouses”, since/],
  ['a search', { tool: 'web_search', target: 'search:wikipedia' }, /searches with wikipedia/],
  ['a change', { target: 'change:' }, /changes something\s*In every chat/],
  ['a change at a host', { target: 'change:a.example' }, /changes something at a\.example/],
  [
    'a host with non-ASCII letters',
    { target: 'xn--bcher-kva.example' },
    /xn--bcher-kva\.example \(bücher\.example\)/,
  ],
])('each permission is described in a sentence: %s', async ([, changed, says]) => {
  const { list } = await showList([grant('1', changed)]);
  await expect.element(list.getByRole('listitem')).toHaveTextContent(says);
});

slow('a long list of permissions scrolls, and the keyboard reaches its last entry', async () => {
  const grants = Array.from({ length: 60 }, (_, place) => grant(`${place}`, { target: `h${place}.example` }));
  const { list } = await showList(grants);
  await expect.element(list.getByRole('listitem').nth(59)).toBeInTheDocument();
  expect(list.element().clientHeight).toBeLessThan(innerHeight);
  const last = list.getByRole('button', { name: 'Take back: fetch_page, h59.example' });
  (last.element() as HTMLElement).focus();
  await expect.element(last).toBeInViewport();
});

slow('each permission has a button that revokes it', async () => {
  const { calls, list } = await showList([grant('1'), grant('2', { target: 'b.example' })]);
  await list.getByRole('button', { name: 'Take back: fetch_page, b.example' }).click();
  await expect.poll(() => calls).toEqual([['removeGrant', '2']]);
});

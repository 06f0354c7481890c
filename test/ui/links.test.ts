import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { show } from './show';
import { call, result, text, Told } from './told';

const long = `https://a.example/?${'d'.repeat(80)}`;

/** A chat with such an answer, after a page was read or without. Nothing is opened: the test keeps the browser from it. */
async function answered(answer: string, isOutside = false) {
  const told = new Told().you('Hi');
  if (isOutside) {
    told
      .hearth([call('c1', 'fetch_page', { url: 'https://news.example/' })])
      .results({ ...result('c1', 'fetch_page', 'News'), sources: ['news.example'] });
  }
  const { screen } = await show(told.hearth([text(answer)], 'answered').chat);
  const followed: string[] = [];
  const stay = (event: Event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a[target=_blank]') : null;
    if (anchor instanceof HTMLAnchorElement && !event.defaultPrevented) followed.push(anchor.href);
    event.preventDefault();
  };
  window.addEventListener('click', stay);
  return { screen, followed, end: () => window.removeEventListener('click', stay) };
}

test('a plain link is followed at once', async () => {
  const { screen, followed, end } = await answered('See [more](https://a.example/b).');
  await screen.getByRole('link', { name: 'more' }).click();
  expect(followed).toEqual(['https://a.example/b']);
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  end();
});

test.for([
  { name: 'a label that names another host', answer: '[b.example](https://a.example/)', isOutside: false },
  { name: 'a long address beside outside text', answer: `[more](${long})`, isOutside: true },
  { name: 'a host in other letters', answer: '[more](https://bücher.example/)', isOutside: false },
  { name: 'a picture with a long address beside outside text', answer: `![more](${long})`, isOutside: true },
])('$name is shown first, and followed only from there', async ({ answer, isOutside }) => {
  const { screen, followed, end } = await answered(answer, isOutside);
  await screen.getByRole('article', { name: 'Hearth' }).getByRole('link').click();
  const dialog = screen.getByRole('dialog', { name: /^Open / });
  await expect.element(dialog).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible();
  expect(followed).toEqual([]);
  const open = dialog.getByRole('link', { name: 'Open in a new tab' });
  await expect.element(open).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  await open.click();
  expect(followed).toHaveLength(1);
  await expect.element(dialog).not.toBeInTheDocument();
  end();
});

test('a long address is followed at once where no outside text is', async () => {
  const { screen, followed, end } = await answered(`[more](${long})`);
  await screen.getByRole('link', { name: 'more' }).click();
  expect(followed).toEqual([long]);
  end();
});

test('closed, it leads nowhere', async () => {
  const { screen, followed, end } = await answered(`[more](${long})`, true);
  await screen.getByRole('link', { name: 'more' }).click();
  await expect.element(screen.getByRole('dialog')).toHaveTextContent(long);
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  expect(followed).toEqual([]);
  end();
});

import { tick } from 'svelte';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { show } from './show';
import { call, result, text, Told } from './told';
import { slow } from '../support/matrix';

const long = `https://a.example/?${'d'.repeat(80)}`;

/** Shows a chat with this answer, optionally after a page was read. The test prevents the browser from opening anything. */
async function answered(answer: string, isOutside = false) {
  const told = new Told().you('Hi');
  if (isOutside) {
    told.hearth([call('c1', 'fetch_page', { url: 'https://news.example/' })]).results({
      ...result('c1', 'fetch_page', 'News: https://found.example/story'),
      origins: [{ door: 'page', name: 'news.example' }],
    });
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

test('an ordinary link in an answer opens at once', async () => {
  const { screen, followed, end } = await answered('See [more](https://a.example/b).');
  await screen.getByRole('link', { name: 'more' }).click();
  expect(followed).toEqual(['https://a.example/b']);
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  end();
});

slow.for([
  { name: 'a label that names another host', answer: '[b.example](https://a.example/)', isOutside: false },
  { name: 'a host with non-ASCII letters', answer: '[more](https://bücher.example/)', isOutside: false },
  { name: 'a long address beside outside text', answer: `[more](${long})`, isOutside: true },
  { name: 'a short address beside outside text', answer: '[more](https://a.example/b)', isOutside: true },
  {
    name: 'a host that carries words',
    answer: '[Opening hours](https://our.talk.a.example)',
    isOutside: true,
  },
  { name: 'a part of an address that was found', answer: '[more](https://found.example/)', isOutside: true },
  { name: 'a bare address beside outside text', answer: 'https://a.example/b', isOutside: true },
  { name: 'a picture with a long address beside outside text', answer: `![more](${long})`, isOutside: true },
])('a suspicious link shows its address before it opens: $name', async ({ answer, isOutside }) => {
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

test('a link pressed right after its dialog was cancelled shows its address again', async () => {
  const { screen, end } = await answered('[b.example](https://a.example/)');
  const link = screen.getByRole('article', { name: 'Hearth' }).getByRole('link');
  await link.click();
  const cancel = screen.getByRole('dialog').getByRole('button', { name: 'Cancel' });
  await expect.element(cancel).toBeVisible();
  cancel.element().dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await tick();
  link.element().dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  // Waits until after the frame in which the event comes.
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  await expect.element(screen.getByRole('dialog', { name: /^Open / })).toBeVisible();
  end();
});

test('a link from a tool result opens at once, even in a chat with outside text', async () => {
  const { screen, followed, end } = await answered('See [the story](https://found.example/story).', true);
  await screen.getByRole('link', { name: 'the story', exact: true }).click();
  expect(followed).toEqual(['https://found.example/story']);
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  end();
});

test('a link to an address that the user typed shows no warning', async () => {
  const told = new Told()
    .you('Look at news.example/a')
    .hearth([call('c1', 'fetch_page', { url: 'https://news.example/a' })]);
  told.results({ ...result('c1', 'fetch_page', 'News'), origins: [{ door: 'page', name: 'news.example' }] });
  told.hearth([text('[There](https://news.example/a)')], 'answered');
  const { screen } = await show(told.chat);
  await expect.element(screen.getByRole('link', { name: 'There', exact: true })).toBeVisible();
});

test('a link that the model made up shows its host unless the link text already contains the host', async () => {
  const { screen, end } = await answered(
    '[Hours](https://our.talk.a.example/), [a.example](https://a.example/b), https://a.example/c',
    true,
  );
  const links = screen.getByRole('article', { name: 'Hearth' }).getByRole('link');
  await expect.element(links.first()).toHaveTextContent('Hours (our.talk.a.example)');
  expect(links.elements().map((link) => link.textContent)).toEqual([
    'Hours (our.talk.a.example)',
    'a.example',
    'https://a.example/c',
  ]);
  end();
});

test('a link with a long address opens at once in a chat without outside text', async () => {
  const { screen, followed, end } = await answered(`[more](${long})`);
  await screen.getByRole('link', { name: 'more' }).click();
  expect(followed).toEqual([long]);
  end();
});

test('a link does not open if the user closes its dialog', async () => {
  const { screen, followed, end } = await answered(`[more](${long})`, true);
  await screen.getByRole('link', { name: 'more' }).click();
  await expect.element(screen.getByRole('dialog')).toHaveTextContent(long);
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  expect(followed).toEqual([]);
  end();
});

slow('a focused link shows its address', async () => {
  const { screen, end } = await answered(
    'See [more](https://a.example/b), and [a host](https://bücher.example).',
  );
  const place = () => document.querySelector('.link-place:popover-open')?.textContent;
  const link = screen.getByRole('link', { name: 'more' });
  await expect.element(link).toBeVisible();
  (document.activeElement as HTMLElement | null)?.blur();
  while (document.activeElement?.getAttribute('href') !== 'https://a.example/b') await userEvent.tab();
  await expect.poll(place).toBe('a.example/b');
  await userEvent.tab();
  await expect.poll(place).toBe('xn--bcher-kva.example');
  await userEvent.tab();
  await expect.poll(place).toBe(undefined);
  end();
});

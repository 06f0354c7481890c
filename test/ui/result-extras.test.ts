/** What a result contains besides text: pictures that need no request, and links that show their address. */
import { expect, test } from 'vitest';
import type { ToolResult } from '../../src/contracts/message';
import { show } from './show';
import { call, result, Told } from './told';
import { slow } from '../support/matrix';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const text = { type: 'text', text: 'Here it is.' } as const;
const answered = (...content: ToolResult['content']) =>
  new Told()
    .you('A picture?')
    .hearth([call('c1', 'echo', {})])
    .results({ ...result('c1', 'echo', ''), content: [text, ...content] })
    .hearth([text], 'answered').chat;

test('a picture in a tool result is visible without expanding the tool call', async () => {
  const { screen } = await show(answered({ type: 'image', data: pixel, mimeType: 'image/png' }));
  const picture = screen.getByRole('img', { name: 'Picture 1 of 1 from echo' });
  await expect.element(picture).toBeVisible();
  await expect.element(picture).toHaveAttribute('src', `data:image/png;base64,${pixel}`);
});

test('an SVG picture in a tool result is not displayed', async () => {
  const { screen } = await show(
    answered(
      { type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' },
      { type: 'image', data: pixel, mimeType: 'image/gif' },
    ),
  );
  await expect.element(screen.getByRole('img', { name: 'Picture 1 of 1 from echo' })).toBeInTheDocument();
});

slow('a web link in a tool result shows its full address before it opens', async () => {
  const { screen } = await show(
    answered(
      { type: 'link', uri: 'https://docs.example.org/a?b=c', title: 'The manual' },
      { type: 'link', uri: 'javascript:alert(1)', title: 'Odd' },
      { type: 'link', uri: 'demo://resource/1', title: 'Resource 1' },
    ),
  );
  const card = screen.getByRole('group', { name: 'echo: done' });
  await card.getByRole('button').click();
  expect(card.getByRole('figure', { name: 'Result' }).element().textContent).toBe(
    'Here it is.\nThe manual: https://docs.example.org/a?b=c\nOdd: javascript:alert(1)\nResource 1: demo://resource/1',
  );
  const links = card.getByRole('list', { name: 'Links' });
  await expect.element(links).toHaveTextContent('demo://resource/1');
  expect(links.getByRole('link').elements().length).toBe(1);
  await links.getByRole('link', { name: 'The manual' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Open docs.example.org?' });
  await expect.element(dialog.getByRole('link')).toHaveAttribute('href', 'https://docs.example.org/a?b=c');
});

/** Pictures in messages: scaled down outside the page's thread, shown to a model with vision, and never silently ignored by one without. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CompletionBody,
  type CompletionsServer,
  openCompletionsServer,
  type ScriptedReply,
} from '../support/completions-server';
import { withExif } from '../support/exif';
import { makePng } from '../support/pictures';
import { typeEndpoint, useEndpoint } from './endpoint-steps';
import { ask, dumpDatabase, openSite, type Site, turnEnds } from './site';
import { slow } from '../support/matrix';

const red = [220, 30, 30] as const;
const blue = [30, 30, 220] as const;
const model = 'test-model';

let server: CompletionsServer;
let site: Site;
beforeAll(async () => {
  server = await openCompletionsServer();
  server.decide = ({ tools, messages }: CompletionBody): ScriptedReply => {
    if (tools?.[0]?.function.name === 'add_numbers') return { text: '42' };
    return { text: messages.at(-1)?.parts ? 'Yellow, I see it.' : 'I see nothing.' };
  };
  site = await openSite({ folder: 'dist-e2e' });
  site.expectErrors(/Failed to load resource|net::ERR|CORS policy/);
});
afterAll(async () => {
  await site.close();
  await server.close();
});

const file = (name: string, content: Buffer, mimeType: string) => ({ name, mimeType, buffer: content });
const attach = (...files: ReturnType<typeof file>[]) =>
  site.page.locator('input[type=file]').setInputFiles(files);
const chips = () => site.page.getByRole('list', { name: 'Goes with the message' });
const note = () => site.page.getByRole('status').filter({ hasText: 'sees no pictures' });
const newChat = () => site.page.getByRole('button', { name: 'New chat' }).first().click();

/** Returns the pictures that the server received last. */
function shown(): Buffer[] {
  const parts = server.requests.at(-1)?.body.messages.at(-1)?.parts ?? [];
  return parts.flatMap(({ image_url: picture }) =>
    picture?.url ? [Buffer.from(picture.url.replace(/^.*,/, ''), 'base64')] : [],
  );
}

/** Returns everything stored except the files themselves. */
async function otherRows(page: Page): Promise<string> {
  const rows = Object.entries(await dumpDatabase(page));
  return rows.flatMap(([table, text]) => (table === 'attachments' ? [] : text)).join('\n');
}

/** Returns the size, and the colour near each end of the longer side. */
async function look(page: Page, picture: Buffer) {
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const { width, height } = bitmap;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    const at = (x: number, y: number) => {
      const [r = 0, , b = 0] = context.getImageData(x, y, 1, 1).data;
      return r > 150 && b < 100 ? 'red' : b > 150 && r < 100 ? 'blue' : 'other';
    };
    return { width, height, first: at(4, 4), last: at(width - 5, height - 5) };
  }, picture.toString('base64'));
}

/** Takes a picture with a camera held sideways: wide in the file, tall for the viewer. */
async function photograph(page: Page): Promise<Buffer> {
  const data = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(3000, 2000);
    const context = canvas.getContext('2d')!;
    context.fillStyle = 'rgb(220 30 30)';
    context.fillRect(0, 0, 1500, 2000);
    context.fillStyle = 'rgb(30 30 220)';
    context.fillRect(1500, 0, 1500, 2000);
    const blob = await canvas.convertToBlob({ type: 'image/jpeg' });
    return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
  });
  return Buffer.from(withExif(Buffer.from(data, 'base64'), 6, 'Taken at 51.5 north'));
}

test('attaching a picture for a model without vision shows a warning with alternatives', async () => {
  const { page } = site;
  await page.getByRole('button', { name: 'Attach' }).waitFor();
  await attach(file('halves.png', makePng(2400, 1200, red, blue), 'image/png'));
  const chip = chips().getByRole('button', { name: 'Look into halves.png' });
  await expect.poll(() => chip.innerText()).toMatch(/halves\.png\s+picture, [\d.]+ kB/);
  await note().getByRole('link', { name: 'Find a model that sees' }).waitFor();
  await expect
    .poll(() => chip.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(1516);
  await page.getByRole('button', { name: 'Remove halves.png' }).click();
  await expect.poll(() => note().count()).toBe(0);
});

slow('a model server with vision gets a small, upright picture without metadata', async () => {
  const { page } = site;
  const form = await typeEndpoint(page, { address: server.origin });
  await form.getByRole('button', { name: 'Try it' }).click();
  await form.getByRole('button', { name: `Allow ${server.origin}, and try` }).click();
  await form.getByText('It sees pictures').waitFor();
  expect(await form.getByRole('switch', { name: 'Pictures are shown to it' }).isChecked()).toBe(true);
  await form.getByRole('button', { name: 'Close' }).click();
  await useEndpoint(page, model);
  await newChat();
  await attach(
    file('camera.jpg', await photograph(page), 'image/jpeg'),
    file('wrong name.txt', makePng(40, 20, blue, red), 'text/plain'),
  );
  await expect.poll(() => chips().locator('img').count()).toBe(2);
  expect(await note().count()).toBe(0);
  await ask(page, 'What do you see?');
  await turnEnds(page);
  await page.getByText('Yellow, I see it.').waitFor();
  const [camera, plain] = shown();
  expect(await look(page, camera!)).toEqual({ width: 875, height: 1313, first: 'red', last: 'blue' });
  expect(camera!.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  expect(camera!.toString('latin1')).not.toMatch(/Exif|51\.5/);
  expect(await look(page, plain!)).toEqual({ width: 40, height: 20, first: 'blue', last: 'red' });
  // The stored request names the picture and does not contain it.
  const rows = await otherRows(page);
  expect(rows).toContain('data:image/jpeg;base64,(');
  expect(rows).not.toContain(camera!.toString('base64').slice(100, 200));
});

slow('a picture is shown with its question, opens large, can be saved and survives a reload', async () => {
  const { page } = site;
  await page.reload();
  const files = page.getByRole('list', { name: 'Files of this question' });
  await files.getByRole('button', { name: 'Look into camera.jpg' }).click();
  const view = page.getByRole('dialog', { name: 'camera.jpg' });
  await view.getByRole('img', { name: 'The picture camera.jpg' }).waitFor();
  expect(await view.textContent()).toMatch(/875 × 1,313 pixels · [\d.]+ kB/);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    view.getByRole('button', { name: 'Save the file' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('camera.jpg');
  await page.keyboard.press('Escape');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toMatch(/^Look into camera\.jpg picture, /);
  // The next question sends it again, because the whole chat is sent.
  await ask(page, 'And now?');
  await turnEnds(page);
  const told = server.requests.at(-1)?.body.messages.flatMap(({ parts = [] }) => parts) ?? [];
  expect(told.filter(({ type }) => type === 'image_url')).toHaveLength(2);
});

slow(
  'a model without vision learns that it cannot see a picture, and a model with vision is offered',
  async () => {
    const { page } = site;
    await page.getByRole('button', { name: new RegExp(`^${model} ·`) }).click();
    await page
      .getByRole('list', { name: 'Model in this chat' })
      .getByRole('button', { name: /^Scripted/ })
      .click();
    await ask(page, 'prompt');
    await turnEnds(page);
    expect(await otherRows(page)).toContain('you see no pictures');
    await attach(file('one more.png', makePng(40, 20, blue), 'image/png'));
    await note()
      .getByRole('button', { name: `Let ${model} answer` })
      .click();
    await expect.poll(() => note().count()).toBe(0);
    await page.getByRole('button', { name: new RegExp(`^${model} ·`) }).waitFor();
  },
);

/** A model on a server, in the built site: marked wherever it is chosen, shown or logged, and its chat goes to its host alone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { typeEndpoint, useEndpoint } from './endpoint-steps';
import { articleOf, openModels } from './model-steps';
import { openOutside, type Outside } from './outside';
import { sendJson } from './outside-answers';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';
import { slow } from '../support/matrix';

const host = 'models.example.com';
const name = 'large-model';
const event = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;

let outside: Outside;
let site: Site;
beforeAll(async () => {
  outside = await openOutside();
  site = await openSite({ folder: 'dist-e2e', outside });
  outside.serve(host, ({ path }, response) => {
    if (path.endsWith('/models')) sendJson(response, { data: [{ id: name, max_model_len: 32_768 }] });
    else
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`${event({ content: 'Far away.' })}${event({}, 'stop')}data: [DONE]\n\n`);
  });
});
afterAll(async () => {
  await site.close();
  outside.close();
});

test('invariant: a model on a server is marked "leaves this device" on its card, in menus and in its chat', async () => {
  const { page } = site;
  const form = await typeEndpoint(page, { address: host });
  await form.getByRole('button', { name: 'Try it' }).click();
  const article = articleOf(page, name);
  await article.getByText('Leaves this device', { exact: true }).waitFor();
  expect(await article.innerText()).toContain(`A chat with it leaves this device: it goes to ${host}.`);
  // The server has one model. It was tested and calls no tool natively.
  expect(await article.innerText()).toMatch(/Tool calls by Hearth’s prompt\. Reads 32,768 tokens/);
  await form.getByRole('button', { name: 'Close' }).click();
  await useEndpoint(page, name);

  await page.getByRole('button', { name: 'New chat' }).click();
  const main = page.getByRole('main');
  await expect.poll(() => main.innerText()).toContain('leaves this device');
  expect(await main.innerText()).toContain(`This chat leaves this device, for the server of ${name}.`);
  await page
    .getByRole('button', { name: new RegExp(name) })
    .first()
    .click();
  await page.getByRole('list', { name: 'Model in this chat' }).getByText('leaves this device').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Personas' }).click();
  await page.getByRole('button', { name: 'New persona' }).click();
  const choices = page.getByLabel('Model', { exact: true });
  await expect.poll(() => choices.innerText()).toContain(`${name} · Leaves this device`);
  await choices.selectOption(name);
});

slow("a server's model that has the same name as the built-in model is renamed", async () => {
  const { page } = site;
  const other = 'others.example.com';
  outside.serve(other, ({ path }, response) => {
    if (path.endsWith('/models')) sendJson(response, { data: [{ id: 'ember' }] });
    else
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`${event({ content: 'From the server.' })}${event({}, 'stop')}data: [DONE]\n\n`);
  });
  const form = await typeEndpoint(page, { address: other });
  await form.getByRole('button', { name: 'Try it' }).click();
  await form.getByText('ember answers.').waitFor();
  await form.getByRole('button', { name: 'Close' }).click();
  await articleOf(page, 'ember').getByRole('button', { name: 'Use', exact: true }).waitFor();
  await useEndpoint(page, `ember (${other})`);
  await page.getByRole('button', { name: 'New chat' }).click();
  await ask(page, 'Where are you?');
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('From the server.');
  await useModelAgain();
});

/** Restores the model for the following tests. */
async function useModelAgain(): Promise<void> {
  await openModels(site.page);
  await useEndpoint(site.page, name);
}

test("a chat with a server's model contacts only that server, and its requests are logged", async () => {
  const { page } = site;
  outside.forget();
  await page.getByRole('button', { name: 'New chat' }).click();
  await ask(page, 'Where are you?');
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('Far away.');
  expect(new Set(outside.requests.map((request) => request.host))).toEqual(new Set([host]));
  for (const { headers } of outside.requests) expect(headers['referer']).toBeUndefined();
  await page.getByRole('link', { name: 'Settings' }).click();
  const row = page.getByRole('table', { name: 'Requests' }).getByRole('row').nth(1);
  expect(await row.innerText()).toMatch(/endpoint[^]*models\.example\.com[^]*Answered \(200\)/);
});

slow('an unsaved form for a model server survives a reload, except for the API key', async () => {
  const { page } = site;
  const form = await typeEndpoint(page, { address: 'http://half.writ', key: 'sk-half', model: 'half-typed' });
  await page.reload();
  await expect.poll(() => form.getByLabel('Address').inputValue()).toBe('http://half.writ');
  expect(await form.getByLabel('Model').inputValue()).toBe('half-typed');
  expect(await form.getByLabel('Key').inputValue()).toBe('');
  await form.getByText('You wrote this earlier').waitFor();
  const held = () => page.evaluate(() => JSON.stringify(localStorage));
  expect(await held()).not.toContain('sk-half');
  await form.getByRole('button', { name: 'Close' }).click();
  expect(await held()).not.toContain('half-typed');
});

test('the form hides the API key that a server repeats in its refusal', async () => {
  const { page } = site;
  const key = 'sk-canary-5f2e9a7c1d';
  outside.serve('repeats.example.com', (_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `No: ${key} ${Buffer.from(key).toString('base64')}` } }));
  });
  const form = await typeEndpoint(page, { address: 'repeats.example.com', key, model: 'any' });
  await form.getByRole('button', { name: 'Try it' }).click();
  const alert = form.getByRole('alert');
  await alert.getByText('No: [key] [key]').waitFor();
  await form.getByRole('button', { name: 'Close' }).click();
});

/** An agent whose persona names a model on a server is answered by that model, next to the model of the chat, and nothing is loaded for it. */
import { afterAll, beforeAll, expect } from 'vitest';
import { thorough, slow } from '../support/matrix';
import { type CompletionsServer, openCompletionsServer } from '../support/completions-server';
import { calling, cardOf, keepPersonas, resultIn, script } from './agent-steps';
import { typeEndpoint } from './endpoint-steps';
import { articleOf } from './model-steps';
import { openOutside, type Outside } from './outside';
import { sendJson } from './outside-answers';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

const far = { host: 'models.example.com', name: 'large-model' };
const near = 'test-model';

let server: CompletionsServer;
let outside: Outside;
let site: Site;
beforeAll(async () => {
  server = await openCompletionsServer();
  outside = await openOutside();
  site = await openSite({ folder: 'dist-e2e', outside });
  site.expectErrors(/Failed to load resource/);
  const event = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;
  outside.serve(far.host, ({ path }, response) => {
    if (path.endsWith('/models')) sendJson(response, { data: [{ id: far.name }] });
    else
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`${event({ content: 'O far spring!' })}${event({}, 'stop')}data: [DONE]\n\n`);
  });
  const { page } = site;
  const form = await typeEndpoint(page, { address: server.origin });
  await form.getByRole('button', { name: 'Try it' }).click();
  await form.getByRole('button', { name: `Allow ${server.origin}, and try` }).click();
  await articleOf(page, near).waitFor();
  await form.getByRole('button', { name: 'Close' }).click();
  const other = await typeEndpoint(page, { address: far.host });
  await other.getByRole('button', { name: 'Try it' }).click();
  await articleOf(page, far.name).waitFor();
  await other.getByRole('button', { name: 'Close' }).click();
  const model = { engine: 'endpoint', bytes: 0 };
  await page.getByRole('button', { name: 'New chat' }).click();
  await keepPersonas(page, [
    { name: 'Writer', model: { ...model, id: near, name: near, place: 'loopback' } },
    { name: 'Poet', model: { ...model, id: far.name, name: far.name, place: 'elsewhere' } },
  ]);
  server.forget();
});
afterAll(async () => {
  await site.close();
  outside.close();
  await server.close();
});

const chats = () => server.requests.filter(({ path }) => path.endsWith('/chat/completions'));

thorough('an agent on a local model server needs no permission, and its card names the server', async () => {
  const { page } = site;
  server.say({ text: 'O near spring!' });
  await page.getByRole('button', { name: 'New chat' }).click();
  await ask(page, script(calling('writer', { request: 'An ode' }), 'It says: {{result}}'));
  await turnEnds(page);
  const card = cardOf(lastReply(page), 'writer');
  expect(await resultIn(card)).toBe('O near spring!');
  await card.getByText(`Its model: ${near}, on this device’s server.`).waitFor();
  const [asked] = chats();
  expect(chats()).toHaveLength(1);
  expect(asked?.body.messages[0]?.content).toMatch(/^You are Writer\./);
  expect(asked?.body.messages.at(-1)?.content).toBe('An ode');
  await lastReply(page).getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('dialog', { name: 'Details of this answer' });
  await details
    .getByText(`writer was answered by its own model, ${near}, on this device’s server.`)
    .waitFor();
  await page.keyboard.press('Escape');
  // Everything is there after a reload.
  await page.reload();
  await cardOf(lastReply(page), 'writer').getByText(`Its model: ${near}`).waitFor();
});

slow('an agent whose model server fails shows the error and a next step on its card', async () => {
  const { page } = site;
  server.forget();
  server.say({ status: 401, headers: { 'content-type': 'application/json' }, body: '{"error": "Bad key"}' });
  await page.getByRole('button', { name: 'New chat' }).click();
  await ask(page, script(calling('writer', { request: 'An ode' }), 'I could not.'));
  await turnEnds(page);
  const card = cardOf(lastReply(page), 'writer');
  await card.getByText(new RegExp(`The server of ${near} wants a key.*Press “Edit”`)).waitFor();
  expect(await resultIn(card)).toContain('came to no answer');
});

slow('an agent on a remote model server needs permission, and the dialog names the host', async () => {
  const { page } = site;
  outside.forget();
  await page.getByRole('button', { name: 'New chat' }).click();
  await ask(page, script(calling('poet', { request: 'An ode to the sea' }), 'It says: {{result}}'));
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This agent’s model answers on a server.').waitFor();
  expect(await dialog.innerText()).toContain(far.host);
  expect(await dialog.innerText()).toContain('An ode to the sea');
  expect(outside.requests).toEqual([]);
  await dialog.getByRole('button', { name: 'Allow once' }).click();
  await turnEnds(page);
  const card = cardOf(lastReply(page), 'poet');
  expect(await resultIn(card)).toBe('O far spring!');
  await card.getByText(`Its model: ${far.name}, leaves this device.`).waitFor();
  expect(new Set(outside.requests.map(({ host }) => host))).toEqual(new Set([far.host]));
  await page.getByRole('link', { name: 'Settings' }).click();
  const row = page.getByRole('table', { name: 'Requests' }).getByRole('row').nth(1);
  expect(await row.innerText()).toMatch(/endpoint[^]*models\.example\.com[^]*Answered \(200\)/);
});

slow("refusing an agent's request sends nothing, and the calling model learns of the refusal", async () => {
  const { page } = site;
  outside.forget();
  await page.getByRole('button', { name: 'New chat' }).click();
  await ask(page, script(calling('poet', { request: 'An ode to the sea' }), 'I may not.'));
  await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
  await turnEnds(page);
  expect(outside.requests).toEqual([]);
  expect(await resultIn(cardOf(lastReply(page), 'poet'))).toContain('did not allow');
});

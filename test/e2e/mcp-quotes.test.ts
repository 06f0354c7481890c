/** A server's prompts and resources: chosen after a slash, shown before they are sent, and stored as the server's text everywhere. */
import { afterAll, beforeAll, expect } from 'vitest';
import { addServer, allowAddress, switchOn } from '../../scripts/conformance/steps.js';
import { type EverythingServer, startEverything } from '../support/mcp/everything';
import { ask, dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';
import { slow } from '../support/matrix';

let server: EverythingServer;
let site: Site;
beforeAll(async () => {
  server = await startEverything();
  site = await openSite({ folder: 'dist-e2e' });
  await site.page.getByRole('textbox', { name: 'Message' }).waitFor();
  await allowAddress(site.page, server.origin);
  await addServer(site.page, { url: server.url, name: 'Everything' });
  await switchOn(site.page, 'Everything', 'echo');
});
afterAll(async () => {
  await site.close();
  await server.close();
});

const box = () => site.page.getByRole('main').getByLabel('Message', { exact: true });
const attached = () => site.page.getByRole('list', { name: 'Goes with the message' });

async function choose(name: RegExp): Promise<void> {
  const { page } = site;
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await box().fill('/');
  const choices = page.getByRole('listbox', { name: 'Prompts and resources' });
  await choices.getByRole('option', { name }).first().click();
}

slow('a prompt from an MCP server that the user fills in counts as outside text', async () => {
  const { page } = site;
  const { host } = new URL(server.origin);
  await choose(/^Arguments Prompt/);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^city/).fill('Oslo');
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await expect.poll(() => box().inputValue()).toContain('Oslo');
  await attached().getByText(`Text of ${host}`).waitFor();

  // A draft is restored after a reload, with its mark.
  await expect.poll(async () => (await dumpDatabase(page))['drafts']).toContain(host);
  await page.reload();
  await expect.poll(() => box().inputValue()).toContain('Oslo');
  await attached().getByText(`Text of ${host}`).waitFor();

  await box().press('Enter');
  await turnEnds(page);
  await expect.poll(() => attached().count()).toBe(0);
  await ask(
    page,
    'script\n<tool_call>{"name":"echo","arguments":{"message":"heron"}}</tool_call>\n---\nDone.',
  );
  const question = page.getByRole('dialog', { name: /^Allow/ });
  await expect.poll(() => question.innerText()).toMatch(/has read\s[^]*^localhost:\d+$/m);
  await question.getByRole('button', { name: 'Deny' }).click();
  await turnEnds(page);
});

slow('an attached resource of an MCP server is read before the model answers', async () => {
  const { page } = site;
  await choose(/^architecture\.md/);
  await attached().getByText('architecture.md').waitFor();
  await box().fill('What does it say?');
  await box().press('Enter');
  await turnEnds(page);
  const card = lastReply(page).getByRole('group', { name: /^read_resource/ });
  await expect.poll(() => card.getByLabel('Result', { exact: true }).textContent()).toContain('Everything');
  const { messages } = await dumpDatabase(page);
  expect(messages).toContain(new URL(server.origin).host);
});

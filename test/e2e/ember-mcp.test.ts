/** An MCP server's tool with the shipped model: real weights read its description, call it and answer from its result. */
import { expect } from 'vitest';
import { addServer, allowAddress, answerQuestion, switchOn } from '../../scripts/conformance/steps.js';
import { startEverything } from '../support/mcp/everything';
import { thorough } from '../support/matrix';
import { ask, lastReply, openSite, turnEnds } from './site';

thorough(
  'the built-in model Ember calls the echo tool of an MCP server with the requested text',
  async () => {
    const server = await startEverything();
    const site = await openSite();
    const { page } = site;
    try {
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      await allowAddress(page, server.origin);
      await addServer(page, { url: server.url, name: 'Everything' });
      await switchOn(page, 'Everything', 'echo');
      await page.getByRole('button', { name: 'New chat' }).first().click();
      await ask(page, 'echo good morning');
      await answerQuestion(page);
      await turnEnds(page);
      const call = lastReply(page).getByRole('group', { name: /^echo/ });
      expect(JSON.parse((await call.getByLabel('Arguments').textContent()) ?? '')).toEqual({
        message: 'good morning',
      });
      expect(await call.getByLabel('Result').textContent()).toContain('Echo: good morning');
      await expect
        .poll(async () => (await lastReply(page).innerText()).replace(await call.innerText(), ''))
        .toMatch(/good morning/i);
    } finally {
      await site.close();
      await server.close();
    }
  },
);

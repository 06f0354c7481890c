/** The browser is killed during a turn, with the real database, and restarted. */
import { afterEach, beforeEach, expect } from 'vitest';
import { calling, cardOf, keepPersonas, resultIn, script } from './agent-steps';
import { thorough } from '../support/matrix';
import { ask, dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
beforeEach(async () => {
  site = await openSite({ folder: 'dist-e2e', keepsProfile: true });
});
afterEach(() => site.close());

const isOnDisk = async (text: string) =>
  Object.values(await dumpDatabase(site.page)).some((table) => table.includes(text));

async function reopenChat() {
  const page = await site.killAndReopen();
  await page.getByRole('list', { name: 'Chats' }).getByRole('link').first().click();
  await lastReply(page).waitFor();
  return page;
}

thorough(
  'a long reply interrupted by a kill keeps all but its last half second and can be continued',
  async () => {
    const { page } = site;
    await ask(page, 'script 20\nword {{repeat 400}}END');
    const length = async () => (await lastReply(page).innerText()).length;
    await expect.poll(length).toBeGreaterThan(200);
    const seen = await length();
    // What was on the screen half a second before the kill must be on the disk. A busy machine gets more time.
    await page.waitForTimeout(1500);

    const reopened = await reopenChat();
    const reply = lastReply(reopened);
    await expect.poll(async () => (await reply.innerText()).length).toBeGreaterThanOrEqual(seen);
    expect(await reply.textContent()).not.toContain('END');
    await expect.poll(() => reopened.getByText('interrupted').count()).toBeGreaterThan(0);

    await reopened.getByRole('button', { name: 'Continue' }).click();
    await turnEnds(reopened);
    const words = (await lastReply(reopened).textContent())?.match(/\bword\b/g);
    expect(words).toHaveLength(400);
    await expect.poll(() => lastReply(reopened).innerText()).toContain('END');
    expect(await reopened.getByRole('article', { name: 'Hearth' }).count()).toBe(1);
  },
);

thorough('an interrupted tool call that changes nothing is repeated', async () => {
  await ask(
    site.page,
    'script\nLet me see. <tool_call>{"name":"slow","arguments":{"ms":3000}}</tool_call>\n---\nIt said: {{result}}',
  );
  await lastReply(site.page).getByRole('group', { name: /^slow/ }).waitFor();
  await expect.poll(() => isOnDisk('"type":"tool-call"')).toBe(true);

  const page = await reopenChat();
  const call = lastReply(page).getByRole('group', { name: /^slow/ });
  expect(JSON.parse((await call.getByLabel('Arguments').textContent()) ?? '')).toEqual({ ms: 3000 });
  // The text has a script of its own, which arrives shortly after the call.
  await expect.poll(() => lastReply(page).innerText()).toContain('Let me see.');
  await page.getByRole('button', { name: 'Continue' }).click();
  await turnEnds(page);
  expect(await call.getByLabel('Result').textContent()).toContain('3000 ms');
  await expect.poll(() => lastReply(page).innerText()).toContain('It said:');
});

thorough(
  'an interrupted tool call that may have changed data is not repeated, and the model is informed',
  async () => {
    await ask(
      site.page,
      'script\n<tool_call>{"name":"slow","arguments":{"ms":20000,"changes":true}}</tool_call>\n---\nIt said: {{result}}',
    );
    await lastReply(site.page).getByRole('group', { name: /^slow/ }).waitFor();
    await expect.poll(() => isOnDisk('"type":"tool-call"')).toBe(true);

    const page = await reopenChat();
    await page.getByRole('button', { name: 'Continue' }).click();
    await turnEnds(page);
    const call = lastReply(page).getByRole('group', { name: /^slow/ });
    expect(await call.getByLabel('Result').textContent()).toContain('not known whether this was done');
  },
);

thorough('an unanswered permission question and the draft survive a kill of the browser', async () => {
  const { page } = site;
  await ask(page, 'script 4000\nSlowly.');
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('half a thought');
  await expect.poll(() => isOnDisk('Slowly.')).toBe(true);
  await expect.poll(() => isOnDisk('half a thought')).toBe(true);

  const reopened = await site.killAndReopen();
  await expect
    .poll(() => reopened.getByRole('textbox', { name: 'Message' }).inputValue())
    .toBe('half a thought');
  await reopened.getByRole('list', { name: 'Chats' }).getByRole('link').first().click();
  await reopened.getByRole('button', { name: 'Continue' }).click();
  await turnEnds(reopened);
  await expect.poll(() => lastReply(reopened).innerText()).toContain('Slowly.');
});

thorough(
  'after a kill, an interrupted sub-agent resumes and a finished sub-agent is not asked again',
  async () => {
    const { page } = site;
    await keepPersonas(page, [{ name: 'Writer' }, { name: 'Reader', tools: ['slow'] }]);
    const slow = calling('slow', { ms: 3000 });
    const reader = calling('reader', { request: script(`Reading. ${slow}`, 'Read it.') });
    await ask(page, script(`${calling('writer', { request: script('Written once.') })}\n${reader}`, 'Done.'));
    await expect.poll(() => isOnDisk('"raw":"Reading. <tool_call>')).toBe(true);

    const reopened = await reopenChat();
    await expect.poll(() => cardOf(lastReply(reopened), 'writer').textContent()).toContain('Written once.');
    await reopened.getByRole('button', { name: 'Continue' }).click();
    await turnEnds(reopened);
    const reply = lastReply(reopened);
    expect(await resultIn(cardOf(reply, 'writer'))).toBe('Written once.');
    expect(await resultIn(cardOf(reply, 'reader'))).toBe('Read it.');
    const { messages = '[]', chats = '[]' } = await dumpDatabase(reopened);
    const said = JSON.parse(messages) as { message: { raw?: string } }[];
    expect(said.filter(({ message }) => message.raw === 'Written once.')).toHaveLength(1);
    // Each in its own chat, which is not listed.
    expect(JSON.parse(chats)).toHaveLength(3);
    expect(await reopened.getByRole('list', { name: 'Chats' }).getByRole('link').count()).toBe(1);
  },
);

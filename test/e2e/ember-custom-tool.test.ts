/** A user's own tool with the shipped model: real weights read its description, call it and answer from its result. */
import { expect } from 'vitest';
import { openNew, save, slugCode, write } from './custom-tool-steps';
import { thorough } from '../support/matrix';
import { ask, isOfflineReady, lastReply, openSite, turnEnds } from './site';

thorough('the built-in model Ember picks a new custom tool by its description, also offline', async () => {
  const site = await openSite({ hasServiceWorker: true });
  const { page } = site;
  const asked = async (title: string, slug: string) => {
    await page.getByRole('button', { name: 'New chat' }).click();
    await ask(page, `slugify ${title}`);
    await turnEnds(page);
    const call = lastReply(page).getByRole('group', { name: /^slugify/ });
    await call.click();
    expect(JSON.parse((await call.getByLabel('Arguments').textContent()) ?? '')).toEqual({ title });
    const words = async () => (await lastReply(page).innerText()).replace(await call.innerText(), '');
    await expect.poll(words).toContain(slug);
  };
  try {
    await openNew(page);
    const schema = '{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}';
    await write(page, { name: 'slugify', title: 'Slugs', schema, code: slugCode });
    await save(page);
    await asked('My First Post', 'my-first-post');
    await isOfflineReady(page);
    await site.cutNetwork();
    await page.reload();
    await asked('Ten Years of Gardens', 'ten-years-of-gardens');
  } finally {
    await site.close();
  }
});

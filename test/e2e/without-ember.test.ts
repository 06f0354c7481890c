/** The build works without the folder of the small model: every other model still answers. Only in `npm run test:all`. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { takesAll, thorough } from '../support/matrix';
import { ask, lastReply, openSite, turnEnds } from './site';

const runFile = promisify(execFile);
/** What is not copied: the small model, and what no build needs. */
const leftOut = ['src/ember', 'node_modules', '.git', 'dist', 'dist-e2e', 'bench', 'training'];
/** In milliseconds. A build takes a minute on a busy machine. */
const timeout = 300_000;

let tree = '';
beforeAll(async () => {
  if (!takesAll) return;
  tree = await mkdtemp(join(tmpdir(), 'without-ember-'));
  await cp('.', tree, { recursive: true, filter: (path) => !leftOut.includes(relative('.', path)) });
  await symlink(resolve('node_modules'), join(tree, 'node_modules'));
}, timeout);
afterAll(() => rm(tree, { recursive: true, force: true }));

async function build(...args: string[]): Promise<void> {
  await runFile('npx', ['vite', 'build', ...args], { cwd: tree });
}

thorough(
  'another model answers with a tool call if the small built-in model is missing',
  { timeout },
  async () => {
    await build('--mode', 'e2e');
    const site = await openSite({ folder: join(tree, 'dist-e2e') });
    const { page } = site;
    const call = { name: 'calculator', arguments: { expression: '17*23' } };
    await ask(page, `script\n<tool_call>${JSON.stringify(call)}</tool_call>\n---\nIt is {{result}}.`);
    await turnEnds(page);
    const card = lastReply(page).getByRole('group', { name: /^calculator/ });
    expect(await card.getByLabel('Result').textContent()).toBe('391');
    await expect.poll(() => lastReply(page).innerText()).toContain('It is');
    await site.close();
  },
);

thorough('the chat asks the user to choose a model if no built-in model exists', { timeout }, async () => {
  await build();
  const site = await openSite({ folder: join(tree, 'dist') });
  const { page } = site;
  await ask(page, 'Hello');
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('Download it on the Models page');
  await site.close();
});

/** A real model from the disk in the built site: SmolLM2 with 135 million weights. Runs only if HEARTH_MODELS names a folder that has it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takesSlow } from '../support/matrix';
import { addFromDisk, articleOf, isWhole, openModels, press } from './model-steps';
import { roundsOf } from './many-tools-steps';
import { ask, lastReply, openSite } from './site';

/** In milliseconds. The model reads and writes on two busy cores. */
const maxTurnMs = 240_000;

const folder = process.env['HEARTH_MODELS'] ?? '';
const names = existsSync(folder) ? readdirSync(folder) : [];
const file = names.find((name) => /^smollm2-135m-.*\.gguf$/i.test(name));
const real = test.runIf(takesSlow && file !== undefined);

real(
  'a real model from the disk greets, answers a question and leaves a sum to the calculator',
  async () => {
    const site = await openSite({ isIsolated: true });
    const { page } = site;
    const id = String(file).replace(/\.gguf$/i, '');
    const stop = page.getByRole('button', { name: 'Stop', exact: true });
    const askInNewChat = async (text: string) => {
      await page.getByRole('button', { name: 'New chat' }).click();
      await page.getByRole('article', { name: 'You' }).waitFor({ state: 'detached' });
      await ask(page, text);
      await lastReply(page).waitFor();
      await stop.waitFor({ state: 'hidden', timeout: maxTurnMs });
      return lastReply(page);
    };
    try {
      await openModels(page);
      await addFromDisk(page, 'GGUF file', join(folder, String(file)));
      await isWhole(page, id);
      await press(page, id, 'Use');
      await articleOf(page, id).getByRole('status').getByText('Running').waitFor({ timeout: maxTurnMs });

      expect(await (await askInNewChat('hi')).innerText()).toMatch(/hello|\bhi\b|help/i);

      // The model writes these words itself. They may be wrong: this test is about the way from the file to the screen.
      await askInNewChat('What is the capital of Italy?');
      const written = (await roundsOf(page)).at(-1);
      expect(written?.node.message).toMatchObject({
        writer: id,
        finishReason: expect.not.stringMatching('error'),
      });
      expect(written?.raw).toMatch(/\p{L}{2}/u);
      expect(written?.prompt).not.toContain('calculator');

      const sum = await askInNewChat('What is 17 * 23?');
      expect(await sum.innerText()).toContain('391');
      expect(await sum.getByRole('group', { name: /^calculator: / }).count()).toBe(1);
    } finally {
      await site.close();
    }
  },
  4 * maxTurnMs,
);

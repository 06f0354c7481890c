/** Models that fail as scripted, in the build for end-to-end tests, and what the user then sees. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { catalog } from '../../src/engines/library/catalog';
import { specOf } from '../../src/engines/library/entry';
import { mlcFiles } from '../support/mlc-files';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

/** A GPU adapter without 16-bit numbers. */
export const softwareGpu = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

/** A 16-bit model, its 32-bit twin, and a smaller model that this GPU can run. */
export const large = 'Qwen3-4B-q4f16_1-MLC';
export const twin = 'Qwen3-4B-q4f32_1-MLC';
export const small = 'Qwen2.5-0.5B-Instruct-q4f32_1-MLC';

/** The faults that test/doubles/scripted-web-llm.ts understands. */
type Fault = 'lost' | 'out-of-memory' | 'crash' | 'silence' | 'deaf' | 'no-gpu' | 'no-f16';
interface Life {
  load?: Fault;
  fitsTokens?: number;
  test?: string;
  replies?: { text: string; fault?: Fault; deafIn?: 'grammar' | 'prompt' | 'token' }[];
}
export type Script = Record<string, Life[]>;

function filesOf(id: string) {
  const [entry, variant] = catalog
    .flatMap((one) => one.variants.map((other) => [one, other] as const))
    .find(([, { id: name }]) => name === id)!;
  return mlcFiles(specOf(entry, variant, { contextTokens: 4096, isThinking: false }).mlc!);
}

/** Stores the files of these models where the app looks them up, as a download would. */
export async function keep(page: Page, ...ids: string[]): Promise<void> {
  await page.evaluate(async (files) => {
    for (const { place, url, text } of files) await (await caches.open(place)).put(url, new Response(text));
  }, ids.flatMap(filesOf));
}

/** Deletes the model's library, or the named one of its files. */
export async function lose(page: Page, id: string, name: string): Promise<void> {
  await page.evaluate(
    async (files) => {
      for (const { place, url } of files) await (await caches.open(place)).delete(url);
    },
    filesOf(id).filter(({ url }) => url.endsWith(name)),
  );
}

/** Scripts these models from now on. Others answer with their id. */
export async function direct(page: Page, script: Script): Promise<void> {
  await page.evaluate(async (text) => {
    const cache = await caches.open('scripted-web-llm');
    await cache.delete(`${location.origin}/lives`);
    await cache.put(`${location.origin}/script`, new Response(text));
  }, JSON.stringify(script));
}

/** Presses "Use" on the Models page and waits until the model runs or its failure is explained. */
export async function choose(page: Page, id: string): Promise<void> {
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  const article = page.getByRole('article', { name: id, exact: true });
  await article.getByRole('button', { name: 'Use', exact: true }).click();
  await article.getByText('Running').or(article.getByRole('alert')).first().waitFor();
  await page.getByRole('button', { name: 'New chat' }).click();
}

/** Returns the line about the model at the top of the chat. */
export async function pill(page: Page): Promise<string> {
  const text = await page.getByRole('main').getByRole('button', { name: /·/ }).innerText();
  return text.replaceAll('\u00a0', ' ').replace(/\s+/g, ' ').trim();
}

/** Returns the notices about the model above the message box. */
export async function notices(page: Page): Promise<string> {
  return (await page.locator('.bottom .notice').allInnerTexts()).join('\n');
}

export interface Case {
  name: string;
  /** The models on the device, and what they do. */
  kept: string[];
  script: Script;
  /** Text in the reply. */
  said: string[];
  answer: string;
  /** Text about the model at the top. */
  line: RegExp;
  /** Text above the message box. */
  notice: RegExp;
}

/** Opens the site with these scripted models on the device and chooses the large one. */
export async function begin(folder: string, kept: string[], script: Script): Promise<Site> {
  const site = await openSite({ folder, args: softwareGpu });
  await keep(site.page, ...kept);
  await direct(site.page, script);
  await choose(site.page, large);
  return site;
}

export async function reply({ page }: Site): Promise<string> {
  return (await lastReply(page).innerText()).replace(/\s+/g, ' ');
}

/** Asks a question and checks that the fault is explained, answered and shown, and that the chat is usable. */
export async function endsWell(site: Site, { said, answer, line, notice }: Case): Promise<void> {
  const { page } = site;
  await ask(page, 'What is 17 * 23?');
  await turnEnds(page);
  await expect.poll(() => reply(site)).toContain(answer);
  const whole = await reply(site);
  expect(said.filter((sentence) => !whole.includes(sentence))).toEqual([]);
  await expect.poll(() => pill(page)).toMatch(line);
  await expect.poll(() => notices(page)).toMatch(notice);

  await ask(page, 'What is 17 * 23?');
  await turnEnds(page);
  expect(await page.getByRole('article', { name: 'Hearth' }).count()).toBe(2);
  await expect.poll(() => reply(site)).toMatch(/391|answers\./);
}

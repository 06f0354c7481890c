/** What users do on the Models page, what is stored then, and where models come from. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { makeModelFiles } from './model-repository';
import type { Outside } from './outside';
import { ask, lastReply, turnEnds } from './site';

export const articleOf = (page: Page, id: string): Locator =>
  page.getByRole('article', { name: id, exact: true });

export async function openModels(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('region', { name: 'Diagnostics' }).waitFor();
}

export const press = (page: Page, id: string, name: string): Promise<void> =>
  articleOf(page, id).getByRole('button', { name, exact: true }).click();

export const isWhole = (page: Page, id: string): Promise<void> =>
  articleOf(page, id).getByRole('button', { name: 'Use', exact: true }).waitFor();

/** Uses the system's dialog for a file or a folder. Resolves when the model was added or refused. */
export async function addFromDisk(page: Page, kind: 'GGUF file' | 'Folder', path: string): Promise<void> {
  const form = page.getByRole('region', { name: 'Add a model' });
  const field = form.getByLabel(kind);
  if (!(await field.isVisible())) await form.getByText('From this device’s disk').click();
  const choosing = page.waitForEvent('filechooser');
  await field.click();
  await (await choosing).setFiles(path);
}

/** Loads the model for the open chat. */
export async function loadModel(page: Page, id: string): Promise<void> {
  await openModels(page);
  await press(page, id, 'Use');
  await articleOf(page, id).getByRole('status').getByText('Running').waitFor();
}

/** Checks in a new chat that the loaded model answers. */
export async function answers(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New chat' }).click();
  await ask(page, 'What is 17 * 23?');
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('391');
}

/** Returns the bytes stored for models: whole files and partial downloads. */
export function keptBytes(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let bytes = 0;
    for (const name of ['webllm/config', 'webllm/model', 'webllm/wasm']) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) bytes += (await (await cache.match(request))!.blob()).size;
    }
    const root = await navigator.storage.getDirectory();
    for (const name of ['parts', 'models']) {
      const folder = await root.getDirectoryHandle(name, { create: true });
      for await (const handle of folder.values())
        bytes += (await (handle as FileSystemFileHandle).getFile()).size;
    }
    return bytes;
  });
}

/** Returns the hashes of all stored WebLLM files, by address. */
export function keptHashes(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const hashes: Record<string, string> = {};
    for (const name of ['webllm/config', 'webllm/model', 'webllm/wasm']) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const bytes = await (await cache.match(request))!.arrayBuffer();
        const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
        hashes[request.url] = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      }
    }
    return hashes;
  });
}

/** Writes a model folder to the disk, as a user would have it. Resolves to its path. */
export async function writeModelFolder(
  disk: string,
  name: string,
  change?: (files: Map<string, Buffer>) => void,
): Promise<string> {
  const path = join(disk, name);
  const files = makeModelFiles();
  change?.(files);
  await mkdir(path, { recursive: true });
  for (const [file, bytes] of files) await writeFile(join(path, file), bytes);
  return path;
}

export interface GgufHost {
  url: string;
  /** The content of the file. Other content has another ETag. */
  file: Buffer;
  /** Bytes sent in total. */
  sent: number;
  /** The range header of each request, in order. */
  ranges: (string | undefined)[];
  /** Sends this many bytes of the file and then nothing more. Undefined sends everything. */
  stopAt: number | undefined;
}

/** Serves one file on a public host, from any byte on. */
export function serveGguf(outside: Outside, file: Buffer, host = 'models.example.com'): GgufHost {
  const url = `https://${host}/small.gguf`;
  const served: GgufHost = { url, file, sent: 0, ranges: [], stopAt: undefined };
  outside.serve(host, ({ headers: { range } }, response) => {
    served.ranges.push(range);
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    if (range !== undefined && from >= served.file.length) {
      response.writeHead(416).end();
      return;
    }
    const rest = served.file.subarray(from);
    response.writeHead(range === undefined ? 200 : 206, {
      'content-length': rest.length,
      etag: `"${createHash('md5').update(served.file).digest('hex')}"`,
      'access-control-expose-headers': 'etag',
    });
    const part = rest.subarray(0, Math.max(0, (served.stopAt ?? served.file.length) - from));
    served.sent += part.length;
    if (part.length < rest.length) response.write(part);
    else response.end(part);
  });
  return served;
}

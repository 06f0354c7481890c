/** The manifest with which browsers install the app: what it names exists and means what the code expects. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from '../../src/contracts/schema';
import { readShare, sharePath } from '../../src/platform/shared-items';

const path = z.string().check(z.regex(/^\.(?:\/[?#].*)?$/));
const Accept = z.record(
  z.string().check(z.regex(/^[a-z]+\/[\w.+-]+$/)),
  z.array(z.string().check(z.regex(/^\.[a-z]+$/))),
);
const Manifest = z.strictObject({
  name: z.string(),
  short_name: z.string(),
  description: z.string(),
  start_url: path,
  scope: path,
  display: z.literal('standalone'),
  display_override: z.tuple([z.literal('window-controls-overlay')]),
  background_color: z.string(),
  theme_color: z.string(),
  icons: z.array(
    z.strictObject({
      src: z.string(),
      sizes: z.string(),
      type: z.string(),
      purpose: z.enum(['any', 'maskable']),
    }),
  ),
  shortcuts: z.array(z.strictObject({ name: z.string(), description: z.optional(z.string()), url: path })),
  share_target: z.strictObject({
    action: z.literal(sharePath),
    method: z.literal('POST'),
    enctype: z.literal('multipart/form-data'),
    params: z.strictObject({
      title: z.string(),
      text: z.string(),
      url: z.string(),
      files: z.array(z.strictObject({ name: z.string(), accept: z.array(z.string()) })),
    }),
  }),
  file_handlers: z.array(z.strictObject({ action: path, accept: Accept })),
});
const manifest = Manifest.parse(JSON.parse(readFileSync('public/manifest.webmanifest', 'utf8')));

test('the web app manifest has exactly the fields that browsers expect, in the right form', () => {
  expect(manifest.name).toBe('Hearth');
});

test('every icon in the manifest exists and has its declared size', () => {
  for (const { src, sizes, type } of manifest.icons) {
    expect(existsSync(`public/${src}`), src).toBe(true);
    if (type !== 'image/png') continue;
    // A PNG has its width and height at fixed offsets.
    const bytes = readFileSync(`public/${src}`);
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
  }
});

test('the app reads shared content using the field names declared in the manifest', () => {
  const { params } = manifest.share_target;
  const form = new FormData();
  form.set(params.text, 'Words');
  form.set(params.title, 'Title');
  form.set(params.url, 'https://example.com');
  form.append(params.files[0]!.name, new File(['x'], 'a.txt'));
  expect(readShare(form)).toMatchObject({
    text: 'Title\nWords\nhttps://example.com',
    files: [{ name: 'a.txt' }],
  });
});

test('every shortcut in the manifest names an action that the app knows', () => {
  const source = readFileSync('src/app/launch.ts', 'utf8');
  for (const { url } of manifest.shortcuts) {
    const asked = new URL(url, 'https://example.com/').searchParams.get('do');
    expect(source).toContain(`'${asked}': (app)`);
  }
});

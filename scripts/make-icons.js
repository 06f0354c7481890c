/** Draws the app's PNG icons from `public/icon.svg`. After changing that file, run `node scripts/make-icons.js`. */
import { readFile, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright';
import { findChromium } from './find-chromium.js';

const folder = new URL('../public/', import.meta.url);
const drawing = await readFile(new URL('icon.svg', folder), 'utf8');
// Systems cut a maskable icon to their own shape, so its background fills the square and the drawing stays in the middle.
const maskable = drawing
  .replace(/ rx="\d+"/, '')
  .replace('<path', '<g transform="translate(256 256) scale(0.78) translate(-256 -256)"><path')
  .replace('</svg>', '</g></svg>');

const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
const page = await browser.newPage();
for (const [name, size, svg] of [
  ['icon-192.png', 192, drawing],
  ['icon-512.png', 512, drawing],
  ['icon-maskable-512.png', 512, maskable],
]) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
  await writeFile(new URL(name, folder), await page.screenshot({ omitBackground: true }));
}
await browser.close();

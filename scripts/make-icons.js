/** Draws the app's icons from `public/icon.svg`, in Chromium. Run it when the drawing changes: `node scripts/make-icons.js`. */
import { readFile, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright';
import { findChromium } from './find-chromium.js';

const drawing = await readFile('public/icon.svg', 'utf8');
// A system may cut a maskable icon to any shape: its ground has no corners of its own.
const maskable = drawing.replace('rx="112"', '');
const icons = [
  { file: 'public/icon-192.png', size: 192, svg: drawing },
  { file: 'public/icon-512.png', size: 512, svg: drawing },
  { file: 'public/icon-maskable-512.png', size: 512, svg: maskable },
];

const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
for (const { file, size, svg } of icons) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${svg}`);
  await writeFile(file, await page.screenshot({ omitBackground: true }));
  await page.close();
}
await browser.close();

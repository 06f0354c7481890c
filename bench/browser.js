/** What every benchmark needs: a browser, and the middle of several runs. */
import { chromium } from 'playwright';
import { findChromium } from '../scripts/find-chromium.js';

export function launchBrowser() {
  return chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
}

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** `12.3 (11.0–14.2)`: the middle, and the least and the most. */
export function spread(values, digits = 0) {
  const write = (value) => value.toFixed(digits);
  return `${write(median(values))} (${write(Math.min(...values))}–${write(Math.max(...values))})`;
}

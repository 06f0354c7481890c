/** What every benchmark needs: a browser, and the middle of several runs. */
import { readFile } from 'node:fs/promises';
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

/**
 * Milliseconds of processor time that this machine wanted and did not get since it was started, all cores together: a
 * virtual machine beside busy ones is not idle, however little runs in it. 0 where the system does not say.
 */
export async function stolenTime() {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => '');
  // `cpu user nice system idle iowait irq softirq steal`, in hundredths of a second.
  return Number(stat.split(/\s+/)[8] ?? 0) * 10;
}

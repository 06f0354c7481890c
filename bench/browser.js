/** What every benchmark needs: a browser, and statistics over several runs. */
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

/** Formats the median and the range, as in `12.3 (11.0–14.2)`. */
export function spread(values, digits = 0) {
  const write = (value) => value.toFixed(digits);
  return `${write(median(values))} (${write(Math.min(...values))}–${write(Math.max(...values))})`;
}

/**
 * Returns the milliseconds of CPU time that this machine wanted but did not get since it started, summed over all cores. A virtual machine with busy
 * neighbours is not idle, however little it runs. 0 if the system does not report it.
 */
export async function stolenTime() {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => '');
  // `cpu user nice system idle iowait irq softirq steal`, in hundredths of a second.
  return Number(stat.split(/\s+/)[8] ?? 0) * 10;
}

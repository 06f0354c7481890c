/**
 * Runs Chromium as a user has it: with a profile on disk, and without a driver in its pages. Test drivers keep a copy of everything that pages fetch,
 * and a profile in memory keeps another, including model weights.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findChromium } from '../../scripts/find-chromium.js';

/** Speaks the protocol of Chromium's developer tools over a pipe, in messages that end with a zero byte. */
function connect([, , , input, output]) {
  const answers = new Map();
  let ids = 0;
  let rest = '';
  output.setEncoding('utf8').on('data', (text) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop();
    for (const message of messages) {
      const { id, result, error } = JSON.parse(message);
      answers.get(id)?.(error ? Promise.reject(new Error(error.message)) : result);
      answers.delete(id);
    }
  });
  return (method, params = {}, sessionId = undefined) => {
    const id = (ids += 1);
    input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve) => answers.set(id, resolve));
  };
}

export async function openBareBrowser() {
  const profile = await mkdtemp(join(tmpdir(), 'bench-'));
  const flags = ['--headless', '--no-sandbox', '--no-first-run', '--remote-debugging-pipe', '--mute-audio'];
  const chromium = spawn(
    findChromium() ?? 'chromium',
    [...flags, '--disable-background-networking', '--disable-component-update', `--user-data-dir=${profile}`],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise((resolve) => chromium.once('exit', resolve));
  const send = connect(chromium.stdio);

  return {
    async close() {
      await send('Browser.close');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },

    async openTab(url) {
      const { targetId } = await send('Target.createTarget', { url });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      const tab = {
        /** Collects garbage as a browser does by itself when memory is short. */
        collectGarbage: () => send('HeapProfiler.collectGarbage', {}, sessionId),

        /** Returns the result of a function in the page. The function may use nothing but its arguments. */
        async evaluate(work, ...given) {
          const expression = `(${work})(...${JSON.stringify(given)})`;
          const params = { expression, awaitPromise: true, returnByValue: true };
          const { result, exceptionDetails } = await send('Runtime.evaluate', params, sessionId);
          if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
          return result.value;
        },
      };
      // The empty page that comes first also answers, but disappears while doing so.
      const isThere = () => globalThis.document.querySelector('textarea') !== null;
      while (!(await tab.evaluate(isThere).catch(() => false))) await pause(20);
      return tab;
    },

    /** Returns the megabytes of all processes by kind, with shared memory divided among the processes. */
    async memory() {
      const { processInfo } = await send('SystemInfo.getProcessInfo');
      const used = {};
      for (const { type, id } of processInfo) {
        const maps = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
        used[type] = (used[type] ?? 0) + Number(/^Pss:\s+(\d+)/m.exec(maps)?.[1] ?? 0) / 1024;
      }
      return used;
    },
  };
}

/** Checks generated values against generated schemas as the app does, and watches the page's own thread meanwhile. */
import checkToolWorkerUrl from '../../workers/check-tool.worker?worker&url';
import { startWorker } from '../../src/platform/start-worker';
import { checkSchema } from '../../src/tools/custom/check-schema';
import { createToolChecker } from '../../src/tools/custom/remote-checker';
import { generate } from './generate';

const checker = createToolChecker(() => startWorker(checkToolWorkerUrl));
const { signal } = new AbortController();
/** Maximum number of terminated checks per schema. More would show nothing new about a pattern that backtracks forever. */
const enoughEnded = 3;

/** Milliseconds of the page's longest task since the last query. Tasks below 50 ms are not reported. */
let longest = 0;
const note = (entries: PerformanceEntryList) => {
  for (const { duration } of entries) longest = Math.max(longest, duration);
};
const observer = new PerformanceObserver((list) => note(list.getEntries()));
observer.observe({ type: 'longtask' });
async function takeLongest(): Promise<number> {
  // Long tasks are reported only after their end.
  await new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  note(observer.takeRecords());
  const taken = longest;
  longest = 0;
  return taken;
}

const channel = new MessageChannel();
const turnOver = () =>
  new Promise<void>((done) => {
    channel.port1.onmessage = () => done();
    channel.port2.postMessage(0);
  });

/** Checks the schemas of the seeds `from` to `to`, with `count` values each. */
async function checkAll(from: number, to: number, count: number) {
  const outcome = {
    oddSchemas: 0,
    fitting: 0,
    refused: 0,
    ended: 0,
    longestReason: 0,
    longestTask: 0,
    longestIdle: 0,
  };
  for (let seed = from; seed < to; seed++) {
    const { schema, values } = generate(seed, count);
    // Generating schemas and values is not measured.
    await takeLongest();
    // The app stops at a schema that no tool may have.
    const isOdd = checkSchema(schema).length > 0;
    if (isOdd) outcome.oddSchemas += 1;
    let ended = 0;
    for (const json of isOdd ? [] : values) {
      const checked = await checker.checkJson(schema, json, { isClosed: true, signal });
      if (checked.ok) {
        outcome.fitting += 1;
        continue;
      }
      outcome.refused += 1;
      outcome.longestReason = Math.max(outcome.longestReason, checked.reason.length);
      if (checked.reason.includes('took longer') && ++ended === enoughEnded) break;
    }
    outcome.ended += ended;
    outcome.longestTask = Math.max(outcome.longestTask, await takeLongest());
    // As many empty turns of the same thread: long tasks among them show that the machine itself was busy.
    for (let turn = 0; turn < values.length && !isOdd; turn++) await turnOver();
    outcome.longestIdle = Math.max(outcome.longestIdle, await takeLongest());
  }
  return outcome;
}

Object.assign(window, { checkAll });

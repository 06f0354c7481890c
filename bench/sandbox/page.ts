/** Runs code in the sandbox and in a bare worker, and measures how long the page itself is held up meanwhile. */
import { trustScriptUrl } from '../../src/platform/trusted-urls';
import { createSandbox } from '../../src/tools/sandbox/sandbox';

const { signal } = new AbortController();
let sandbox = createSandbox();

async function inSandbox(code: string, timeMs = 5000): Promise<number> {
  const start = performance.now();
  await sandbox.run({ code, args: { a: 1 }, limits: { timeMs } }, signal);
  return performance.now() - start;
}

/** The floor: a fresh worker, one message in, one out, and nothing checked. */
async function inBareWorker(code: string): Promise<number> {
  const start = performance.now();
  const source = `onmessage = async ({ data }) => postMessage(JSON.stringify(await (async (args) => {${code}})(JSON.parse(data))))`;
  const url = URL.createObjectURL(new Blob([source]));
  const worker = new Worker(trustScriptUrl(url));
  await new Promise((resolve) => {
    worker.onmessage = resolve;
    worker.postMessage('{"a":1}');
  });
  worker.terminate();
  URL.revokeObjectURL(url);
  return performance.now() - start;
}

async function cold(): Promise<number> {
  document.querySelectorAll('iframe').forEach((frame) => frame.remove());
  sandbox = createSandbox();
  return inSandbox('return args.a + 1');
}

/** The longest that the page could do nothing else, in milliseconds. */
async function heldUpBy(code: string, timeMs: number): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    setTimeout(() => port2.postMessage(null), 1);
  };
  port2.postMessage(null);
  await inSandbox(code, timeMs);
  // What the run leaves behind counts too.
  await new Promise((resolve) => setTimeout(resolve, 300));
  port1.close();
  return longest;
}

Object.assign(window, { ways: { inSandbox, inBareWorker, cold }, heldUpBy });

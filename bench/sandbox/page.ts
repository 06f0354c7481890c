import { trustScriptUrl } from '../../src/platform/trusted-types';
import { createSandbox } from '../../src/tools/sandbox/sandbox';

const { signal } = new AbortController();
let sandbox = createSandbox();

async function inSandbox(code: string): Promise<number> {
  const start = performance.now();
  await sandbox.run({ code, args: { a: 1 } }, signal);
  return performance.now() - start;
}

/** The floor: a new worker, one message in and one out, and no checks. */
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

Object.assign(window, { ways: { inSandbox, inBareWorker, cold } });

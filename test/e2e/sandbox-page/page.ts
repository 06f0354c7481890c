/** A page that has something to lose, and three ways to run code in it: the sandbox, a plain worker, and the page itself. */
import type { SandboxLimits } from '../../../src/contracts/sandbox';
import { createSandbox } from '../../../src/tools/sandbox/sandbox';

const secret = 'LEAKED-secret';

/** Restores everything that an attack could take, and removes what one left. */
async function restore(): Promise<void> {
  const mark = document.getElementById('mark');
  if (mark) {
    mark.textContent = 'untouched';
    document.body.replaceChildren(mark);
  }
  history.replaceState(null, '', location.pathname);
  localStorage.clear();
  localStorage.setItem('secret', secret);
  sessionStorage.setItem('secret', secret);
  document.cookie = `secret=${secret}`;
  await new Promise<void>((resolve) => {
    const opening = indexedDB.open('hearth', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('chats').put(secret, 'secret');
    opening.onsuccess = () => {
      opening.result.close();
      resolve();
    };
  });
  const cache = await caches.open('hearth');
  await cache.put('/secret', new Response(secret));
}
await restore();

/** What the code sent to listeners in the page. */
const heard: unknown[] = [];
new BroadcastChannel('hearth').onmessage = ({ data }: MessageEvent<unknown>) => heard.push(data);
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (typeof data === 'string') heard.push(data);
});

const sandbox = createSandbox();

async function inSandbox(code: string, args: unknown, limits: Partial<SandboxLimits>, stopAfterMs?: number) {
  const stop = new AbortController();
  if (stopAfterMs !== undefined) setTimeout(() => stop.abort(), stopAfterMs);
  const calls: unknown[] = [];
  const lines: string[] = [];
  const result = await sandbox.run(
    {
      code,
      args,
      limits,
      onLog: (line) => lines.push(line),
      hostCall: (request) => {
        calls.push(request);
        return Promise.resolve({ status: 200, text: '{"answer":42}' });
      },
    },
    stop.signal,
  );
  return { result, calls, lines };
}

/** Returns the code's result unchanged, like a careless host. */
async function inWorker(code: string, args: unknown) {
  const source = `(async (args, host) => {${code}\n})(${JSON.stringify(args)}, {log() {}}).then((value) => postMessage(JSON.stringify(value)), (error) => postMessage(String(error)))`;
  const worker = new Worker(URL.createObjectURL(new Blob([source])));
  try {
    return await new Promise((resolve) => {
      setTimeout(() => resolve('LEAKED: it never ended'), 1_500);
      worker.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data);
      worker.onerror = (event) => resolve(`error: ${event.message}`);
    });
  } finally {
    setTimeout(() => worker.terminate(), 1_000);
  }
}

const AsyncFunction = (async () => Promise.resolve()).constructor as new (
  ...text: string[]
) => (args: unknown, host: unknown) => Promise<unknown>;

async function inPage(code: string, args: unknown) {
  return new AsyncFunction('args', 'host', code)(args, { log: () => undefined });
}

/** Whether everything on the page is still there and unchanged. */
async function look() {
  const database = await new Promise((resolve) => {
    const opening = indexedDB.open('hearth');
    opening.onsuccess = () => {
      const { result } = opening;
      const isThere = result.objectStoreNames.contains('chats');
      result.close();
      resolve(isThere);
    };
  });
  return {
    mark: document.getElementById('mark')?.textContent,
    stored: localStorage.getItem('secret') === secret && localStorage.length === 1,
    database,
    caches: await caches.keys(),
    heard: [...heard],
    polluted: 'polluted' in {} || 'polluted' in [],
    hash: location.hash,
    frames: document.querySelectorAll('iframe').length,
  };
}

Object.assign(window, { ways: { inSandbox, inWorker, inPage }, look, restore, check: sandbox.check });

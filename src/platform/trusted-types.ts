/**
 * Every Trusted Types policy of the page, taken before anything else runs: a name that is taken can be made by nobody
 * else. The first import of `main.ts`.
 */

const folder = new URL('.', document.baseURI).href;
const serviceWorkerUrl = `${folder}service-worker.js`;
/** As built, and as the development server has it. Nothing else that is ours may run outside the page's policy. */
const egressWorkerName = /^(assets|workers)\/egress\.worker[-.][\w.?=&-]+$/;
const isEgressWorker = (url: string) =>
  url.startsWith(folder) && egressWorkerName.test(url.slice(folder.length));

// Without a function it refuses every text. The model worker alone needs another of the name, and makes its own.
window.trustedTypes?.createPolicy('default', {});

const scripts = window.trustedTypes?.createPolicy('app', {
  createScriptURL(url) {
    if (url.startsWith('blob:') || url === serviceWorkerUrl || isEgressWorker(url)) return url;
    throw new TypeError(`Not a script of ours: ${url}`);
  },
});

/** Of the sandbox: the first one told holds. */
let sandboxDocument: string | undefined;
const documents = window.trustedTypes?.createPolicy('sandbox', {
  createHTML(text) {
    if (text === sandboxDocument) return text;
    throw new TypeError('Not the document of the sandbox');
  },
});

/** As a string for the compiler, like the next: the types of the DOM do not know that a trusted one is wanted. */
export function trustScriptUrl(url: string): string {
  return (scripts?.createScriptURL(url) ?? url) as string;
}

export function trustSandboxDocument(html: string): string {
  sandboxDocument ??= html;
  return (documents?.createHTML(html) ?? html) as string;
}

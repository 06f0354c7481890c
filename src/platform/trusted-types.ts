/** The page's Trusted Types policies. `main.ts` imports this file first, before other code can claim the policy names. */

const appFolderUrl = new URL('.', document.baseURI).href;
const serviceWorkerUrl = `${appFolderUrl}service-worker.js`;
/** Matches the worker's file, both built and on the development server. No other script may escape the page's CSP. */
const egressWorkerPath = /^(assets|workers)\/egress\.worker[-.][\w.?=&-]+$/;
const isEgressWorker = (url: string) =>
  url.startsWith(appFolderUrl) && egressWorkerPath.test(url.slice(appFolderUrl.length));

// A policy without functions rejects every string. The model worker creates its own default policy.
window.trustedTypes?.createPolicy('default', {});

const scriptPolicy = window.trustedTypes?.createPolicy('app', {
  createScriptURL(url) {
    if (url.startsWith('blob:') || url === serviceWorkerUrl || isEgressWorker(url)) return url;
    throw new TypeError(`Not a script of ours: ${url}`);
  },
});

/** The HTML of the sandbox. We trust only the first document passed to `trustSandboxDocument`. */
let sandboxDocument: string | undefined;
const documentPolicy = window.trustedTypes?.createPolicy('sandbox', {
  createHTML(text) {
    if (text === sandboxDocument) return text;
    throw new TypeError('Not the document of the sandbox');
  },
});

/** Returns a trusted value. Its type is `string`, because the DOM types accept nothing else. */
export function trustScriptUrl(url: string): string {
  return (scriptPolicy?.createScriptURL(url) ?? url) as string;
}

export function trustSandboxDocument(html: string): string {
  sandboxDocument ??= html;
  return (documentPolicy?.createHTML(html) ?? html) as string;
}

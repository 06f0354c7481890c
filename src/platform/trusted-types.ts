/** All Trusted Types policies of the page. `main.ts` imports this first, so that no other code takes these names. */

const appFolder = new URL('.', document.baseURI).href;
const serviceWorkerUrl = `${appFolder}service-worker.js`;
/** The built file and the one of the development server. No other script of ours may escape the page's policy. */
const egressWorkerName = /^(assets|workers)\/egress\.worker[-.][\w.?=&-]+$/;
const isEgressWorker = (url: string) =>
  url.startsWith(appFolder) && egressWorkerName.test(url.slice(appFolder.length));

// Without functions, this policy refuses every string. The model worker creates its own default policy.
window.trustedTypes?.createPolicy('default', {});

const scriptPolicy = window.trustedTypes?.createPolicy('app', {
  createScriptURL(url) {
    if (url.startsWith('blob:') || url === serviceWorkerUrl || isEgressWorker(url)) return url;
    throw new TypeError(`Not a script of ours: ${url}`);
  },
});

/** The sandbox document. Only the first one is trusted. */
let sandboxDocument: string | undefined;
const documentPolicy = window.trustedTypes?.createPolicy('sandbox', {
  createHTML(text) {
    if (text === sandboxDocument) return text;
    throw new TypeError('Not the document of the sandbox');
  },
});

/** Returns a string for the compiler, because the DOM types do not accept trusted values. */
export function trustScriptUrl(url: string): string {
  return (scriptPolicy?.createScriptURL(url) ?? url) as string;
}

export function trustSandboxDocument(html: string): string {
  sandboxDocument ??= html;
  return (documentPolicy?.createHTML(html) ?? html) as string;
}

/** The page's only Trusted Types policy for scripts: our own one-line blob modules, and our service worker. */

const serviceWorkerUrl = new URL('service-worker.js', document.baseURI).href;

const policy = window.trustedTypes?.createPolicy('app', {
  createScriptURL(url) {
    if (url.startsWith('blob:') || url === serviceWorkerUrl) return url;
    throw new TypeError(`Not a script of ours: ${url}`);
  },
});

/** As a string for the compiler: the types of the DOM do not know that a trusted URL is wanted. */
export function trustScriptUrl(url: string): string {
  return (policy?.createScriptURL(url) ?? url) as string;
}

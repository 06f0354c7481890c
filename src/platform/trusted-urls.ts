/** The page's only Trusted Types policy for scripts: our own one-line blob modules, and the two workers started from files. */

const folder = new URL('.', document.baseURI).href;
const serviceWorkerUrl = `${folder}service-worker.js`;
/** As built, and as the development server has it. Nothing else that is ours may run outside the page's policy. */
const egressWorkerName = /^(assets|workers)\/egress\.worker[-.][\w.?=&-]+$/;
const isEgressWorker = (url: string) =>
  url.startsWith(folder) && egressWorkerName.test(url.slice(folder.length));

const policy = window.trustedTypes?.createPolicy('app', {
  createScriptURL(url) {
    if (url.startsWith('blob:') || url === serviceWorkerUrl || isEgressWorker(url)) return url;
    throw new TypeError(`Not a script of ours: ${url}`);
  },
});

/** As a string for the compiler: the types of the DOM do not know that a trusted URL is wanted. */
export function trustScriptUrl(url: string): string {
  return (policy?.createScriptURL(url) ?? url) as string;
}

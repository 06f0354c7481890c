/**
 * Lets wllama start the workers for llama.cpp's threads from plain strings. Its own worker inherits the page's policy, in which Trusted Types refuse
 * them without a default policy. This adds a default policy that allows only blobs, as in the model worker.
 */

const library = /@wllama\/wllama\/esm\/index\.js$/;
const start = 'var LLAMA_CPP_WORKER_CODE = "';
const policy =
  "globalThis.trustedTypes?.createPolicy('default', { createScriptURL(url) { if (!url.startsWith('blob:')) throw new TypeError(url); return url; } });\\n";

/** @returns {import('vite').Plugin} */
export function allowWllamaThreads() {
  return {
    name: 'allow-wllama-threads',
    enforce: 'pre',
    transform: {
      filter: { id: library },
      handler(code) {
        if (!code.includes(start)) throw new Error('wllama names the code of its worker in another way now.');
        return { code: code.replace(start, () => start + policy), map: null };
      },
    },
  };
}

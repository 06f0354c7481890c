/** Puts the policy into the built page. Why each word is there: docs/decisions/2026-11-21-content-security-policy.md. */
import { buildRelay } from './sandbox-document.js';

const policy = [
  "default-src 'none'",
  // The sandbox's frame is held to this policy and to its own: the hash of its one script stands in both.
  `script-src 'self' 'wasm-unsafe-eval' ${buildRelay().hash}`,
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-src 'none'",
  "manifest-src 'self'",
  "media-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default app sandbox svelte-trusted-html',
].join('; ');

/** Only at build: the development server needs inline scripts and a socket. @returns {import('vite').Plugin} */
export function contentSecurityPolicy() {
  return {
    name: 'content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: policy },
        // First in the head: what stands before it is not held to it.
        injectTo: 'head-prepend',
      },
    ],
  };
}

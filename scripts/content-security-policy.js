/** Adds the content security policy to the built page. docs/decisions/2026-11-21-content-security-policy.md explains each directive. */
import { buildRelay } from './sandbox-document.js';

const policy = [
  "default-src 'none'",
  // The sandbox's frame must obey this policy and its own, so both contain the hash of its only script.
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

/** Only in builds, because the development server needs inline scripts and a socket. @returns {import('vite').Plugin} */
export function contentSecurityPolicy() {
  return {
    name: 'content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: policy },
        // First in the head, because the policy does not apply to anything before it.
        injectTo: 'head-prepend',
      },
    ],
  };
}

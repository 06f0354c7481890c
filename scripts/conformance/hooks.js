/** Hooks for Node's module loader that replace the conformance suite's `fs` with `fs-with-glob.js`. */

const instead = new URL('fs-with-glob.js', import.meta.url).href;

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, next) {
  const isOfSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/');
  return specifier === 'fs' && isOfSuite ? { url: instead, shortCircuit: true } : next(specifier, context);
}

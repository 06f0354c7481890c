/** `fs` with a `globSync`, which Node 20 has not: the conformance suite imports it, and uses it for nothing that is done here. */
export * from 'node:fs';

export function globSync() {
  throw new Error('This needs Node 22.');
}

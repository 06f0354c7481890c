/** `fs` with a `globSync`, which Node 20 lacks. The conformance suite imports it but does not call it in our runs. */
export * from 'node:fs';

export function globSync() {
  throw new Error('This needs Node 22.');
}

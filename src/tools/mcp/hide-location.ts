/**
 * Must be imported first in the MCP worker: the client's schema validator builds a URL from `self.location` while
 * loading, which throws in a worker started from a blob.
 */
Object.defineProperty(globalThis, 'location', { value: undefined });

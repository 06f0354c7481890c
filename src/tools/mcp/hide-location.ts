/**
 * Must be the first import of the MCP worker: the SDK's schema validator builds a URL from `self.location` when it
 * loads, which throws in a worker started from a blob.
 */
Object.defineProperty(globalThis, 'location', { value: undefined });

/**
 * Must be the first import of the MCP worker. The SDK's schema validator builds a URL from `self.location` as it loads, which throws in a
 * worker started from a blob.
 */
Object.defineProperty(globalThis, 'location', { value: undefined });

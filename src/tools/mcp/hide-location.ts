/** Must be imported first in the MCP worker: the SDK builds a URL from `self.location`, which throws in a worker from a blob. */
Object.defineProperty(globalThis, 'location', { value: undefined });

/** The MCP worker must import this file first: the SDK builds a URL from `self.location`, which throws in a worker from a blob. */
Object.defineProperty(globalThis, 'location', { value: undefined });

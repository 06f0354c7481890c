/**
 * For the MCP worker, before anything else: the validator of schemas that the client brings along makes an address of
 * `self.location` when it is loaded, and cannot of that of a worker that was started from a blob.
 */
Object.defineProperty(globalThis, 'location', { value: undefined });

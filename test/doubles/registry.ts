/** Replaces src/tools/registry.ts in the build for end-to-end tests, which also has a tool that waits. */
import { createBuiltinTools as createShipped } from '../../src/tools/registry';
import { createSlow } from './slow';

export const createBuiltinTools: typeof createShipped = (parts) => [...createShipped(parts), createSlow()];

/** Phi-4-mini without its mark: `functools[{"name": …, "arguments": {…}}]`. */
import { jsonCalls } from '../codecs/json-calls';
import type { ToolCallFormat } from '../format';

export const functools: ToolCallFormat = {
  id: 'functools',
  reading: { open: ['functools'], close: [], bodies: [jsonCalls], at: 'line', isBare: true },
};

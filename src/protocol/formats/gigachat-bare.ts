/** GigaChat 3 where its special tokens are not shown: `function call{"name": …, "arguments": {…}}`. */
import { jsonCalls } from '../codecs/json-calls';
import type { ToolCallFormat } from '../format';

export const gigachatBare: ToolCallFormat = {
  id: 'gigachat-bare',
  reading: { open: ['function call'], close: [], bodies: [jsonCalls], at: 'line', isBare: true },
};

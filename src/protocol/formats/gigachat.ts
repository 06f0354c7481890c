/** GigaChat 3: `function call<|role_sep|>⏎{"name": …, "arguments": {…}}`, or one token before the object. */
import { jsonCalls } from '../codecs/json-calls';
import type { ToolCallFormat } from '../format';

export const gigachat: ToolCallFormat = {
  id: 'gigachat',
  reading: {
    open: ['<|function_call|>', 'function call<|role_sep|>'],
    close: ['<|message_sep|>'],
    bodies: [jsonCalls],
    at: 'anywhere',
  },
};

/** Phi-4-mini and Granite 3: `<|tool_call|>[{"name": …, "arguments": {…}}]<|/tool_call|>`. */
import { jsonCalls } from '../codecs/json-calls';
import type { ToolCallFormat } from '../format';

export const phi: ToolCallFormat = {
  id: 'phi',
  reading: { open: ['<|tool_call|>'], close: ['<|/tool_call|>'], bodies: [jsonCalls], at: 'anywhere' },
};

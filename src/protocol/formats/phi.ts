/** Phi-4-mini and Granite 3: `<|tool_call|>[{"name": …, "arguments": {…}}]<|/tool_call|>`. */
import { jsonCalls } from '../codecs/json-calls';
import type { ToolCallFormat } from '../format';
import { createDialect } from '../teach';

export const phi: ToolCallFormat = {
  id: 'phi',
  reading: { open: ['<|tool_call|>'], close: ['<|/tool_call|>'], bodies: [jsonCalls], at: 'anywhere' },
  dialect: createDialect({
    frame: (name) => ({
      before: `<|tool_call|>[{"name": ${JSON.stringify(name)}, "arguments": `,
      after: '}]<|/tool_call|>',
    }),
    writeCall: (call) => `<|tool_call|>[${JSON.stringify(call)}]<|/tool_call|>`,
  }),
};

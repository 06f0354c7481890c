/** LFM2: `<|tool_call_start|>[f(a="x")]<|tool_call_end|>`. */
import { jsonCalls } from '../codecs/json-calls';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';
import { createDialect } from '../teach';
import { writePython } from '../write-python';

export const lfm: ToolCallFormat = {
  id: 'lfm',
  reading: {
    open: ['<|tool_call_start|>'],
    close: ['<|tool_call_end|>'],
    bodies: [pythonCalls, jsonCalls],
    at: 'anywhere',
  },
  dialect: createDialect({
    writeCall: (call) => `<|tool_call_start|>[${writePython(call)}]<|tool_call_end|>`,
  }),
};

/** A call in a code block that says so: ```` ```tool ````, ```` ```tool_call ````, Gemma's ```` ```tool_code ````. */
import { chineseKeys } from '../codecs/chinese-keys';
import { jsonCalls } from '../codecs/json-calls';
import { namedValue } from '../codecs/named-value';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';
import { createDialect } from '../teach';
import { writePython } from '../write-python';

export const fencedTool: ToolCallFormat = {
  id: 'fenced-tool',
  reading: {
    open: ['```tool_call', '```tool_calls', '```tool_code', '```tool', '```function_call'],
    close: ['```'],
    bodies: [jsonCalls, chineseKeys, pythonCalls, namedValue],
    at: 'line',
    isShared: true,
  },
  dialect: createDialect({
    writeCall: (call) => `\`\`\`tool_code\n${writePython(call)}\n\`\`\``,
  }),
};

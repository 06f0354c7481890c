/** Mistral: `[TOOL_CALLS] [{"name": …, "arguments": {…}}]`, and later `[TOOL_CALLS]f[ARGS]{…}` or `[TOOL_CALLS]f{…}`. */
import { jsonCalls } from '../codecs/json-calls';
import { namedValue } from '../codecs/named-value';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';
import { createDialect } from '../teach';

export const mistral: ToolCallFormat = {
  id: 'mistral',
  reading: {
    open: ['[TOOL_CALLS]'],
    close: ['[/TOOL_CALLS]'],
    bodies: [jsonCalls, namedValue, pythonCalls],
    at: 'anywhere',
  },
  dialect: createDialect({
    frame: (name) => ({ before: `[TOOL_CALLS]${name}[ARGS]`, after: '' }),
    writeCall: ({ name, arguments: written }) => `[TOOL_CALLS]${name}[ARGS]${JSON.stringify(written)}`,
  }),
};

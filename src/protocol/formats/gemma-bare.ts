/** Gemma without its marks: `call:f{q:"x"}`, and `tool_code = f(q="x")`. */
import { namedValue } from '../codecs/named-value';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';

export const gemmaBare: ToolCallFormat = {
  id: 'gemma-bare',
  reading: {
    open: ['call:', 'tool_code = ', 'tool_code='],
    close: [],
    bodies: [namedValue, pythonCalls],
    at: 'line',
    isBare: true,
  },
};

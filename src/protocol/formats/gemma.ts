/** Gemma 4: `<|tool_call>call:f{q:<|"|>x<|"|>}<tool_call|>`, and FunctionGemma's `<start_function_call>`. */
import { jsonCalls } from '../codecs/json-calls';
import { namedValue } from '../codecs/named-value';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';
import { createDialect } from '../teach';
import { isRecord } from '../tool-index';

export const gemma: ToolCallFormat = {
  id: 'gemma',
  reading: {
    open: ['<|tool_call>', '<start_function_call>'],
    close: ['<tool_call|>', '<end_function_call>'],
    bodies: [namedValue, jsonCalls, pythonCalls],
    at: 'anywhere',
  },
  dialect: createDialect({
    frame: (name) => ({ before: `<|tool_call>call:${name}`, after: '<tool_call|>' }),
    writeCall: ({ name, arguments: written }) => `<|tool_call>call:${name}${write(written)}<tool_call|>`,
  }),
};

/** Without quotes around keys, and with a token of its own around texts. */
function write(value: unknown): string {
  if (typeof value === 'string') return `<|"|>${value}<|"|>`;
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${key}:${write(inner)}`)
    .join(',')}}`;
}

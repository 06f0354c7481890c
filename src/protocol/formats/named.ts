/** Formats that write the name of the tool, then its arguments as an object. */
import { jsonCalls } from '../codecs/json-calls';
import { namedValue } from '../codecs/named-value';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';
import { createDialect } from '../teach';
import { isRecord } from '../tool-index';

/** Mistral: `[TOOL_CALLS] [{"name": …, "arguments": {…}}]`, later `[TOOL_CALLS]f[ARGS]{…}` or `[TOOL_CALLS]f{…}`. */
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

/** DeepSeek V3, R1 and V3.1: `<｜tool▁call▁begin｜>f<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`, also with ASCII bars. */
export const deepseek: ToolCallFormat = {
  id: 'deepseek',
  reading: {
    open: [
      '<｜tool▁calls▁begin｜>',
      '<｜tool▁call▁begin｜>',
      '<|tool▁calls▁begin|>',
      '<|tool▁call▁begin|>',
      '<｜tool_calls_begin｜>',
      '<｜tool_call_begin｜>',
      '<｜tool_call_begin｜>function<｜tool_sep｜>',
    ],
    close: [
      '<｜tool▁call▁end｜>',
      '<｜tool▁calls▁end｜>',
      '<|tool▁call▁end|>',
      '<|tool▁calls▁end|>',
      '<｜tool_call_end｜>',
      '<｜tool_calls_end｜>',
    ],
    bodies: [namedValue],
    at: 'anywhere',
  },
};

/** Kimi K2: `<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`. */
export const kimi: ToolCallFormat = {
  id: 'kimi',
  reading: {
    open: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>', '<|tool_call_begin|>'],
    close: ['<|tool_call_end|>', '<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
    bodies: [namedValue],
    at: 'anywhere',
  },
};

/** gpt-oss: `<|channel|>commentary to=functions.f <|constrain|>json<|message|>{…}<|call|>`. */
export const harmony: ToolCallFormat = {
  id: 'harmony',
  reading: {
    open: [
      '<|channel|>commentary to=',
      '<|channel|>analysis to=',
      '<|start|>assistant to=',
      '<|start|>assistant<|channel|>commentary to=',
    ],
    close: ['<|call|>', '<|end|>'],
    bodies: [namedValue],
    at: 'anywhere',
  },
};

/** functionary 3.2: `>>>f⏎{…}`. Python's prompt looks the same, so the call must fit a tool. */
export const functionary: ToolCallFormat = {
  id: 'functionary',
  reading: { open: ['>>>'], close: [], bodies: [namedValue], at: 'line', isBare: true },
};

/** Gemma 4: `<|tool_call>call:f{q:<|"|>x<|"|>}<tool_call|>`, and FunctionGemma's `<start_function_call>`. */
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
    writeCall: ({ name, arguments: written }) =>
      `<|tool_call>call:${name}${writeGemmaValue(written)}<tool_call|>`,
  }),
};

function writeGemmaValue(value: unknown): string {
  if (typeof value === 'string') return `<|"|>${value}<|"|>`;
  if (Array.isArray(value)) return `[${value.map(writeGemmaValue).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${key}:${writeGemmaValue(inner)}`)
    .join(',')}}`;
}

/** Gemma without its marks: `call:f{q:"x"}`, and `tool_code = f(q="x")`. */
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

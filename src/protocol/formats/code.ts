/** Formats that write a call as code: `f(a=1)`. */
import { jsonCalls } from '../codecs/json-calls';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';
import { createDialect } from '../teach';
import { arrowCall, namedValue } from '../codecs/named-value';

/** LFM2: `<|tool_call_start|>[f(a="x")]<|tool_call_end|>`. */
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

/** Qwen in long chats: `[Calling tool: f({…})]`. */
export const callingTool: ToolCallFormat = {
  id: 'calling-tool',
  reading: {
    open: ['[Calling tool:', '[Calling tool', '[Tool call:'],
    close: [']'],
    bodies: [pythonCalls],
    at: 'anywhere',
    isBare: true,
  },
};

/** SmolLM3 in its Python mode: `<code>f(a="x")</code>`. HTML uses this tag too, so the call must fit a tool. */
export const codeTag: ToolCallFormat = {
  id: 'code-tag',
  reading: { open: ['<code>'], close: ['</code>'], bodies: [pythonCalls], at: 'anywhere', isBare: true },
};

/** A call without a mark: `f(a=1)`, `f(a: 1)`, `f{"a": 1}`, and GLM-4's `f⏎{"a": 1}`. */
export const bareCall: ToolCallFormat = {
  id: 'pythonic',
  reading: {
    open: [],
    opensByTool: 'name',
    close: [],
    bodies: [pythonCalls, namedValue],
    at: 'line',
    opensBody: true,
    isBare: true,
    endsLine: true,
  },
};

/** A leak of MiniMax: `[TOOL_CALL]⏎{tool => "f", args => {⏎--q "x"⏎}}⏎[/TOOL_CALL]`. */
export const arrow: ToolCallFormat = {
  id: 'arrow',
  reading: { open: ['[TOOL_CALL]'], close: ['[/TOOL_CALL]'], bodies: [arrowCall, jsonCalls], at: 'anywhere' },
};

/** A call in Python, for models that were trained on code. */
export function writePython(call: { name: string; arguments: Record<string, unknown> }): string {
  const named = Object.entries(call.arguments).map(([key, value]) => `${key}=${writePythonValue(value)}`);
  return `${call.name}(${named.join(', ')})`;
}

function writePythonValue(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null || value === undefined) return 'None';
  if (Array.isArray(value)) return `[${value.map(writePythonValue).join(', ')}]`;
  if (typeof value === 'object') {
    const pairs = Object.entries(value).map(
      ([key, inner]) => `${JSON.stringify(key)}: ${writePythonValue(inner)}`,
    );
    return `{${pairs.join(', ')}}`;
  }
  return JSON.stringify(value);
}

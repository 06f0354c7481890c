/** Gemma 4: `<|tool_call>call:f{q:<|"|>x<|"|>}<tool_call|>`, and FunctionGemma's `<start_function_call>`. */
import { jsonCalls } from '../codecs/json-calls';
import { namedValue } from '../codecs/named-value';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';

export const gemma: ToolCallFormat = {
  id: 'gemma',
  reading: {
    open: ['<|tool_call>', '<start_function_call>'],
    close: ['<tool_call|>', '<end_function_call>'],
    bodies: [namedValue, jsonCalls, pythonCalls],
    at: 'anywhere',
  },
};

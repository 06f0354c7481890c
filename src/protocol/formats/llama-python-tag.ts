/** Llama 3.1 and 3.2: `<|python_tag|>{"name": …, "parameters": {…}}`. Programs stand behind the same mark: they are prose. */
import { jsonCalls } from '../codecs/json-calls';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';

export const llamaPythonTag: ToolCallFormat = {
  id: 'llama-python-tag',
  reading: {
    open: ['<|python_tag|>'],
    close: ['<|eom_id|>', '<|eot_id|>'],
    bodies: [jsonCalls, pythonCalls],
    at: 'anywhere',
    isShared: true,
  },
};

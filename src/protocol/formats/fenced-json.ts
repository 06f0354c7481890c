/** A call in a code block for data: Qwen2.5-Coder-7B, Gemma 3, Llama 3.2. Without a mark of its own, it must fit. */
import { jsonCalls } from '../codecs/json-calls';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';

export const fencedJson: ToolCallFormat = {
  id: 'fenced-json',
  reading: {
    open: ['```json', '```'],
    close: ['```'],
    bodies: [jsonCalls, pythonCalls],
    at: 'line',
    isBare: true,
  },
};

/** A call in a code block for data: Qwen2.5-Coder-7B, Gemma 3, Llama 3.2. Without a mark of its own, it must fit. */
import { jsonCalls } from '../codecs/json-calls';
import { pythonCalls } from '../codecs/python-calls';
import { chineseKeys } from '../codecs/chinese-keys';
import type { ToolCallFormat } from '../format';

export const fencedJson: ToolCallFormat = {
  id: 'fenced-json',
  reading: {
    open: ['```json', '```jsonc', '```json5', '```text', '```plaintext', '```'],
    close: ['```'],
    bodies: [jsonCalls, chineseKeys, pythonCalls],
    at: 'line',
    isBare: true,
  },
};

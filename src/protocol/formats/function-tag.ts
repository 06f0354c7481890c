/** `<function=f>` with an object (Llama 3.1, functionary) or with parameters as tags (Qwen3-Coder, Qwen3.5, Nemotron 3). */
import { taggedObject, xmlParameters } from '../codecs/xml-parameters';
import type { ToolCallFormat } from '../format';

export const functionTag: ToolCallFormat = {
  id: 'function-tag',
  reading: {
    open: ['<function='],
    close: ['</function>', '</tool_call>'],
    bodies: [taggedObject, xmlParameters],
    at: 'anywhere',
  },
};

/** `<function=f>` with an object (Llama 3.1, functionary) or with parameters as tags (Qwen3-Coder, Qwen3.5, Nemotron 3). */
import { taggedObject, xmlParameters } from '../codecs/xml-parameters';
import type { ToolCallFormat } from '../format';
import { createDialect } from '../teach';

export const functionTag: ToolCallFormat = {
  id: 'function-tag',
  reading: {
    open: ['<function='],
    close: ['</function>', '</tool_call>'],
    bodies: [taggedObject, xmlParameters],
    at: 'anywhere',
  },
  dialect: createDialect({
    writeCall: ({ name, arguments: written }) => {
      const parameters = Object.entries(written).map(
        ([key, value]) =>
          `<parameter=${key}>\n${typeof value === 'string' ? value : JSON.stringify(value)}\n</parameter>\n`,
      );
      return `<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`;
    },
  }),
};

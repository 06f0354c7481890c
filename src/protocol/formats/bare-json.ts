/** JSON without a mark: an object or a list that names an offered tool. Llama 3, Gemma 3, Mistral-Nemo, xLAM, OpenAI's shape. */
import { jsonCalls } from '../codecs/json-calls';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';
import { createDialect } from '../teach';

export const bareJson: ToolCallFormat = {
  id: 'json',
  reading: {
    open: ['{', '['],
    close: [],
    bodies: [jsonCalls, pythonCalls],
    at: 'line',
    opensBody: true,
    isBare: true,
  },
  dialect: createDialect({
    frame: (name) => ({ before: `{"name": ${JSON.stringify(name)}, "parameters": `, after: '}' }),
    writeCall: ({ name, arguments: written }) =>
      `{"name": ${JSON.stringify(name)}, "parameters": ${JSON.stringify(written)}}`,
  }),
};

/** Ember, our own small model: writes Hermes calls, has its tools in its weights, takes results as `name: text`. */
import { textOf } from '../../contracts/message';
import { neutralise } from '../../text/neutralise';
import type { ToolCallFormat } from '../format';

export const ember: ToolCallFormat = {
  id: 'ember',
  dialect: {
    writeCall: (call) => `<tool_call>${JSON.stringify(call)}</tool_call>`,
    // As it was trained: no frame around the text, no nonce.
    writeResults: ({ results }) =>
      results
        .map(({ toolName, isError, content }) => {
          const text = neutralise(textOf(content));
          return `${neutralise(toolName)}: ${isError ? 'error: ' : ''}${text}`;
        })
        .join('\n'),
  },
};

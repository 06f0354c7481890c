/** Ember, our own small model: writes Hermes calls, has its tools in its weights, takes results as `name: text`. */
import { textOf } from '../../contracts/text-of';
import { neutralise } from '../../text/neutralise';
import type { ToolCallFormat } from '../format';

export const ember: ToolCallFormat = {
  id: 'ember',
  dialect: {
    frame: (name) => ({
      before: `<tool_call>{"name":${JSON.stringify(name)},"arguments":`,
      after: '}</tool_call>',
    }),
    writeCall: (call) => `<tool_call>${JSON.stringify(call)}</tool_call>`,
    // As it was trained: no frame around the text, no nonce, and of several texts the first, which answers alone.
    writeResults: ({ results }, names) =>
      results
        .map(({ toolName, isError, content }) => {
          const text = neutralise(textOf(isError ? content : content.slice(0, 1)), names);
          return `${neutralise(toolName, names)}: ${isError ? 'error: ' : ''}${text}`;
        })
        .join('\n'),
  },
};

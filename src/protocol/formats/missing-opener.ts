/** The opening tag is missing because the template wrote it, or a closing one stands in its place: `</tool_call>{…}</tool_call>`. */
import { jsonCalls } from '../codecs/json-calls';
import type { ToolCallFormat } from '../format';

export const missingOpener: ToolCallFormat = {
  id: 'missing-opener',
  reading: {
    open: ['</tool_call>'],
    close: ['</tool_call>'],
    bodies: [jsonCalls],
    at: 'anywhere',
    isBare: true,
  },
};

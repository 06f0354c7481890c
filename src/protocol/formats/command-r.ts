/** Command R: ```` Action: ```json⏎[{"tool_name": "f", "parameters": {…}}]⏎``` ````. */
import { jsonCalls } from '../codecs/json-calls';
import type { ToolCallFormat } from '../format';

export const commandR: ToolCallFormat = {
  id: 'command-r',
  reading: {
    open: ['Action: ```json', 'Action:```json'],
    close: ['```'],
    bodies: [jsonCalls],
    at: 'line',
    isBare: true,
  },
};

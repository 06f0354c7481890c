/** Qwen in long chats: `[Calling tool: f({…})]`. */
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';

export const callingTool: ToolCallFormat = {
  id: 'calling-tool',
  reading: {
    open: ['[Calling tool:', '[Calling tool', '[Tool call:'],
    close: [']'],
    bodies: [pythonCalls],
    at: 'anywhere',
    isBare: true,
  },
};

/** Qwen 1: `✿FUNCTION✿: web_search⏎✿ARGS✿: {"query": "x"}`. */
import { keyLines } from '../codecs/key-lines';
import type { ToolCallFormat } from '../format';

export const qwenStar: ToolCallFormat = {
  id: 'qwen-star',
  reading: {
    open: ['✿FUNCTION✿'],
    close: [],
    bodies: [keyLines({ id: 'qwen-star', name: '✿FUNCTION✿', arguments: '✿ARGS✿' })],
    at: 'anywhere',
    opensBody: true,
  },
};

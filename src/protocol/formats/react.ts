/** ReAct: `Action: web_search⏎Action Input: {"query": "x"}`, the input an object or the text of the one argument. */
import { keyLines, keyLinesOfText } from '../codecs/key-lines';
import type { ToolCallFormat } from '../format';

const keys = { id: 'react', name: '\\**Action\\**', arguments: '\\**Action Input\\**' };

export const react: ToolCallFormat = {
  id: 'react',
  reading: {
    open: ['Action:', '**Action:'],
    close: [],
    bodies: [keyLines(keys), keyLinesOfText(keys)],
    at: 'line',
    opensBody: true,
    isBare: true,
  },
};

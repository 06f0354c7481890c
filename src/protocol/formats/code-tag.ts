/** SmolLM3 in its Python mode: `<code>f(a="x")</code>`. HTML uses the tag too, so it must fit. */
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';

export const codeTag: ToolCallFormat = {
  id: 'code-tag',
  reading: { open: ['<code>'], close: ['</code>'], bodies: [pythonCalls], at: 'anywhere', isBare: true },
};

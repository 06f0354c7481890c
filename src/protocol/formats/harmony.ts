/** gpt-oss: `<|channel|>commentary to=functions.f <|constrain|>json<|message|>{…}<|call|>`. */
import { namedValue } from '../codecs/named-value';
import type { ToolCallFormat } from '../format';

export const harmony: ToolCallFormat = {
  id: 'harmony',
  reading: {
    open: [
      '<|channel|>commentary to=',
      '<|channel|>analysis to=',
      '<|start|>assistant to=',
      '<|start|>assistant<|channel|>commentary to=',
    ],
    close: ['<|call|>', '<|end|>'],
    bodies: [namedValue],
    at: 'anywhere',
  },
};

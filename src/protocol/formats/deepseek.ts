/** DeepSeek V3, R1 and V3.1: `<｜tool▁call▁begin｜>f<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`, the bars also as ASCII. */
import { namedValue } from '../codecs/named-value';
import type { ToolCallFormat } from '../format';

export const deepseek: ToolCallFormat = {
  id: 'deepseek',
  reading: {
    open: ['<｜tool▁calls▁begin｜>', '<｜tool▁call▁begin｜>', '<|tool▁calls▁begin|>', '<|tool▁call▁begin|>'],
    close: ['<｜tool▁call▁end｜>', '<｜tool▁calls▁end｜>', '<|tool▁call▁end|>', '<|tool▁calls▁end|>'],
    bodies: [namedValue],
    at: 'anywhere',
  },
};

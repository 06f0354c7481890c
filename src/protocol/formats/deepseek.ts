/** DeepSeek V3, R1 and V3.1: `<｜tool▁call▁begin｜>f<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`, the bars also as ASCII. */
import { namedValue } from '../codecs/named-value';
import type { ToolCallFormat } from '../format';

export const deepseek: ToolCallFormat = {
  id: 'deepseek',
  reading: {
    open: [
      '<｜tool▁calls▁begin｜>',
      '<｜tool▁call▁begin｜>',
      '<|tool▁calls▁begin|>',
      '<|tool▁call▁begin|>',
      '<｜tool_calls_begin｜>',
      '<｜tool_call_begin｜>',
      '<｜tool_call_begin｜>function<｜tool_sep｜>',
    ],
    close: [
      '<｜tool▁call▁end｜>',
      '<｜tool▁calls▁end｜>',
      '<|tool▁call▁end|>',
      '<|tool▁calls▁end|>',
      '<｜tool_call_end｜>',
      '<｜tool_calls_end｜>',
    ],
    bodies: [namedValue],
    at: 'anywhere',
  },
};

/** InternLM 2, Cohere, functionary 3.2: `<|action_start|><|plugin|>{…}<|action_end|>`, `<|START_ACTION|>[…]`, `<|recipient|>f<|content|>{…}`. */
import { argumentPairs } from '../codecs/argument-pairs';
import { jsonCalls } from '../codecs/json-calls';
import { namedValue } from '../codecs/named-value';
import type { ToolCallFormat } from '../format';

export const plugin: ToolCallFormat = {
  id: 'plugin',
  reading: {
    open: [
      '<|action_start|>',
      '<|plugin|>',
      '<|START_ACTION|>',
      '<|recipient|>',
      '<longcat_tool_call>',
      '<|tools_prefix|>',
    ],
    close: ['<|action_end|>', '<|END_ACTION|>', '</longcat_tool_call>', '<|tools_suffix|>'],
    bodies: [jsonCalls, argumentPairs, namedValue],
    at: 'anywhere',
    isShared: true,
  },
};

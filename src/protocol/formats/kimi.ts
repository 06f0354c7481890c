/** Kimi K2: `<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`. */
import { namedValue } from '../codecs/named-value';
import type { ToolCallFormat } from '../format';

export const kimi: ToolCallFormat = {
  id: 'kimi',
  reading: {
    open: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>', '<|tool_call_begin|>'],
    close: ['<|tool_call_end|>', '<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
    bodies: [namedValue],
    at: 'anywhere',
  },
};

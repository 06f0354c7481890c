/** `<invoke name="f"><parameter name="q">x</parameter></invoke>`: MiniMax, Step 3, MiniCPM 5, imitations of Claude. */
import { taggedObject, xmlParameters } from '../codecs/xml-parameters';
import type { ToolCallFormat } from '../format';

export const invokeTag: ToolCallFormat = {
  id: 'invoke-tag',
  reading: {
    open: [
      '<invoke name=',
      '<steptml:invoke name=',
      '<function name=',
      '<functionname=',
      '<tool_call name=',
      '<function_call name=',
      '<tool name=',
      '<minimax:tool_call>',
      '<seed:tool_call>',
    ],
    close: [
      '</invoke>',
      '</steptml:invoke>',
      '</function>',
      '</tool_call>',
      '</tool_calls>',
      '</function_call>',
      '</function_calls>',
      '</tool>',
      '</minimax:tool_call>',
      '</seed:tool_call>',
    ],
    bodies: [taggedObject, xmlParameters],
    at: 'anywhere',
  },
};

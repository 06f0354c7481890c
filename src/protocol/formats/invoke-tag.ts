/** `<invoke name="f"><parameter name="q">x</parameter></invoke>`: MiniMax, DeepSeek V3.2's DSML, Step 3, imitations of Claude. */
import { taggedObject, xmlParameters } from '../codecs/xml-parameters';
import type { ToolCallFormat } from '../format';

export const invokeTag: ToolCallFormat = {
  id: 'invoke-tag',
  reading: {
    open: [
      '<invoke name=',
      '<｜DSML｜invoke name=',
      '<steptml:invoke name=',
      '<function name=',
      '<tool_call name=',
      '<function_call name=',
      '<tool name=',
      '<minimax:tool_call>',
      '<seed:tool_call>',
      '<｜DSML｜function_calls>',
    ],
    close: [
      '</invoke>',
      '</｜DSML｜invoke>',
      '</steptml:invoke>',
      '</function>',
      '</tool_call>',
      '</function_call>',
      '</tool>',
      '</minimax:tool_call>',
      '</seed:tool_call>',
      '</｜DSML｜function_calls>',
    ],
    bodies: [taggedObject, xmlParameters],
    at: 'anywhere',
  },
};

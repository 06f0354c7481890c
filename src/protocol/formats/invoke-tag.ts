/** `<invoke name="f"><parameter name="q">x</parameter></invoke>`: MiniMax, DeepSeek V3.2's DSML, imitations of Claude. */
import { taggedObject, xmlParameters } from '../codecs/xml-parameters';
import type { ToolCallFormat } from '../format';

export const invokeTag: ToolCallFormat = {
  id: 'invoke-tag',
  reading: {
    open: ['<invoke name=', '<｜DSML｜invoke name=', '<minimax:tool_call>', '<｜DSML｜function_calls>'],
    close: ['</invoke>', '</｜DSML｜invoke>', '</minimax:tool_call>', '</｜DSML｜function_calls>'],
    bodies: [taggedObject, xmlParameters],
    at: 'anywhere',
  },
};

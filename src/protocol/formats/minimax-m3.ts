/** MiniMax M3: as its forerunner, but each tag has a mark before it, and the fields are tags of their own, which may nest. */
import { taggedObject } from '../codecs/xml-parameters';
import { minimaxMark as mark, markedElements } from '../codecs/marked-elements';
import type { ToolCallFormat } from '../format';

export const minimaxM3: ToolCallFormat = {
  id: 'minimax-m3',
  reading: {
    open: [`${mark}<tool_call>`, `${mark}<invoke name=`],
    close: [`${mark}</invoke>`, `${mark}</tool_call>`, '</invoke>', '</tool_call>'],
    bodies: [taggedObject, markedElements],
    at: 'anywhere',
  },
};

/** A tag that is called like the tool: `<web_search><query>x</query></web_search>`. Without another mark, it must fit. */
import { toolTag as codec } from '../codecs/xml-parameters';
import type { ToolCallFormat } from '../format';

export const toolTag: ToolCallFormat = {
  id: 'tool-tag',
  reading: {
    open: [],
    opensByTool: 'tag',
    close: [],
    bodies: [codec],
    at: 'anywhere',
    opensBody: true,
    isBare: true,
  },
};

/** Chinese key lines outside of a block: `工具名称: web_search⏎参数: {"query": "x"}`, with either colon. */
import { chineseKeys as codec } from '../codecs/chinese-keys';
import type { ToolCallFormat } from '../format';

export const chineseKeys: ToolCallFormat = {
  id: 'chinese-keys',
  reading: {
    open: ['工具名称', '工具名'],
    close: [],
    bodies: [codec],
    at: 'line',
    opensBody: true,
    isBare: true,
  },
};

/** Chinese key lines outside of a block: `工具名称: web_search⏎参数: {"query": "x"}`, with either colon. */
import type { ToolCallFormat } from '../format';
import { chineseKeys as codec } from './fenced-tool';

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

/** `工具名称: web_search⏎参数: {"query": "x"}`, with either colon. */
import { keyLines } from './key-lines';

export const chineseKeys = keyLines({
  id: 'chinese-keys',
  name: '(?:工具名称|工具名|工具)',
  arguments: '(?:工具参数|参数)',
});

/** A call in a code block that says so: ```` ```tool ````, ```` ```tool_call ````, Gemma's ```` ```tool_code ````. */
import { jsonCalls } from '../codecs/json-calls';
import { keyLines } from '../codecs/key-lines';
import { namedValue } from '../codecs/named-value';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';

export const chineseKeys = keyLines({
  id: 'chinese-keys',
  name: '(?:工具名称|工具名|工具)',
  arguments: '(?:工具参数|参数)',
});

export const fencedTool: ToolCallFormat = {
  id: 'fenced-tool',
  reading: {
    open: ['```tool_call', '```tool_calls', '```tool_code', '```tool', '```function_call'],
    close: ['```'],
    bodies: [jsonCalls, chineseKeys, pythonCalls, namedValue],
    at: 'line',
    isShared: true,
  },
};

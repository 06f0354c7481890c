/**
 * Chinese key lines: `工具名称: web_search⏎参数: {"query": "x"}`, with either colon. Read outside of a block here, and in one
 * by `fenced-tool.ts`. A model is taught them in a block, ```` ```tool ````, which says that they are a call.
 */
import { chineseKeys as codec } from '../codecs/chinese-keys';
import type { Dialect, ToolCallFormat } from '../format';
import { createDialect } from '../teach';

const frame: Dialect['frame'] = (name) => ({
  before: `\`\`\`tool\n工具名称: ${name}\n参数: `,
  after: '\n```',
});

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
  dialect: createDialect({
    frame,
    writeCall: ({ name, arguments: written }) => {
      const { before, after } = frame(name);
      return before + JSON.stringify(written) + after;
    },
  }),
};

/** Formats that write a call as lines: a key with the name, then a key with the arguments. */
import { chineseKeyLines, keyLines, keyLinesOfText } from '../codecs/key-lines';
import type { Dialect, ToolCallFormat } from '../format';
import { createDialect } from '../teach';

const toolBlock: Dialect['frame'] = (name) => ({
  before: `\`\`\`tool\n工具名称: ${name}\n参数: `,
  after: '\n```',
});

/** The prompt teaches Chinese key lines inside a ```` ```tool ```` block, which marks them as a call. */
export const chineseKeys: ToolCallFormat = {
  id: 'chinese-keys',
  reading: {
    open: ['工具名称', '工具名'],
    close: [],
    bodies: [chineseKeyLines],
    at: 'line',
    opensBody: true,
    isBare: true,
  },
  dialect: createDialect({
    frame: toolBlock,
    writeCall: ({ name, arguments: written }) => {
      const { before, after } = toolBlock(name);
      return before + JSON.stringify(written) + after;
    },
  }),
};

/** Qwen 1: `✿FUNCTION✿: web_search⏎✿ARGS✿: {"query": "x"}`. */
export const qwenStar: ToolCallFormat = {
  id: 'qwen-star',
  reading: {
    open: ['✿FUNCTION✿'],
    close: [],
    bodies: [keyLines({ id: 'qwen-star', name: '✿FUNCTION✿', arguments: '✿ARGS✿' })],
    at: 'anywhere',
    opensBody: true,
  },
};

const reactKeys = { id: 'react', name: '\\**Action\\**', arguments: '\\**Action Input\\**' };

/** ReAct: `Action: web_search⏎Action Input: {"query": "x"}`. The input may also be a single text. */
export const react: ToolCallFormat = {
  id: 'react',
  reading: {
    open: ['Action:', '**Action:'],
    close: [],
    bodies: [keyLines(reactKeys), keyLinesOfText(reactKeys)],
    at: 'line',
    opensBody: true,
    isBare: true,
  },
};

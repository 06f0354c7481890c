/** Formats whose calls are tags with attributes: the tag names the tool, and tags inside it hold the arguments. */
import {
  attributedArguments,
  markedElements,
  minimaxMark,
  taggedObject,
  toolTagBody,
  xmlParameters,
} from '../codecs/tags';
import type { ToolCallFormat } from '../format';
import { createDialect } from '../teach';

/** `<function=f>` with an object (Llama 3.1, functionary) or with parameters as tags (Qwen3-Coder, Nemotron 3). */
export const functionTag: ToolCallFormat = {
  id: 'function-tag',
  reading: {
    open: ['<function='],
    close: ['</function>', '</tool_call>'],
    bodies: [taggedObject, xmlParameters],
    at: 'anywhere',
  },
  dialect: createDialect({
    writeCall: ({ name, arguments: written }) => {
      const parameters = Object.entries(written).map(
        ([key, value]) =>
          `<parameter=${key}>\n${typeof value === 'string' ? value : JSON.stringify(value)}\n</parameter>\n`,
      );
      return `<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`;
    },
  }),
};

/** `<invoke name="f"><parameter name="q">x</parameter></invoke>`: MiniMax, Step 3, MiniCPM 5. */
export const invokeTag: ToolCallFormat = {
  id: 'invoke-tag',
  reading: {
    open: [
      '<invoke name=',
      '<steptml:invoke name=',
      '<function name=',
      '<functionname=',
      '<tool_call name=',
      '<function_call name=',
      '<tool name=',
      '<minimax:tool_call>',
      '<seed:tool_call>',
    ],
    close: [
      '</invoke>',
      '</steptml:invoke>',
      '</function>',
      '</tool_call>',
      '</tool_calls>',
      '</function_call>',
      '</function_calls>',
      '</tool>',
      '</minimax:tool_call>',
      '</seed:tool_call>',
    ],
    bodies: [taggedObject, xmlParameters],
    at: 'anywhere',
  },
};

const dsmlPrefixes = ['｜DSML｜', '|DSML|', '｜GCML｜'];
const withPrefixes = (written: readonly string[]) =>
  dsmlPrefixes.flatMap((prefix) => written.map((tag) => tag.replace('｜', prefix)));

/** DeepSeek V3.2 and V4, GigaChat 3.5: `<｜DSML｜invoke name="f"><｜DSML｜parameter name="q" string="true">x…`. */
export const dsml: ToolCallFormat = {
  id: 'dsml',
  reading: {
    open: withPrefixes(['<｜tool_calls>', '<｜function_calls>', '<｜invoke name=']),
    close: withPrefixes(['</｜invoke>', '</｜tool_calls>', '</｜function_calls>']),
    bodies: [taggedObject, xmlParameters],
    at: 'anywhere',
  },
};

/** MiniMax M3: like MiniMax M2, but with a mark before each tag, and one tag per field, which may nest. */
export const minimaxM3: ToolCallFormat = {
  id: 'minimax-m3',
  reading: {
    open: [`${minimaxMark}<tool_call>`, `${minimaxMark}<invoke name=`],
    close: [`${minimaxMark}</invoke>`, `${minimaxMark}</tool_call>`, '</invoke>', '</tool_call>'],
    bodies: [taggedObject, markedElements],
    at: 'anywhere',
  },
};

/** Kimi K3: `<|open|>call tool="f" index="1"<|sep|><|open|>argument key="q" type="string"<|sep|>x<|close|>…`. */
export const kimiK3: ToolCallFormat = {
  id: 'kimi-k3',
  reading: {
    open: ['<|open|>tools<|sep|>', '<|open|>call '],
    close: ['<|close|>call<|sep|>', '<|close|>tools<|sep|>'],
    bodies: [attributedArguments],
    at: 'anywhere',
  },
};

/** A tag named like the tool: `<web_search><query>x</query></web_search>`. It has no other mark, so it must fit a tool. */
export const toolTag: ToolCallFormat = {
  id: 'tool-tag',
  reading: {
    open: [],
    opensByTool: 'tag',
    close: [],
    bodies: [toolTagBody],
    at: 'anywhere',
    opensBody: true,
    isBare: true,
  },
};

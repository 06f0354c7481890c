/** Formats that write calls as JSON, between marks or bare, and `native`, which stores calls in the Hermes form. */
import { argumentPairs, namedTags } from '../codecs/tags';
import { jsonCalls } from '../codecs/json-calls';
import { bareName, namedValue } from '../codecs/named-value';
import { pythonCalls } from '../codecs/python-calls';
import type { ToolCallFormat } from '../format';
import { createDialect, resultRules, tagFrame } from '../teach';

/** Hermes, Qwen2.5 and 3, SmolLM3, Granite 4: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`. */
export const hermes: ToolCallFormat = {
  id: 'hermes',
  reading: {
    open: [
      '<tool_call>',
      '<tool_calls>',
      '<toolcall>',
      '<function_call>',
      '<function_calls>',
      '<tool_code>',
      '<tool_use>',
    ],
    close: [
      '</tool_call>',
      '</tool_calls>',
      '</toolcall>',
      '</function_call>',
      '</function_calls>',
      '</tool_code>',
      '</tool_use>',
    ],
    bodies: [jsonCalls, argumentPairs, namedTags, pythonCalls, namedValue, bareName],
    at: 'anywhere',
  },
  dialect: createDialect({
    frame: tagFrame,
    writeCall: ({ name, arguments: written }) => {
      const { before, after } = tagFrame(name);
      return before + JSON.stringify(written) + after;
    },
  }),
};

if (!hermes.dialect) throw new Error('The format that calls are written down in has a dialect.');

export const native: ToolCallFormat = {
  id: 'native',
  dialect: {
    // The engine writes the server's calls in this form, so that they can be read, stored and shown to other models.
    ...hermes.dialect,
    describe: (_tools, language) => resultRules(language),
    isNative: true,
  },
};

/** The template wrote the opening tag, or the model wrote a closing one instead: `</tool_call>{…}</tool_call>`. */
export const missingOpener: ToolCallFormat = {
  id: 'missing-opener',
  reading: {
    open: ['</tool_call>'],
    close: ['</tool_call>'],
    bodies: [jsonCalls],
    at: 'anywhere',
    isBare: true,
  },
};

/** Qwen2.5-Coder uses the tag of the tool list: `<tools>{"name": …, "arguments": {…}}</tools>`. */
export const toolsTag: ToolCallFormat = {
  id: 'tools-tag',
  reading: {
    open: ['<tools>'],
    close: ['</tools>'],
    bodies: [jsonCalls],
    at: 'anywhere',
    // A model that recites its prompt writes the tool list in this tag.
    isBare: true,
  },
};

/** Phi-4-mini and Granite 3: `<|tool_call|>[{"name": …, "arguments": {…}}]<|/tool_call|>`. */
export const phi: ToolCallFormat = {
  id: 'phi',
  reading: { open: ['<|tool_call|>'], close: ['<|/tool_call|>'], bodies: [jsonCalls], at: 'anywhere' },
  dialect: createDialect({
    frame: (name) => ({
      before: `<|tool_call|>[{"name": ${JSON.stringify(name)}, "arguments": `,
      after: '}]<|/tool_call|>',
    }),
    writeCall: (call) => `<|tool_call|>[${JSON.stringify(call)}]<|/tool_call|>`,
  }),
};

/** Phi-4-mini without its mark: `functools[{"name": …, "arguments": {…}}]`. */
export const functools: ToolCallFormat = {
  id: 'functools',
  reading: { open: ['functools'], close: [], bodies: [jsonCalls], at: 'line', isBare: true },
};

/** GigaChat 3: `function call<|role_sep|>⏎{"name": …, "arguments": {…}}`, or one token before the object. */
export const gigachat: ToolCallFormat = {
  id: 'gigachat',
  reading: {
    open: ['<|function_call|>', 'function call<|role_sep|>'],
    close: ['<|message_sep|>'],
    bodies: [jsonCalls],
    at: 'anywhere',
  },
};

/** GigaChat 3 if its special tokens are hidden: `function call{"name": …, "arguments": {…}}`. */
export const gigachatBare: ToolCallFormat = {
  id: 'gigachat-bare',
  reading: { open: ['function call'], close: [], bodies: [jsonCalls], at: 'line', isBare: true },
};

/** Llama 3.1 and 3.2: `<|python_tag|>{"name": …, "parameters": {…}}`. Programs use the same mark and are prose. */
export const llamaPythonTag: ToolCallFormat = {
  id: 'llama-python-tag',
  reading: {
    open: ['<|python_tag|>'],
    close: ['<|eom_id|>', '<|eot_id|>'],
    bodies: [jsonCalls, pythonCalls],
    at: 'anywhere',
    isShared: true,
  },
};

/** InternLM 2, Cohere, functionary 3.2: `<|action_start|><|plugin|>{…}<|action_end|>`, `<|START_ACTION|>[…]`. */
export const plugin: ToolCallFormat = {
  id: 'plugin',
  reading: {
    open: [
      '<|action_start|>',
      '<|plugin|>',
      '<|START_ACTION|>',
      '<|recipient|>',
      '<longcat_tool_call>',
      '<|tools_prefix|>',
    ],
    close: ['<|action_end|>', '<|END_ACTION|>', '</longcat_tool_call>', '<|tools_suffix|>'],
    bodies: [jsonCalls, argumentPairs, namedValue],
    at: 'anywhere',
    isShared: true,
  },
};

/** JSON without a mark that names an offered tool: Llama 3, Gemma 3, Mistral-Nemo, xLAM, OpenAI's shape. */
export const bareJson: ToolCallFormat = {
  id: 'json',
  reading: {
    open: ['{', '['],
    close: [],
    bodies: [jsonCalls, pythonCalls],
    at: 'line',
    opensBody: true,
    isBare: true,
  },
  dialect: createDialect({
    frame: (name) => ({ before: `{"name": ${JSON.stringify(name)}, "parameters": `, after: '}' }),
    writeCall: ({ name, arguments: written }) =>
      `{"name": ${JSON.stringify(name)}, "parameters": ${JSON.stringify(written)}}`,
  }),
};

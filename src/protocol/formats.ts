/** All formats as data. The reader parses all of them. A prompt only shows a model its own. */
import { codeBlockCalls, jsonCalls } from './codecs/json-calls';
import { arrowCall, nameOnly, chineseKeyLines, createKeyLinesCodec, namedObject } from './codecs/named-value';
import { pythonCalls } from './codecs/python-calls';
import {
  argumentPairs,
  callsWithAttributes,
  markedElements,
  minimaxMarker,
  namedTags,
  taggedObject,
  toolTag,
  xmlParameters,
} from './codecs/tags';
import type { Dialect, CallSyntax, ToolCallFormat } from './format';
import { createDialect, resultRules } from './teach';
import { isRecord } from './tool-index';

export const hermesDialect = createDialect({});

const reactKeys = { name: '\\**Action\\**', arguments: '\\**Action Input\\**' };

const dsmlPrefixes = ['｜DSML｜', '|DSML|', '｜GCML｜'];
const withDsmlPrefixes = (written: readonly string[]) =>
  dsmlPrefixes.flatMap((prefix) => written.map((tag) => tag.replace('｜', prefix)));

/** If several formats match, the reader prefers the first. */
export const toolCallFormats: readonly ToolCallFormat[] = [
  /** Hermes, Qwen2.5 and 3, SmolLM3, Granite 4: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`. */
  defineFormat('hermes', {
    ...createTagMarkers('tool_call tool_calls toolcall function_call function_calls tool_code tool_use'),
    bodies: [jsonCalls, argumentPairs, namedTags, pythonCalls, namedObject, nameOnly],
    dialect: hermesDialect,
  }),
  /** No opening tag, because the prompt's template wrote it or the model wrote a closing tag instead: `</tool_call>{…}</tool_call>`. */
  defineFormat('missing-opener', {
    open: ['</tool_call>'],
    close: ['</tool_call>'],
    bodies: [jsonCalls],
    isBare: true,
  }),
  /** Qwen2.5-Coder: `<tools>{"name": …, "arguments": {…}}</tools>`. A model that repeats its prompt also writes this tag. */
  defineFormat('tools-tag', { ...createTagMarkers('tools'), bodies: [jsonCalls], isBare: true }),
  /** `<function=f>` with an object (Llama 3.1, functionary) or with parameters as tags (Qwen3-Coder, Nemotron 3). */
  defineFormat('function-tag', {
    open: ['<function='],
    close: ['</function>', '</tool_call>'],
    bodies: [taggedObject, xmlParameters],
    dialect: createDialect({
      writeCall({ name, arguments: written }) {
        const parameters = Object.entries(written).map(([key, value]) => {
          const text = typeof value === 'string' ? value : JSON.stringify(value);
          return `<parameter=${key}>\n${text}\n</parameter>\n`;
        });
        return `<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`;
      },
    }),
  }),
  /** `<invoke name="f"><parameter name="q">x</parameter></invoke>`: MiniMax, Step 3, MiniCPM 5. */
  defineFormat('invoke-tag', {
    open: [
      ...['<invoke name=', '<steptml:invoke name=', '<function name=', '<functionname=', '<tool_call name='],
      ...['<function_call name=', '<tool name=', '<minimax:tool_call>', '<seed:tool_call>'],
    ],
    close: [
      ...['</invoke>', '</steptml:invoke>', '</function>', '</tool_call>', '</tool_calls>'],
      ...['</function_call>', '</function_calls>', '</tool>', '</minimax:tool_call>', '</seed:tool_call>'],
    ],
    bodies: [taggedObject, xmlParameters],
  }),
  /** DeepSeek V3.2 and V4, GigaChat 3.5: `<｜DSML｜invoke name="f"><｜DSML｜parameter name="q" string="true">x…`. */
  defineFormat('dsml', {
    open: withDsmlPrefixes(['<｜tool_calls>', '<｜function_calls>', '<｜invoke name=']),
    close: withDsmlPrefixes(['</｜invoke>', '</｜tool_calls>', '</｜function_calls>']),
    bodies: [taggedObject, xmlParameters],
  }),
  /** MiniMax M3: like MiniMax M2, but with a marker before each tag, and one tag per field, possibly nested. */
  defineFormat('minimax-m3', {
    open: [`${minimaxMarker}<tool_call>`, `${minimaxMarker}<invoke name=`],
    close: [`${minimaxMarker}</invoke>`, `${minimaxMarker}</tool_call>`, '</invoke>', '</tool_call>'],
    bodies: [taggedObject, markedElements],
  }),
  /** Llama 3.1 and 3.2: `<|python_tag|>{"name": …, "parameters": {…}}`. A Python program may follow the marker too. It is not a call. */
  defineFormat('llama-python-tag', {
    open: ['<|python_tag|>'],
    close: ['<|eom_id|>', '<|eot_id|>'],
    bodies: [jsonCalls, pythonCalls],
    isShared: true,
  }),
  /** Mistral: `[TOOL_CALLS] [{"name": …, "arguments": {…}}]`, later `[TOOL_CALLS]f[ARGS]{…}` or `[TOOL_CALLS]f{…}`. */
  defineFormat('mistral', {
    open: ['[TOOL_CALLS]'],
    close: ['[/TOOL_CALLS]'],
    bodies: [jsonCalls, namedObject, pythonCalls],
    dialect: createDialect({ frame: (name) => ({ before: `[TOOL_CALLS]${name}[ARGS]`, after: '' }) }),
  }),
  /** DeepSeek V3, R1 and V3.1: `<｜tool▁call▁begin｜>f<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`, also with ASCII bars. */
  defineFormat('deepseek', {
    open: [
      ...['<｜tool▁calls▁begin｜>', '<｜tool▁call▁begin｜>', '<|tool▁calls▁begin|>', '<|tool▁call▁begin|>'],
      ...['<｜tool_calls_begin｜>', '<｜tool_call_begin｜>', '<｜tool_call_begin｜>function<｜tool_sep｜>'],
    ],
    close: [
      ...['<｜tool▁call▁end｜>', '<｜tool▁calls▁end｜>', '<|tool▁call▁end|>', '<|tool▁calls▁end|>'],
      ...['<｜tool_call_end｜>', '<｜tool_calls_end｜>'],
    ],
    bodies: [namedObject],
  }),
  /** Kimi K2: `<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`. */
  defineFormat('kimi', {
    open: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>', '<|tool_call_begin|>'],
    close: ['<|tool_call_end|>', '<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
    bodies: [namedObject],
  }),
  /** Kimi K3: `<|open|>call tool="f" index="1"<|sep|><|open|>argument key="q" type="string"<|sep|>x<|close|>…`. */
  defineFormat('kimi-k3', {
    open: ['<|open|>tools<|sep|>', '<|open|>call '],
    close: ['<|close|>call<|sep|>', '<|close|>tools<|sep|>'],
    bodies: [callsWithAttributes],
  }),
  /** Gemma 4: `<|tool_call>call:f{q:<|"|>x<|"|>}<tool_call|>`, and FunctionGemma's `<start_function_call>`. */
  defineFormat('gemma', {
    open: ['<|tool_call>', '<start_function_call>'],
    close: ['<tool_call|>', '<end_function_call>'],
    bodies: [namedObject, jsonCalls, pythonCalls],
    dialect: createDialect({
      frame: (name) => ({ before: `<|tool_call>call:${name}`, after: '<tool_call|>' }),
      writeCall: (call) => `<|tool_call>call:${call.name}${writeGemmaValue(call.arguments)}<tool_call|>`,
    }),
  }),
  /** Gemma without its markers: `call:f{q:"x"}`, and `tool_code = f(q="x")`. */
  defineFormat('gemma-bare', {
    open: ['call:', 'tool_code = ', 'tool_code='],
    bodies: [namedObject, pythonCalls],
    at: 'line',
    isBare: true,
  }),
  /** LFM2: `<|tool_call_start|>[f(a="x")]<|tool_call_end|>`. */
  defineFormat('lfm', {
    open: ['<|tool_call_start|>'],
    close: ['<|tool_call_end|>'],
    bodies: [pythonCalls, jsonCalls],
    dialect: createDialect({
      writeCall: (call) => `<|tool_call_start|>[${writePythonCall(call)}]<|tool_call_end|>`,
    }),
  }),
  /** Phi-4-mini and Granite 3: `<|tool_call|>[{"name": …, "arguments": {…}}]<|/tool_call|>`. */
  defineFormat('phi', {
    open: ['<|tool_call|>'],
    close: ['<|/tool_call|>'],
    bodies: [jsonCalls],
    dialect: createDialect({
      frame: (name) => ({
        before: `<|tool_call|>[{"name": ${JSON.stringify(name)}, "arguments": `,
        after: '}]<|/tool_call|>',
      }),
      writeCall: (call) => `<|tool_call|>[${JSON.stringify(call)}]<|/tool_call|>`,
    }),
  }),
  /** Phi-4-mini without its marker: `functools[{"name": …, "arguments": {…}}]`. */
  defineFormat('functools', { open: ['functools'], bodies: [jsonCalls], at: 'line', isBare: true }),
  /** functionary 3.2: `>>>f⏎{…}`. Python's command prompt looks the same, so the call must fit a tool. */
  defineFormat('functionary', { open: ['>>>'], bodies: [namedObject], at: 'line', isBare: true }),
  /** gpt-oss: `<|channel|>commentary to=functions.f <|constrain|>json<|message|>{…}<|call|>`. */
  defineFormat('harmony', {
    open: [
      '<|channel|>commentary to=',
      '<|channel|>analysis to=',
      '<|start|>assistant to=',
      '<|start|>assistant<|channel|>commentary to=',
    ],
    close: ['<|call|>', '<|end|>'],
    bodies: [namedObject],
  }),
  /** GigaChat 3: `function call<|role_sep|>⏎{"name": …, "arguments": {…}}`, or `<|function_call|>` before the object. */
  defineFormat('gigachat', {
    open: ['<|function_call|>', 'function call<|role_sep|>'],
    close: ['<|message_sep|>'],
    bodies: [jsonCalls],
  }),
  /** GigaChat 3, if the engine hides special tokens. */
  defineFormat('gigachat-bare', { open: ['function call'], bodies: [jsonCalls], at: 'line', isBare: true }),
  /** InternLM 2, Cohere, functionary 3.2: `<|action_start|><|plugin|>{…}<|action_end|>`, `<|START_ACTION|>[…]`. */
  defineFormat('plugin', {
    open: [
      ...['<|action_start|>', '<|plugin|>', '<|START_ACTION|>', '<|recipient|>', '<longcat_tool_call>'],
      '<|tools_prefix|>',
    ],
    close: ['<|action_end|>', '<|END_ACTION|>', '</longcat_tool_call>', '<|tools_suffix|>'],
    bodies: [jsonCalls, argumentPairs, namedObject],
    isShared: true,
  }),
  /** Qwen in long chats: `[Calling tool: f({…})]`. */
  defineFormat('calling-tool', {
    open: ['[Calling tool:', '[Calling tool', '[Tool call:'],
    close: [']'],
    bodies: [pythonCalls],
    isBare: true,
  }),
  /** MiniMax occasionally leaks this format: `[TOOL_CALL]⏎{tool => "f", args => {⏎--q "x"⏎}}⏎[/TOOL_CALL]`. */
  defineFormat('arrow', { open: ['[TOOL_CALL]'], close: ['[/TOOL_CALL]'], bodies: [arrowCall, jsonCalls] }),
  /** SmolLM3 in its Python mode: `<code>f(a="x")</code>`. HTML uses this tag too, so the call must fit a tool. */
  defineFormat('code-tag', { ...createTagMarkers('code'), bodies: [pythonCalls], isBare: true }),
  /** Qwen 1: `✿FUNCTION✿: web_search⏎✿ARGS✿: {"query": "x"}`. */
  defineFormat('qwen-star', {
    open: ['✿FUNCTION✿'],
    bodies: [createKeyLinesCodec({ name: '✿FUNCTION✿', arguments: '✿ARGS✿' })],
    opensBody: true,
  }),
  /** A code block labelled as a call: ```` ```tool ````, ```` ```tool_call ````, Gemma's ```` ```tool_code ````. */
  defineFormat('fenced-tool', {
    ...createCodeBlockMarkers('tool_call', 'tool_calls', 'tool_code', 'tool', 'function_call'),
    bodies: [jsonCalls, chineseKeyLines, pythonCalls, namedObject],
    isShared: true,
    dialect: createDialect({ writeCall: (call) => `\`\`\`tool_code\n${writePythonCall(call)}\n\`\`\`` }),
  }),
  /** A call in a code block for JSON or text: Qwen2.5-Coder-7B, Gemma 3, Llama 3.2. It has no marker, so it must fit a tool's schema. */
  defineFormat('fenced-json', {
    ...createCodeBlockMarkers('json', 'jsonc', 'json5', 'text', 'plaintext', ''),
    bodies: [jsonCalls, chineseKeyLines, pythonCalls],
    isBare: true,
  }),
  /** A reply that starts with a code block of only calls: Gemma, Mistral, models that we taught to write calls as code. */
  defineFormat('fenced-code', {
    ...createCodeBlockMarkers('python', 'python3', 'py', 'javascript', 'js', 'java'),
    bodies: [codeBlockCalls],
    // After prose, a code block only shows an example and does not call a tool.
    at: 'start',
    isBare: true,
  }),
  /** Our prompt teaches lines with Chinese keys inside a ```` ```tool ```` block, which marks them as a call. */
  defineFormat('chinese-keys', {
    open: ['工具名称', '工具名'],
    bodies: [chineseKeyLines],
    at: 'line',
    opensBody: true,
    isBare: true,
    dialect: createDialect({
      frame: (name) => ({ before: `\`\`\`tool\n工具名称: ${name}\n参数: `, after: '\n```' }),
    }),
  }),
  /** ReAct: `Action: web_search⏎Action Input: {"query": "x"}`. The input may also be plain text. */
  defineFormat('react', {
    open: ['Action:', '**Action:'],
    bodies: [createKeyLinesCodec(reactKeys), createKeyLinesCodec(reactKeys, { isText: true })],
    at: 'line',
    opensBody: true,
    isBare: true,
  }),
  /** Command R: ```` Action: ```json⏎[{"tool_name": "f", "parameters": {…}}]⏎``` ````. */
  defineFormat('command-r', {
    open: ['Action: ```json', 'Action:```json'],
    close: ['```'],
    bodies: [jsonCalls],
    at: 'line',
    isBare: true,
  }),
  /** JSON that names an offered tool and has no marker: Llama 3, Gemma 3, Mistral-Nemo, xLAM, OpenAI's format. */
  defineFormat('json', {
    open: ['{', '['],
    bodies: [jsonCalls, pythonCalls],
    at: 'line',
    opensBody: true,
    isBare: true,
    dialect: createDialect({
      frame: (name) => ({ before: `{"name": ${JSON.stringify(name)}, "parameters": `, after: '}' }),
    }),
  }),
  /** A call without a marker: `f(a=1)`, `f(a: 1)`, `f{"a": 1}`, and GLM-4's `f⏎{"a": 1}`. */
  defineFormat('pythonic', {
    opensByTool: 'name',
    bodies: [pythonCalls, namedObject],
    at: 'line',
    opensBody: true,
    isBare: true,
    endsLine: true,
  }),
  /** A tag named after the tool: `<web_search><query>x</query></web_search>`. Its arguments must fit the tool, as it has no other marker. */
  defineFormat('tool-tag', { opensByTool: 'tag', bodies: [toolTag], opensBody: true, isBare: true }),
  /** For servers that return parsed calls. The engine writes these as Hermes text, which we can parse, store and show to other models. */
  { id: 'native', dialect: { ...hermesDialect, describe: () => resultRules, isNative: true } },
];

function defineFormat(
  id: string,
  { dialect, ...syntax }: Pick<CallSyntax, 'bodies'> & Partial<CallSyntax> & { dialect?: Dialect },
): ToolCallFormat {
  return { id, syntax: { open: [], close: [], at: 'anywhere', ...syntax }, ...(dialect && { dialect }) };
}

function createTagMarkers(names: string) {
  const tags = names.split(' ');
  return { open: tags.map((name) => `<${name}>`), close: tags.map((name) => `</${name}>`) };
}

function createCodeBlockMarkers(...languages: readonly string[]) {
  return { open: languages.map((language) => `\`\`\`${language}`), close: ['```'], at: 'line' as const };
}

function writePythonCall(call: { name: string; arguments: Record<string, unknown> }): string {
  const named = Object.entries(call.arguments).map(([key, value]) => `${key}=${writePythonValue(value)}`);
  return `${call.name}(${named.join(', ')})`;
}

function writePythonValue(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null || value === undefined) return 'None';
  if (Array.isArray(value)) return `[${value.map(writePythonValue).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${writePythonValue(one)}`);
  return `{${pairs.join(', ')}}`;
}

function writeGemmaValue(value: unknown): string {
  if (typeof value === 'string') return `<|"|>${value}<|"|>`;
  if (Array.isArray(value)) return `[${value.map(writeGemmaValue).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${key}:${writeGemmaValue(inner)}`);
  return `{${pairs.join(',')}}`;
}

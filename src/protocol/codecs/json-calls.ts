/** Parses calls in JSON: an object with a name and arguments (under any alias), a list of such objects, or OpenAI's format. */
import { type AnyRecord, fieldsOf, isRecord, type ToolIndex } from '../tool-index';
import {
  readJson,
  readWholeValue,
  readWithEitherQuotes,
  createRecord,
  unreadableValue,
  ValueReader,
} from '../value-reader';
import type { BodyCodec, BodyContext, Verdict, WrittenCall } from '../format';
import { pythonCalls, readCall, readCallList, readSingleCall } from './python-calls';

const nameKeys = 'name tool tool_name function_name function action tool_call func 工具名称 工具'.split(' ');
const argumentKeys =
  'arguments parameters params args action_input tool_input tool_args kwargs input 参数'.split(' ');
const listKeys = ['tool_calls', 'function_calls', 'calls'];
const metadataKeys =
  'role content message id type index call_id tool_call_id thought thoughts reasoning explanation'.split(' ');
const knownFirstKeys = new Set([...nameKeys, ...argumentKeys, ...listKeys, ...metadataKeys, 'function_call']);

const firstKeyPattern = /^[\s{[]*["'“]?([\p{L}\p{N}_.\\\- ]+?)["'”]?\s*[:=：]/u;
const partialKeyPattern = /^[\s{[]*(?:["'“]?[\p{L}\p{N}_.\\\- ]{0,60}["'”]?\s{0,20})?$/u;
const namedCallPattern =
  /^\s*\{\s*["']?(?:name|tool|tool_name|function_name|function|action)["']?\s*:\s*["']([^"'\\\n]{1,100})["']\s*(?:,\s*["']?(?:arguments|parameters|params|args|action_input|tool_input|input)["']?\s*:\s*(?=\S))?/;

export const jsonCalls: BodyCodec = {
  begins(head, { tools, isBare }): Verdict {
    if (!/^\s*(?:[{[]|$)/.test(head)) return 'no';
    if (!isBare) return /[{[]/.test(head) ? 'yes' : 'more';
    // Decide by the first field: we hold back text until then, and a JSON answer may be long.
    if (/^\s*\[\s*(?:[^\s{[]|$)/.test(head)) return /^\s*\[\s*$/.test(head) ? 'more' : 'no';
    const key = firstKeyPattern.exec(head)?.[1];
    if (key !== undefined) return knownFirstKeys.has(key) || tools.find(key) ? 'yes' : 'no';
    return partialKeyPattern.test(head) ? 'more' : 'no';
  },
  ends: 'brackets',
  read(body, context) {
    const value = readWholeValue(body, { mayClose: context.isClosed });
    if (!value) return undefined;
    const calls = toCalls(value.value, context.tools, value.repairs);
    return calls && calls.length > 0 ? calls : undefined;
  },
  peek(head) {
    const found = namedCallPattern.exec(head);
    if (found?.[1] === undefined) return undefined;
    const rest = head.slice(found[0].length);
    if (/^(?:,\s*(?:["']?\w*["']?\s*:?\s*)?)?$/.test(rest)) return undefined;
    return { name: found[1], argumentsAt: found[0].length };
  },
};

function toCalls(value: unknown, tools: ToolIndex, repairs: readonly string[]): WrittenCall[] | undefined {
  if (Array.isArray(value)) {
    const calls = value.map((item: unknown) =>
      typeof item === 'string' ? readSingleCall(item, tools) : toCalls(item, tools, repairs),
    );
    // Reject the whole list if one call is unreadable, because we cannot know which calls the model meant.
    return calls.every((call) => call !== undefined) ? calls.flat() : undefined;
  }
  if (!isRecord(value)) return undefined;

  for (const key of listKeys) if (Array.isArray(value[key])) return toCalls(value[key], tools, repairs);
  for (const key of ['function', 'tool_call', 'function_call']) {
    if (isRecord(value[key])) return toCalls(value[key], tools, repairs);
  }
  const call = toCall(value, tools, repairs);
  return call ? [call] : readKeyedCalls(value, tools, repairs);
}

function toCall(object: AnyRecord, tools: ToolIndex, repairs: readonly string[]): WrittenCall | undefined {
  const nameKey = nameKeys.find((key) => typeof object[key] === 'string');
  if (nameKey === undefined) return readCallMissingBrace(object, repairs);
  const name = String(object[nameKey]);
  const tool = tools.find(name)?.tool;
  const fields = tool ? fieldsOf(tool.inputSchema) : {};

  // If a tool has a field named `input`, that field does not hold all arguments.
  const argumentsKey = argumentKeys.find(
    (key) => key in object && (isRecord(object[key]) || !(key in fields)) && key !== nameKey,
  );
  if (argumentsKey !== undefined) {
    return createCall(name, object[argumentsKey], repairs, 'description' in object);
  }
  const isField = (key: string) => Object.hasOwn(fields, key);
  const flat = Object.entries(object).filter(
    ([key]) => key !== nameKey && (isField(key) || !metadataKeys.includes(key)),
  );
  if (flat.length === 0) return { name, named: {}, repairs };
  const flattened = [...repairs, 'the arguments stood beside the name'];
  return { name, named: createRecord(flat), repairs: flattened, isGuess: true };
}

function createCall(name: string, written: unknown, repairs: readonly string[], isDescribed: boolean) {
  if (written === null || written === undefined || written === '') return { name, named: {}, repairs };
  if (isRecord(written)) {
    const isSchema = written['type'] === 'object' && (isRecord(written['properties']) || isDescribed);
    return isSchema ? undefined : { name, named: written, repairs };
  }
  if (Array.isArray(written)) {
    const [only] = written as unknown[];
    if (written.length === 1 && isRecord(only)) return { name, named: only, repairs, isGuess: true };
    return { name, named: {}, positional: written, repairs, isGuess: true };
  }
  if (typeof written !== 'string') return { name, named: {}, positional: [written], repairs, isGuess: true };
  const inner = readJson(written)?.value ?? readWholeValue(written)?.value;
  if (isRecord(inner)) return { name, named: inner, repairs: [...repairs, 'the arguments were a text'] };
  return { name, named: {}, text: written, repairs, isGuess: true };
}

/** Parses `{"f": {"a": 1}, "g": {}}`: every key is an offered tool, and every value holds its arguments. */
function readKeyedCalls(object: AnyRecord, tools: ToolIndex, repairs: readonly string[]) {
  const calls = Object.entries(object).flatMap(([name, inner]): WrittenCall[] =>
    isRecord(inner) && tools.find(name) ? [{ name, named: inner, repairs, isGuess: true }] : [],
  );
  return calls.length > 0 && calls.length === Object.keys(object).length ? calls : undefined;
}

/** Parses an object that lacks a brace before its name, as in `{"arguments": {"a": 1, "name": "f"}`. */
function readCallMissingBrace(object: AnyRecord, repairs: readonly string[]): WrittenCall | undefined {
  const inner = object['arguments'];
  if (Object.keys(object).length !== 1 || !isRecord(inner)) return undefined;
  const { name, ...named } = inner;
  if (typeof name !== 'string') return undefined;
  return { name, named, repairs: [...repairs, 'the name stood among the arguments'], isGuess: true };
}

const commentsPattern = /^(?:\s|#[^\n]*\n|\/\/[^\n]*\n)*/;

/** Parses a code block that contains only calls: as code, lists or objects, with comments between them. */
export const codeBlockCalls: BodyCodec = {
  begins(head, context): Verdict {
    const rest = head.replace(commentsPattern, '');
    if (/^(?:#|\/\/|\/?$)/.test(rest)) return 'more';
    const verdicts = [jsonCalls.begins(rest, context), pythonCalls.begins(rest, context)];
    return (['yes', 'more'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'no';
  },
  ends: 'block',
  read: (body, context) =>
    readWithEitherQuotes(body, { mayClose: context.isClosed }, (reader) => readCodeBlock(reader, context)),
};

/** Returns undefined if any part is not a call, because the block is then a program. */
function readCodeBlock(reader: ValueReader, context: BodyContext): WrittenCall[] | undefined {
  const calls: WrittenCall[] = [];
  for (;;) {
    reader.skipBlanks();
    while (reader.consumeMatch(/[,;]/y) !== undefined) reader.skipBlanks();
    if (reader.isAtEnd) return calls;
    const found = /[[{]/.test(reader.text[reader.position] ?? '')
      ? readListOrObject(reader, context)
      : readCall(reader);
    if (!found) return undefined;
    calls.push(...found);
  }
}

function readListOrObject(reader: ValueReader, { tools }: BodyContext): WrittenCall[] | undefined {
  const inner = new ValueReader(reader.text, reader.position, reader.options);
  const value = inner.readValue();
  if (value === unreadableValue) return readCallList(reader, tools);
  reader.position = inner.position;
  return toCalls(value, tools, [...inner.repairs]);
}

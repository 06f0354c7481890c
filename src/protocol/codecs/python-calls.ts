/** Parses calls written as code: `f(a=1)`, `f(a: 1)`, `f({"a": 1})` or `f("x")`, alone, in a list, quoted or printed. */
import { isRecord, type ToolIndex } from '../tool-index';
import { readWithQuotes, recordOf, unread, type ValueReader } from '../value-reader';
import { type BodyCodec, type BodyContext, peekAt, type Verdict, type WrittenCall } from '../format';

const calleePattern = /[\p{L}_][\p{L}\p{N}_.\-\\]*(?=\s*\()/uy;
const argumentName = /(?:\p{L}|_)(?:[\p{L}\p{N}_-]|\\_)*["']?\s*(?:=(?!=)|:|：)/uy;
const listedCall = /^\s*\[\s*["']?\s*([\p{L}_][\p{L}\p{N}_.\-\\]*)\s*\(/u;
const aloneCall = /^\s*(?:print\(\s*|call\s*:\s*)?(?!print\s*\()([\p{L}_][\p{L}\p{N}_.\-\\]*)\s*\(/u;
const partialCall =
  /^\s*(?:\[\s*["']?\s*|print\(\s*|call\s*:\s*)?(?:[\p{L}_][\p{L}\p{N}_.\-\\]{0,80}\s{0,4})?$/u;

export const pythonCalls: BodyCodec = {
  begins(head, { tools, isBare }): Verdict {
    const name = (listedCall.exec(head) ?? aloneCall.exec(head))?.[1];
    if (name !== undefined) return !isBare || tools.find(name) ? 'yes' : 'no';
    return partialCall.test(head) ? 'more' : 'no';
  },
  ends: 'brackets',
  read: readPythonCalls,
  peek: peekAt(aloneCall),
};

function readPythonCalls(body: string, { tools, isBare, isClosed }: BodyContext): WrittenCall[] | undefined {
  return readWithQuotes(body, { barewords: !isBare, mayClose: isClosed }, (reader) => {
    reader.skip();
    const calls = readCallList(reader, tools);
    const isWhole = /^[\s\])};,.]*$/.test(body.slice(reader.at));
    return calls && calls.length > 0 && isWhole ? calls : undefined;
  });
}

/** Parses a quoted call from a list. Undefined if the text contains more than one call. */
export function readOneCall(text: string, tools: ToolIndex): WrittenCall[] | undefined {
  const calls = readPythonCalls(text, { tools, isBare: false, isClosed: true });
  return calls?.length === 1 ? calls : undefined;
}

/** Parses calls up to the end of the list, or of the text if there is no opening bracket. */
export function readCallList(reader: ValueReader, tools: ToolIndex): WrittenCall[] | undefined {
  const calls: WrittenCall[] = [];
  const isList = reader.take('[');
  for (;;) {
    reader.skip();
    while (reader.match(/[,;)}]/y) !== undefined) reader.skip();
    if (isList && reader.take(']')) return calls;
    if (reader.isAtEnd) return calls;
    const quoted = isList ? reader.string('item') : undefined;
    const inner = quoted === undefined ? readCall(reader) : readOneCall(quoted, tools);
    if (!inner) return undefined;
    calls.push(...inner);
  }
}

export function readCall(reader: ValueReader): WrittenCall[] | undefined {
  reader.match(/call\s*:\s*/y);
  const name = reader.match(calleePattern);
  if (name === undefined) return undefined;
  reader.skip();
  reader.take('(');
  if (name === 'print') {
    reader.skip();
    const printed = readCall(reader);
    reader.skip();
    return printed && reader.take(')') ? printed : undefined;
  }
  const call = readArguments(reader, name);
  return call ? [call] : undefined;
}

function readArguments(reader: ValueReader, name: string): WrittenCall | undefined {
  const fields: [string, unknown][] = [];
  const positional: unknown[] = [];
  for (;;) {
    reader.skip();
    while (reader.match(/[,;]/y) !== undefined) reader.skip();
    if (reader.take(')')) break;
    if (reader.isAtEnd || /[\]}]/.test(reader.text[reader.at] ?? '')) {
      if (!reader.options.mayClose || (fields.length === 0 && positional.length === 0)) return undefined;
      reader.repairs.add('a closing bracket was missing');
      break;
    }
    const at = reader.at;
    if (reader.match(argumentName) !== undefined) {
      reader.at = at;
      const key = reader.key();
      if (key === undefined || !reader.separator()) return undefined;
      const value = reader.value('field');
      if (value === unread) return undefined;
      fields.push([key, value]);
    } else {
      const value = reader.value('item');
      if (value === unread) return undefined;
      positional.push(value);
    }
    reader.skip();
    if (!/[,;)\]}]/.test(reader.text[reader.at] ?? ')')) return undefined;
  }
  const [only] = positional;
  const repairs = [...reader.repairs];
  if (positional.length === 1 && fields.length === 0 && isRecord(only)) {
    return { name, named: only, positional: [only], repairs };
  }
  const call: WrittenCall = { name, named: recordOf(fields), repairs };
  return positional.length === 0 ? call : { ...call, positional, isGuess: true };
}

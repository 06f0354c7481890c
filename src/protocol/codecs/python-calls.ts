/** Parses calls written as code: `f(a=1)`, `f(a: 1)`, `f({"a": 1})` or `f("x")`, alone, in a list, quoted or printed. */
import { isRecord, type ToolIndex } from '../tool-index';
import { readWithEitherQuotes, createRecord, unreadableValue, type ValueReader } from '../value-reader';
import {
  type BodyCodec,
  type BodyContext,
  createNameFinder,
  type Verdict,
  type WrittenCall,
} from '../format';

const functionNamePattern = /[\p{L}_][\p{L}\p{N}_.\-\\]*(?=\s*\()/uy;
const argumentNamePattern = /(?:\p{L}|_)(?:[\p{L}\p{N}_-]|\\_)*["']?\s*(?:=(?!=)|:|：)/uy;
const listedCallPattern = /^\s*\[\s*["']?\s*([\p{L}_][\p{L}\p{N}_.\-\\]*)\s*\(/u;
const singleCallPattern = /^\s*(?:print\(\s*|call\s*:\s*)?(?!print\s*\()([\p{L}_][\p{L}\p{N}_.\-\\]*)\s*\(/u;
const partialCallPattern =
  /^\s*(?:\[\s*["']?\s*|print\(\s*|call\s*:\s*)?(?:[\p{L}_][\p{L}\p{N}_.\-\\]{0,80}\s{0,4})?$/u;

export const pythonCalls: BodyCodec = {
  begins(head, { tools, isBare }): Verdict {
    const name = (listedCallPattern.exec(head) ?? singleCallPattern.exec(head))?.[1];
    if (name !== undefined) return !isBare || tools.find(name) ? 'yes' : 'no';
    return partialCallPattern.test(head) ? 'more' : 'no';
  },
  ends: 'brackets',
  read: readPythonCalls,
  peek: createNameFinder(singleCallPattern),
};

function readPythonCalls(body: string, { tools, isBare, isClosed }: BodyContext): WrittenCall[] | undefined {
  return readWithEitherQuotes(body, { barewords: !isBare, mayClose: isClosed }, (reader) => {
    reader.skipBlanks();
    const calls = readCallList(reader, tools);
    const isWhole = /^[\s\])};,.]*$/.test(body.slice(reader.position));
    return calls && calls.length > 0 && isWhole ? calls : undefined;
  });
}

export function readSingleCall(text: string, tools: ToolIndex): WrittenCall[] | undefined {
  const calls = readPythonCalls(text, { tools, isBare: false, isClosed: true });
  return calls?.length === 1 ? calls : undefined;
}

export function readCallList(reader: ValueReader, tools: ToolIndex): WrittenCall[] | undefined {
  const calls: WrittenCall[] = [];
  const isList = reader.consume('[');
  for (;;) {
    reader.skipBlanks();
    while (reader.consumeMatch(/[,;)}]/y) !== undefined) reader.skipBlanks();
    if (isList && reader.consume(']')) return calls;
    if (reader.isAtEnd) return calls;
    const quoted = isList ? reader.readString('item') : undefined;
    const inner = quoted === undefined ? readCall(reader) : readSingleCall(quoted, tools);
    if (!inner) return undefined;
    calls.push(...inner);
  }
}

export function readCall(reader: ValueReader): WrittenCall[] | undefined {
  reader.consumeMatch(/call\s*:\s*/y);
  const name = reader.consumeMatch(functionNamePattern);
  if (name === undefined) return undefined;
  reader.skipBlanks();
  reader.consume('(');
  if (name === 'print') {
    reader.skipBlanks();
    const printed = readCall(reader);
    reader.skipBlanks();
    return printed && reader.consume(')') ? printed : undefined;
  }
  const call = readArguments(reader, name);
  return call ? [call] : undefined;
}

function readArguments(reader: ValueReader, name: string): WrittenCall | undefined {
  const fields: [string, unknown][] = [];
  const positional: unknown[] = [];
  for (;;) {
    reader.skipBlanks();
    while (reader.consumeMatch(/[,;]/y) !== undefined) reader.skipBlanks();
    if (reader.consume(')')) break;
    if (reader.isAtEnd || /[\]}]/.test(reader.text[reader.position] ?? '')) {
      if (!reader.options.mayClose || (fields.length === 0 && positional.length === 0)) return undefined;
      reader.repairs.add('a closing bracket was missing');
      break;
    }
    const at = reader.position;
    if (reader.consumeMatch(argumentNamePattern) !== undefined) {
      reader.position = at;
      const key = reader.readKey();
      if (key === undefined || !reader.consumeSeparator()) return undefined;
      const value = reader.readValue('field');
      if (value === unreadableValue) return undefined;
      fields.push([key, value]);
    } else {
      const value = reader.readValue('item');
      if (value === unreadableValue) return undefined;
      positional.push(value);
    }
    reader.skipBlanks();
    if (!/[,;)\]}]/.test(reader.text[reader.position] ?? ')')) return undefined;
  }
  const [only] = positional;
  const repairs = [...reader.repairs];
  if (positional.length === 1 && fields.length === 0 && isRecord(only)) {
    return { name, named: only, positional: [only], repairs };
  }
  const call: WrittenCall = { name, named: createRecord(fields), repairs };
  return positional.length === 0 ? call : { ...call, positional, isGuess: true };
}

/** A code block with nothing in it but calls, one after another: as in code, in lists, as objects. Comments may stand between. */
import { unread, ValueReader } from '../value-reader';
import type { BodyCodec, BodyContext, Verdict, WrittenCall } from './codec';
import { callsOf, jsonCalls } from './json-calls';
import { pythonCalls, readCall, readCallList } from './python-calls';

/** Blank lines and comments before the first call. */
const preamble = /^(?:\s|#[^\n]*\n|\/\/[^\n]*\n)*/;

export const callBlock: BodyCodec = {
  id: 'call-block',
  begins(head, context): Verdict {
    const rest = head.replace(preamble, '');
    if (/^(?:#|\/\/|\/?$)/.test(rest)) return 'more';
    const verdicts = [jsonCalls.begins(rest, context), pythonCalls.begins(rest, context)];
    return (
      verdicts.find((verdict) => verdict === 'yes') ?? verdicts.find((verdict) => verdict === 'more') ?? 'no'
    );
  },
  ends: 'block',
  read(body, context): WrittenCall[] | undefined {
    for (const innerQuotes of [false, true]) {
      const calls = readBlock(new ValueReader(body, 0, { innerQuotes, mayClose: context.isClosed }), context);
      if (calls) return calls;
    }
    return undefined;
  },
};

/** Undefined: something in it is no call, so all of it is a program. */
function readBlock(reader: ValueReader, context: BodyContext): WrittenCall[] | undefined {
  const calls: WrittenCall[] = [];
  for (;;) {
    reader.skip();
    while (reader.match(/[,;]/y) !== undefined) reader.skip();
    if (reader.isAtEnd) return calls;
    const found = /[[{]/.test(reader.text[reader.at] ?? '') ? readData(reader, context) : readCall(reader);
    if (!found) return undefined;
    calls.push(...found);
  }
}

/** An object or a list: of objects, or of calls as in code. */
function readData(reader: ValueReader, { tools }: BodyContext): WrittenCall[] | undefined {
  const inner = new ValueReader(reader.text, reader.at, reader.options);
  const value = inner.value();
  if (value === unread) return readCallList(reader, tools);
  reader.at = inner.at;
  return callsOf(value, tools, [...inner.repairs]);
}

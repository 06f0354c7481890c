/** GLM-4 writes a tool's name at the end of a sentence, and its arguments as an object on the next line. */
import type { BodyCodec, Verdict, WrittenCall } from './codecs/codec';
import type { Reading } from './format';
import { fieldsOf, isRecord, type ToolIndex } from './tool-index';
import type { Transcript } from './transcript';
import { readWhole } from './value-reader';

/** The last word of the line above, with what may stand around it. */
const lastWord = /(^|[\s`*"'([.。!?！？])([\p{L}_][\p{L}\p{N}_.\-\\]*)[`*"']*[ \t]*\n\s*$/u;
const firstKey = /^\s*\{\s*["'“]?([\p{L}\p{N}_.\\-]{1,80})["'”]?\s*[:：]/u;
const partialKey = /^\s*(?:\{\s*(?:["'“]?[\p{L}\p{N}_.\\-]{0,80}["'”]?\s{0,20})?)?$/u;

/** The reading of an object at `at`, which may hold nothing but the arguments of the tool that is named above it. */
export function withNameAbove(reading: Reading, out: Transcript, at: number, tools: ToolIndex): Reading {
  if (!reading.open.includes('{') || out.pending[at] !== '{') return reading;
  const name = nameAbove(out.textBefore(at), tools);
  return name === undefined ? reading : { ...reading, bodies: [...reading.bodies, argumentsOf(name)] };
}

function nameAbove(text: string, tools: ToolIndex): string | undefined {
  const [, before = '', word] = lastWord.exec(text) ?? [];
  if (word === undefined) return undefined;
  // A sentence may end right before the name, without a blank: `the distance.geo.distance`.
  for (let from = 0; from >= 0; from = word.indexOf('.', from) + 1 || -1) {
    const name = word.slice(from);
    // A word like any other is no name at the end of a sentence.
    const isName = from > 0 || /[.。!?！？]/.test(before) || /[\p{L}\d][_.\-\\]|[\p{Ll}\d]\p{Lu}/u.test(name);
    if (isName && tools.find(name)) return name;
  }
  return undefined;
}

/** An object of the fields of one tool. */
function argumentsOf(name: string): BodyCodec {
  return {
    id: 'arguments',
    begins(head, { tools }): Verdict {
      if (/^\s*\{\s*\}/.test(head)) return 'yes';
      const key = firstKey.exec(head)?.[1];
      if (key === undefined) return partialKey.test(head) ? 'more' : 'no';
      const fields = fieldsOf(tools.find(name)?.tool.inputSchema ?? {});
      return Object.hasOwn(fields, key.replaceAll('\\', '')) ? 'yes' : 'no';
    },
    ends: 'brackets',
    read(body, { isClosed }): WrittenCall[] | undefined {
      const value = readWhole(body, { mayClose: isClosed });
      if (!value || !isRecord(value.value)) return undefined;
      return [{ name, named: value.value, repairs: value.repairs, isGuess: true }];
    },
  };
}

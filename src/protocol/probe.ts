/** What stands at a place of the text: a mark, the name of an offered tool, a code block. */
import type { Reading } from './format';
import type { Marks } from './marks';
import { type Mark, namedReading, taggedReading } from './reader-marks';
import type { ToolIndex } from './tool-index';

/** `more`: what has come so far does not decide it. */
export type Probe =
  | { type: 'mark'; mark: Mark; length: number }
  | { type: 'fence'; ticks: number; info: string };

interface Place {
  text: string;
  at: number;
  marks: Marks<Mark>;
  /** Where a call may stand without a mark. */
  isLineStart: boolean;
  isLast: boolean;
}

export function probe(place: Place, tools: ToolIndex): Probe | 'more' | undefined {
  const { text, at, marks, isLineStart, isLast } = place;
  const { mark, isOpen } = marks.at(text, at);
  if (isOpen && !isLast) return 'more';
  if (mark) return { type: 'mark', mark: mark.value, length: mark.length };
  if (text[at] === '<') return probeTag(place, tools);
  if (!isLineStart) return undefined;
  return text[at] === '`' ? probeFence(place, tools) : probeName(place, tools);
}

function probeFence({ text, at, isLast }: Place, tools: ToolIndex): Probe | 'more' | undefined {
  const [all = '', ticks = '', info = ''] = /^(`+)([\w+#.-]*)/.exec(text.slice(at, at + 60)) ?? [];
  if (at + all.length === text.length && !isLast) return 'more';
  if (ticks.length < 3) return undefined;
  // On one line with its ticks, a call stands where the language would.
  const isCall = text[at + all.length] === '(' && tools.find(info) !== undefined;
  return { type: 'fence', ticks: ticks.length, info: isCall ? '' : info };
}

function probeName({ text, at, isLast }: Place, tools: ToolIndex): Probe | 'more' | undefined {
  const name = /^[\p{L}_][\p{L}\p{N}_.\-\\]*/u.exec(text.slice(at, at + 100))?.[0];
  if (name === undefined) return undefined;
  if (at + name.length === text.length && !isLast) return tools.mayBegin(name) ? 'more' : undefined;
  return tools.find(name) ? opening(namedReading, '') : undefined;
}

/** `<web_search>` */
function probeTag({ text, at, isLast }: Place, tools: ToolIndex): Probe | 'more' | undefined {
  const [all = '', name = '', end = ''] =
    /^<([\p{L}_][\p{L}\p{N}_.-]*)?(>?)/u.exec(text.slice(at, at + 100)) ?? [];
  if (end === '' && at + all.length === text.length && !isLast)
    return tools.mayBegin(name) ? 'more' : undefined;
  if (end === '' || tools.find(name)?.isExact !== true) return undefined;
  return opening({ ...taggedReading, close: [`</${name}>`] }, '');
}

function opening(reading: Reading, text: string): Probe {
  return { type: 'mark', mark: { type: 'open', text, reading }, length: 0 };
}

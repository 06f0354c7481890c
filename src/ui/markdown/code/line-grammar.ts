import { type StreamParser, StringStream } from '@codemirror/streamparser';
import type { CodeKind, CodeSpan, Grammar } from './grammar';

const linesPerSlice = 4;
const tabSize = 4;
/** Longer lines are data, not code, and get no colours. */
const maxLineLength = 2000;

const kinds: Readonly<Record<string, CodeKind>> = {
  keyword: 'keyword',
  operatorKeyword: 'keyword',
  atom: 'keyword',
  bool: 'keyword',
  string: 'string',
  regexp: 'string',
  number: 'number',
  unit: 'number',
  comment: 'comment',
  meta: 'comment',
  def: 'name',
  builtin: 'name',
  function: 'name',
  macroName: 'name',
  type: 'type',
  typeName: 'type',
  className: 'type',
  namespace: 'type',
  tag: 'tag',
  tagName: 'tag',
  property: 'property',
  propertyName: 'property',
  attribute: 'property',
  attributeName: 'property',
  header: 'heading',
  heading: 'heading',
  inserted: 'added',
  deleted: 'removed',
};

/** A grammar from an older CodeMirror mode, for languages without a Lezer parser. It reads line by line. */
export function lineGrammar<State>(mode: StreamParser<State>): Grammar {
  return function* read(code) {
    const state = mode.startState?.(tabSize) ?? ({} as State);
    let start = 0;
    let spans: CodeSpan[] = [];
    for (const [index, line] of code.split('\n').entries()) {
      if (line === '') mode.blankLine?.(state, tabSize);
      else if (line.length <= maxLineLength) spans.push(...spansOf(mode, state, line, start));
      start += line.length + 1;
      if (index % linesPerSlice > 0) continue;
      yield spans;
      spans = [];
    }
    yield spans;
  };
}

function spansOf<State>(mode: StreamParser<State>, state: State, line: string, start: number): CodeSpan[] {
  const stream = new StringStream(line, tabSize, tabSize);
  const spans: CodeSpan[] = [];
  while (!stream.eol()) {
    stream.start = stream.pos;
    let name: string | null = null;
    // A mode may change its state without advancing, so try again, but not forever.
    for (let tries = 0; stream.pos === stream.start && tries < 10; tries++) name = mode.token(stream, state);
    if (stream.pos === stream.start) stream.next();
    const kind = kinds[/^\w+/.exec(name ?? '')?.[0] ?? ''];
    if (kind) spans.push({ from: start + stream.start, to: start + stream.pos, kind });
  }
  return spans;
}

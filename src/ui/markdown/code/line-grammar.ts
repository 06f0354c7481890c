import { type StreamParser, StringStream } from '@codemirror/streamparser';

const linesPerSlice = 4;
const tabSize = 4;
/** Longer lines are probably data, so we do not colour them. */
const maxLineCharacters = 2000;

/** Maps each kind of word to its names in CodeMirror modes. `code.css` has a class `code-…` for each kind. */
const modeNamesByKind = {
  keyword: 'keyword operatorKeyword atom bool',
  string: 'string regexp',
  number: 'number unit',
  comment: 'comment meta',
  name: 'def builtin function macroName',
  type: 'type typeName className namespace',
  tag: 'tag tagName',
  property: 'property propertyName attribute attributeName',
  heading: 'header heading',
  added: 'inserted',
  removed: 'deleted',
};
export type CodeKind = keyof typeof modeNamesByKind;

/** A coloured part of the code, by character indexes. Spans are sorted and do not overlap. */
export interface CodeSpan {
  from: number;
  to: number;
  kind: CodeKind;
}

/** Reads code in steps of less than a millisecond, so long code does not block the page. */
export type Grammar = (code: string) => Generator<readonly CodeSpan[], void>;

const kindByModeName = new Map(
  Object.entries(modeNamesByKind).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as CodeKind] as const),
  ),
);

/** Creates a grammar from an older CodeMirror mode, for languages without a Lezer parser. */
export function createLineGrammar<State>(mode: StreamParser<State>): Grammar {
  return function* read(code) {
    const state = mode.startState?.(tabSize) ?? ({} as State);
    let start = 0;
    let spans: CodeSpan[] = [];
    for (const [index, line] of code.split('\n').entries()) {
      if (line === '') mode.blankLine?.(state, tabSize);
      else if (line.length <= maxLineCharacters) spans.push(...findSpans(mode, state, line, start));
      start += line.length + 1;
      if (index % linesPerSlice > 0) continue;
      yield spans;
      spans = [];
    }
    yield spans;
  };
}

function findSpans<State>(mode: StreamParser<State>, state: State, line: string, start: number): CodeSpan[] {
  const stream = new StringStream(line, tabSize, tabSize);
  const spans: CodeSpan[] = [];
  while (!stream.eol()) {
    stream.start = stream.pos;
    let name: string | null = null;
    // A mode may change its state without reading a character, so try at most 10 times.
    for (let tries = 0; stream.pos === stream.start && tries < 10; tries++) name = mode.token(stream, state);
    if (stream.pos === stream.start) stream.next();
    const kind = kindByModeName.get(/^\w+/.exec(name ?? '')?.[0] ?? '');
    if (kind) spans.push({ from: start + stream.start, to: start + stream.pos, kind });
  }
  return spans;
}

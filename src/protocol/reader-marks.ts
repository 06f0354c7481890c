/** All markers at which the reader stops: those of formats, thoughts, results and templates. */
import type { CallSyntax } from './format';
import { toolCallFormats } from './formats';

export type ReaderMark =
  | { type: 'open'; syntax: CallSyntax }
  /** `isForeign`: the marker belongs to a different format than the call. */
  | { type: 'close'; isForeign?: true }
  | { type: 'thought'; until: MarkFinder }
  | { type: 'thought-end' }
  | { type: 'token' }
  /** A marker that only an application writes, for example around tool results or the user's turn. */
  | { type: 'result'; close?: string }
  /** Encloses a string in Gemma's dialects. */
  | { type: 'string' }
  /** Text in brackets that is not a value. */
  | { type: 'word' };

const toTagPair = (name: string) => [`<${name}>`, `</${name}>`] as const;

const thoughtTags: readonly (readonly [open: string, close: string])[] = [
  ...['think', 'thinking', 'thought', 'seed:think', 'tool_call_reasoning'].map(toTagPair),
  ['[THINK]', '[/THINK]'],
  ['<|channel>', '<channel|>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|channel|>analysis<|message|>', '<|end|>'],
  ['<|open|>think<|sep|>', '<|close|>think<|sep|>'],
];

const resultTags: readonly (readonly [open: string, close: string])[] = [
  ...['tool_response', 'tool_result', 'function_results'].map(toTagPair),
  ['<|tool_response|>', '<|/tool_response|>'],
  ['<|tool_response>', '<tool_response|>'],
  ['<start_function_response>', '<end_function_response>'],
  ['[TOOL_RESULTS]', '[/TOOL_RESULTS]'],
  ['<｜tool▁outputs▁begin｜>', '<｜tool▁outputs▁end｜>'],
  ['<｜tool▁output▁begin｜>', '<｜tool▁output▁end｜>'],
];

const templateTokens = `
  <|im_start|> <|im_start|>assistant <|im_sep|> <|im_end|> <|start|>assistant <|channel|>final<|message|>
  <|start_header_id|>assistant<|end_header_id|> <|eot_id|> <|eom_id|> <|end|> <|call|> <|return|> <|assistant|>
  <|endoftext|> <end_of_turn> <｜end▁of▁sentence｜> ]<]minimax[>[ <|open|>response<|sep|>
  <|close|>response<|sep|> <|close|>message<|sep|> <|message_sep|> <|from|>assistant`;

const syntaxes = toolCallFormats.flatMap(({ syntax }) => (syntax ? [syntax] : []));
const closeMarkers = new Set(syntaxes.flatMap(({ close }) => close).filter((one) => !/^(?:\]$|`)/.test(one)));

type MarkEntry = readonly [text: string, mark: ReaderMark];

const toMarkEntries = (texts: Iterable<string>, mark: ReaderMark) =>
  Array.from(texts, (text): MarkEntry => [text, mark]);

function openingMarksOf(which: (syntax: CallSyntax) => boolean): MarkEntry[] {
  return syntaxes.filter(which).flatMap((syntax) => {
    const texts = syntax.open.filter((text) => !text.startsWith('```'));
    return toMarkEntries(texts, { type: 'open', syntax });
  });
}

const closingTags = [...closeMarkers].filter((text) => text.startsWith('</'));
const explicitOpeningMarks = openingMarksOf(({ at, isBare }) => at === 'anywhere' && isBare !== true);

const thoughtMarks = thoughtTags.map(([open, close]) => {
  const until = createMarkFinder([[close, { type: 'thought-end' }], ...explicitOpeningMarks]);
  return { open, close, until };
});

export function findOpenThought(text: string): (typeof thoughtMarks)[number] | undefined {
  return thoughtMarks.find(({ open, close }) => text.lastIndexOf(open) > text.lastIndexOf(close));
}

const nonCallMarks: readonly MarkEntry[] = [
  ...thoughtMarks.map(({ open, until }): MarkEntry => [open, { type: 'thought', until }]),
  ...resultTags.map(([open, close]): MarkEntry => [open, { type: 'result', close }]),
  ...thoughtMarks.map(({ close }): MarkEntry => [close, { type: 'thought-end' }]),
  ...toMarkEntries(templateTokens.trim().split(/\s+/), { type: 'token' }),
];

export const midLineMarks = createMarkFinder([
  ...openingMarksOf(({ at }) => at === 'anywhere'),
  ...nonCallMarks,
]);

export const lineStartMarks = createMarkFinder([...openingMarksOf(() => true), ...nonCallMarks]);

export const marksAfterCall = createMarkFinder([
  ...toMarkEntries(closeMarkers, { type: 'close' }),
  ...openingMarksOf(() => true),
  ...nonCallMarks,
  ['Observation:', { type: 'result' }],
  ['<|im_start|>user', { type: 'result' }],
  ['<|im_start|>tool', { type: 'result' }],
  ['<|start_header_id|>user', { type: 'result' }],
  ['<|start_header_id|>ipython', { type: 'result' }],
  ['✿RESULT✿', { type: 'result' }],
]);

const bodyMarksBySyntax = new WeakMap<CallSyntax, MarkFinder>();

export function bodyMarksOf(syntax: CallSyntax): MarkFinder {
  const known = bodyMarksBySyntax.get(syntax);
  if (known) return known;
  const marks = createMarkFinder([
    ...toMarkEntries(syntax.close, { type: 'close' }),
    ...toMarkEntries(['<|"|>', '<escape>'], { type: 'string' }),
    ...toMarkEntries(['[ARGS]', '[CALL_ID]'], { type: 'word' }),
    ...toMarkEntries(closingTags, { type: 'close', isForeign: true }),
    ...explicitOpeningMarks,
  ]);
  bodyMarksBySyntax.set(syntax, marks);
  return marks;
}

/** `info`: the language after the opening backticks. */
export function codeBlockSyntaxOf(info: string): CallSyntax | undefined {
  const opener = '```' + info.toLowerCase();
  return syntaxes.find(({ open }) => open.includes(opener));
}

function findSyntaxOpenedBy(part: 'name' | 'tag'): CallSyntax {
  const syntax = syntaxes.find(({ opensByTool }) => opensByTool === part);
  if (!syntax) throw new Error(`No format is opened by the ${part} of a tool.`);
  return syntax;
}

export const namedCallSyntax = findSyntaxOpenedBy('name');
export const taggedCallSyntax = findSyntaxOpenedBy('tag');

const leftoverPattern = /^(?:[}\]);,]|<(?:\/[^<>\s]{1,40}|[|｜][^<>|｜\s]{1,40}[|｜])>)/;
const partialLeftoverPattern = /^<(?:\/[^<>\s]{0,40}|[|｜][^<>|｜\s]{0,40}[|｜]?)?$/;

/** Returns the number of characters at the start of `text` that belong to the previous call. */
export function countLeftoverCharacters(text: string, isLast: boolean): number | 'more' {
  const found = leftoverPattern.exec(text);
  if (found) return found[0].length;
  return !isLast && partialLeftoverPattern.test(text) ? 'more' : 0;
}

export interface MarkFinder {
  begins(code: number): boolean;
  /** `isOpen`: the text ends before we know whether a longer marker follows. */
  at(text: string, index: number): { mark?: ReaderMark; length: number; isOpen: boolean };
}

/** Finds markers in a text, ignoring case. Groups them by first character: a tree of characters would take megabytes. */
function createMarkFinder(marks: readonly MarkEntry[]): MarkFinder {
  const byFirst = new Map<number, { codes: Uint16Array; mark: ReaderMark }[]>();
  for (const [text, mark] of marks) {
    const codes = Uint16Array.from({ length: text.length }, (_, at) => toLowerCaseCode(text.charCodeAt(at)));
    const [first] = codes;
    if (first === undefined) continue;
    byFirst.set(first, [...(byFirst.get(first) ?? []), { codes, mark }]);
  }
  // Try longer markers first. If two markers are equal, use the one added first.
  for (const some of byFirst.values()) some.sort((a, b) => b.codes.length - a.codes.length);

  return {
    begins: (code) => byFirst.has(toLowerCaseCode(code)),
    at(text, index) {
      let isOpen = false;
      for (const { codes, mark } of byFirst.get(toLowerCaseCode(text.charCodeAt(index))) ?? []) {
        const { length } = codes;
        const most = Math.min(length, text.length - index);
        let same = 1;
        while (same < most && toLowerCaseCode(text.charCodeAt(index + same)) === codes[same]) same += 1;
        if (same === length) return { mark, length, isOpen };
        if (same === most) isOpen = true;
      }
      return { length: 0, isOpen };
    },
  };
}

function toLowerCaseCode(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

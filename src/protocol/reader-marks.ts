/** All markers at which the reader stops: those of formats, thoughts, results and templates. */
import type { Reading } from './format';
import { formats } from './formats';

export type Mark =
  | { type: 'open'; reading: Reading }
  /** `isForeign`: the marker belongs to a different format than the call. */
  | { type: 'close'; isForeign?: true }
  | { type: 'thought'; until: Marks }
  | { type: 'thought-end' }
  | { type: 'token' }
  /** A marker that only an application writes, such as one around tool results or the user's turn. */
  | { type: 'result'; close?: string }
  /** Encloses a string in Gemma's dialects. */
  | { type: 'string' }
  /** Text in brackets that is not a value. */
  | { type: 'word' };

const thoughtTags: readonly (readonly [open: string, close: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<seed:think>', '</seed:think>'],
  ['<tool_call_reasoning>', '</tool_call_reasoning>'],
  ['[THINK]', '[/THINK]'],
  ['<|channel>', '<channel|>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|channel|>analysis<|message|>', '<|end|>'],
  ['<|open|>think<|sep|>', '<|close|>think<|sep|>'],
];

const resultTags: readonly (readonly [open: string, close: string])[] = [
  ['<tool_response>', '</tool_response>'],
  ['<tool_result>', '</tool_result>'],
  ['<function_results>', '</function_results>'],
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

const readings = formats.flatMap(({ reading }) => (reading ? [reading] : []));
const closingTexts = new Set(
  readings.flatMap(({ close }) => close).filter((text) => !/^(?:\]$|`)/.test(text)),
);

type MarkedText = readonly [text: string, mark: Mark];

const markAll = (texts: Iterable<string>, mark: Mark) =>
  Array.from(texts, (text): MarkedText => [text, mark]);

function opensOf(which: (reading: Reading) => boolean): MarkedText[] {
  return readings.filter(which).flatMap((reading) => {
    const texts = reading.open.filter((text) => !text.startsWith('```'));
    return markAll(texts, { type: 'open', reading });
  });
}

const foreignCloses = [...closingTexts].filter((text) => text.startsWith('</'));
const markedOpens = opensOf(({ at, isBare }) => at === 'anywhere' && isBare !== true);

const thoughts = thoughtTags.map(([open, close]) => {
  const until = createMarks([[close, { type: 'thought-end' }], ...markedOpens]);
  return { open, close, until };
});

export function openThoughtIn(text: string): (typeof thoughts)[number] | undefined {
  return thoughts.find(({ open, close }) => text.lastIndexOf(open) > text.lastIndexOf(close));
}

const otherMarks: readonly MarkedText[] = [
  ...thoughts.map(({ open, until }): MarkedText => [open, { type: 'thought', until }]),
  ...resultTags.map(([open, close]): MarkedText => [open, { type: 'result', close }]),
  ...thoughts.map(({ close }): MarkedText => [close, { type: 'thought-end' }]),
  ...markAll(templateTokens.trim().split(/\s+/), { type: 'token' }),
];

export const anywhereMarks = createMarks([...opensOf(({ at }) => at === 'anywhere'), ...otherMarks]);

export const lineMarks = createMarks([...opensOf(() => true), ...otherMarks]);

export const marksAfterCall = createMarks([
  ...markAll(closingTexts, { type: 'close' }),
  ...opensOf(() => true),
  ...otherMarks,
  ['Observation:', { type: 'result' }],
  ['<|im_start|>user', { type: 'result' }],
  ['<|im_start|>tool', { type: 'result' }],
  ['<|start_header_id|>user', { type: 'result' }],
  ['<|start_header_id|>ipython', { type: 'result' }],
  ['✿RESULT✿', { type: 'result' }],
]);

const bodyMarks = new WeakMap<Reading, Marks>();

export function bodyMarksOf(reading: Reading): Marks {
  const known = bodyMarks.get(reading);
  if (known) return known;
  const marks = createMarks([
    ...markAll(reading.close, { type: 'close' }),
    ...markAll(['<|"|>', '<escape>'], { type: 'string' }),
    ...markAll(['[ARGS]', '[CALL_ID]'], { type: 'word' }),
    ...markAll(foreignCloses, { type: 'close', isForeign: true }),
    ...markedOpens,
  ]);
  bodyMarks.set(reading, marks);
  return marks;
}

/** Returns a code block's format. `info`: the language after its backticks. */
export function fenceOf(info: string): Reading | undefined {
  const opener = '```' + info.toLowerCase();
  return readings.find(({ open }) => open.includes(opener));
}

function readingOpenedBy(part: 'name' | 'tag'): Reading {
  const reading = readings.find(({ opensByTool }) => opensByTool === part);
  if (!reading) throw new Error(`No format is opened by the ${part} of a tool.`);
  return reading;
}

export const namedReading = readingOpenedBy('name');
export const taggedReading = readingOpenedBy('tag');

/** Remains of a call: brackets, closing tags and template tokens. */
const leftoverPattern = /^(?:[}\]);,]|<(?:\/[^<>\s]{1,40}|[|｜][^<>|｜\s]{1,40}[|｜])>)/;
const partialLeftover = /^<(?:\/[^<>\s]{0,40}|[|｜][^<>|｜\s]{0,40}[|｜]?)?$/;

/** Returns the number of characters at the start of `text` that remain from the previous call. */
export function leftoverIn(text: string, isLast: boolean): number | 'more' {
  const found = leftoverPattern.exec(text);
  if (found) return found[0].length;
  return !isLast && partialLeftover.test(text) ? 'more' : 0;
}

export interface Marks {
  begins(code: number): boolean;
  /** Finds the longest marker at `index`. `isOpen`: a longer one may follow, but the text ends first. */
  at(text: string, index: number): { mark?: Mark; length: number; isOpen: boolean };
}

/** Finds markers in a text, ignoring case. Groups them by first character, because a tree per character takes megabytes. */
function createMarks(marks: readonly MarkedText[]): Marks {
  const byFirst = new Map<number, { codes: Uint16Array; mark: Mark }[]>();
  for (const [text, mark] of marks) {
    const codes = Uint16Array.from({ length: text.length }, (_, index) => lowerCode(text.charCodeAt(index)));
    const [first] = codes;
    if (first === undefined) continue;
    byFirst.set(first, [...(byFirst.get(first) ?? []), { codes, mark }]);
  }
  // Longest first. Of two equal markers, the one added first wins.
  for (const some of byFirst.values()) some.sort((a, b) => b.codes.length - a.codes.length);

  return {
    begins: (code) => byFirst.has(lowerCode(code)),
    at(text, index) {
      let isOpen = false;
      for (const { codes, mark } of byFirst.get(lowerCode(text.charCodeAt(index))) ?? []) {
        const { length } = codes;
        const most = Math.min(length, text.length - index);
        let same = 1;
        while (same < most && lowerCode(text.charCodeAt(index + same)) === codes[same]) same += 1;
        if (same === length) return { mark, length, isOpen };
        if (same === most) isOpen = true;
      }
      return { length: 0, isOpen };
    },
  };
}

function lowerCode(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

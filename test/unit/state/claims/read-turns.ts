/** Reads the corpus: realistic turns with invented claims added on purpose, to measure how many are found. */
import { readFileSync } from 'node:fs';
import { findUnsupportedClaims } from '../../../../src/state/claims/turn-claims';
import { type DoneCall, indexText, type Mark, type Sources } from '../../../../src/state/claims/sources';

type WrittenCall = [name: string, given: unknown, result: string, isError?: boolean];

export interface WrittenTurn {
  id: string;
  lang: 'en' | 'zh';
  kind: 'copy' | 'rounded' | 'derived' | 'invented' | 'prose' | 'deed' | 'deed-ok';
  /** Messages of earlier turns. */
  before?: (['user' | 'assistant', string] | ['call', WrittenCall])[];
  q: string;
  calls: WrittenCall[];
  a: string;
  /** The invented texts of the answer, which must be marked. */
  marks: string[];
}

export function readTurns(name: string): WrittenTurn[] {
  const lines = readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as WrittenTurn);
}

const toDone = ([name, , , isError]: WrittenCall): DoneCall => ({ name, isDone: isError !== true });

const marked = new WeakMap<WrittenTurn, readonly Mark[]>();

/** Returns the texts that are marked in the answer of a turn. Computed once per turn. */
export function marksOf(turn: WrittenTurn): readonly Mark[] {
  const marks = marked.get(turn) ?? findMarks(turn);
  marked.set(turn, marks);
  return marks;
}

function findMarks({ before = [], q, calls, a }: WrittenTurn): readonly Mark[] {
  const near = [q, ...calls.flatMap(([, given, result]) => [JSON.stringify(given), result])].map(indexText);
  const far = before.flatMap(([role, said]) =>
    role === 'call' ? [JSON.stringify(said[1]), said[2]].map(indexText) : [indexText(said)],
  );
  const earlierCalls = before.flatMap(([role, said]) => (role === 'call' ? [toDone(said)] : []));
  const sources: Sources = {
    question: q,
    near,
    far,
    earlierCalls,
    asked: near[0] ?? indexText(q),
    calls: calls.map(toDone),
  };
  return findUnsupportedClaims(a, sources);
}

interface Score {
  right: number;
  wrong: string[];
  found: number;
  missed: string[];
}

/** Returns the position of a text, but not where it is part of a longer number. */
function placeOf(answer: string, text: string, from: number): number {
  const isDigit = (sign = '') => /\d/.test(sign);
  for (let at = answer.indexOf(text, from); at >= 0; at = answer.indexOf(text, at + 1)) {
    const isCut =
      (isDigit(text[0]) && isDigit(answer[at - 1])) ||
      (isDigit(text.at(-1)) && isDigit(answer[at + text.length]));
    if (!isCut) return at;
  }
  return answer.indexOf(text);
}

/** Scores marks. A mark is right if it overlaps an invented text. */
export function score(turns: readonly WrittenTurn[]): Score {
  const total: Score = { right: 0, wrong: [], found: 0, missed: [] };
  for (const turn of turns) {
    const marks = marksOf(turn);
    let from = 0;
    const planted = turn.marks.map((text) => {
      const found = placeOf(turn.a, text, from);
      const start = found < 0 ? placeOf(turn.a, text, 0) : found;
      from = start + text.length;
      return { text, start, end: start + text.length };
    });
    for (const mark of marks) {
      if (planted.some((span) => span.start < mark.end && mark.start < span.end)) total.right += 1;
      else total.wrong.push(`${turn.id} ${turn.kind}: ${mark.text} | ${turn.a}`);
    }
    for (const span of planted) {
      if (marks.some((mark) => span.start < mark.end && mark.start < span.end)) total.found += 1;
      else total.missed.push(`${turn.id}: ${span.text} | ${turn.a}`);
    }
  }
  return total;
}

/** PURE: judges whether a reply of the exam is right, and names its mistake. */
import type { ExamMistake, WrittenCall } from '../../contracts/exam';
import { type ExamRequest, shown, type WantedCall } from './exam-request';

export interface ExamReply {
  /** The calls in order. An unreadable call is included with its text. */
  calls: readonly WrittenCall[];
  /** The texts of the tool results. */
  results: readonly string[];
  /** The text of the last reply. */
  text: string;
  /** Why there is no answer, written by `writeError`. Absent if there is one. */
  error?: string | undefined;
}

/** Returns the mistake, or undefined if the reply is right. */
export function judge(request: ExamRequest, reply: ExamReply): ExamMistake | undefined {
  const { calls, facts = [], isPlain = false } = request;
  const invented = isPlain ? inventedIn(request, reply) : undefined;
  const isRight =
    reply.error === undefined &&
    reply.text.trim() !== '' &&
    invented === undefined &&
    (calls === undefined || areCalls(calls, reply.calls)) &&
    facts.every((spellings) => holds(reply.text, spellings));
  if (isRight) return undefined;
  return {
    request: request.text,
    expected: {
      ...(calls && { calls: shown(calls) }),
      facts: facts.flatMap(([first = '']) => [first]),
      isPlain,
    },
    came: {
      calls: [...reply.calls],
      text: reply.text,
      ...(invented !== undefined && { invented }),
      ...(reply.error !== undefined && { error: reply.error }),
    },
  };
}

/** Whether every expected call was made, and no other. A repeated call does no harm. */
function areCalls(wanted: readonly WantedCall[], made: readonly WrittenCall[]): boolean {
  return (
    wanted.every((call) => made.some((other) => isCall(call, other))) &&
    made.every((call) => wanted.some((other) => isCall(other, call)))
  );
}

/** Returns the index of the reading that is right, or undefined if none is. */
export function rightReading(
  { calls: wanted, facts = [] }: ExamRequest,
  readings: readonly { calls: readonly WrittenCall[]; results: readonly (string | undefined)[] }[],
): number | undefined {
  const place = readings.findIndex(({ calls, results }) =>
    wanted
      ? calls.length > 0 && calls.every((call) => wanted.some((other) => isCall(other, call)))
      : facts.some((spellings) => results.some((result) => result !== undefined && holds(result, spellings))),
  );
  return place < 0 ? undefined : place;
}

function isCall({ name, arguments: wanted }: WantedCall, made: WrittenCall): boolean {
  const given = { ...made.arguments };
  // The model may choose how thorough a search is.
  if (name === 'web_search') delete given['depth'];
  const keys = Object.keys(wanted);
  return (
    made.name === name &&
    Object.keys(given).length === keys.length &&
    keys.every((key) => (wanted[key] ?? []).some((value) => isValue(value, given[key], name)))
  );
}

function isValue(wanted: string | number, given: unknown, tool: string): boolean {
  if (typeof wanted === 'number') return given === wanted;
  const [one, other] = [wanted, String(given)].map(loosely) as [string, string];
  return tool === 'web_search' ? other.includes(one) : one === other;
}

function holds(text: string, spellings: readonly string[]): boolean {
  const said = ` ${loosely(text)} `;
  // Match whole numbers only: `217` is not in `12170`, nor `1:40` in `11:40`.
  return spellings.some((spelling) => {
    const wanted = loosely(spelling);
    for (let at = said.indexOf(wanted); at >= 0; at = said.indexOf(wanted, at + 1)) {
      const before = said[at - 1] ?? '';
      const after = said.slice(at + wanted.length);
      const isCutOff =
        (/^\d/.test(wanted) && /[\d.]/.test(before)) ||
        (/\d$/.test(wanted) && /^(\d|\.\d*[1-9])/.test(after));
      if (!isCutOff) return true;
    }
    return false;
  });
}

/** Returns the first number of the answer that is neither in the request nor in a result. */
function inventedIn({ text: asked }: ExamRequest, { text, results }: ExamReply): string | undefined {
  const known = new Set(numbersIn([asked, ...results].join('\n')));
  return numbersIn(text).find((number) => !known.has(number));
}

function numbersIn(text: string): string[] {
  return loosely(text).match(/\d+(?:[.:]\d+)*/g) ?? [];
}

/** Normalises a text: case, full-width characters, grouped digits, quotes, and trailing dots. */
function loosely(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=\d)[,'\u2009\u202f](?=\d{3}(?!\d))/g, '')
    .replace(/["'“”‘’«»《》]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s.。!?！？]+$/, '')
    .trim();
}

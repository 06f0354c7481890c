/**
 * Finds unsupported claims in a finished turn: numbers and dates without a source, and actions that no tool did. We do not mark uncertain
 * claims, because a wrong mark is worse than a missing one.
 */
import type { MessageNode } from '../../contracts/chat';
import { type Message, pageWriterId } from '../../contracts/message';
import { textOf } from '../../contracts/message-parts';
import type { ToolSpec } from '../../contracts/tool';
import type { CallView, Turn } from '../turns';
import { findDates, type FoundDate, type FoundTime, findTimes, toDays, findWeekdays } from './dates-in';
import { findClaimedActions } from './deeds';
import { findNumbers } from './numbers-in';
import { collectOperands, type Answer } from './reckon';
import { type DoneCall, indexText, type Mark, minutesOf, type SourceIndex, type Sources } from './sources';
import {
  mergeSpans,
  createNoOverlapTest,
  sortSpans,
  findUncheckedSpans,
  toPlainCharacters,
  type Span,
} from './spans';
import {
  type Calendar,
  createCalendar,
  type Claim,
  isKnownDate,
  isSupported,
  findConfirmedDates,
} from './support';
import { findUnitAt } from './units';

export interface PartMarks {
  place: number;
  text: string;
  marks: readonly Mark[];
}

interface ClaimInput {
  turn: Turn;
  branch: readonly MessageNode[];
  /** Whether the beginning of the chat is not loaded yet. The result may then change. */
  isPartial?: boolean;
  instructions: string;
  tools: readonly Pick<ToolSpec, 'name' | 'annotations'>[];
  /** Called between two pieces of a long text. Resolves after the page has handled pending events. */
  rest: () => Promise<unknown>;
}

/** Maximum length of a piece in characters. Reading one takes a few milliseconds. */
const maxPieceCharacters = 8_000;
/** Maximum characters of all source texts together. If there are more, we mark no numbers, because the unread text may contain them. */
const maxReadCharacters = 2_000_000;

/** Results of finished turns. The key is the last message, because `Turn` objects are rebuilt but messages are not. */
const claimsByMessage = new WeakMap<Message, { instructions: string; marks: readonly PartMarks[] }>();

/** Resolves to the unsupported claims of a turn, or none while it runs. Reads long texts in pieces, so the page stays responsive. */
export async function findClaims(parts: ClaimInput): Promise<readonly PartMarks[]> {
  const { turn, instructions } = parts;
  const last = turn.nodes.at(-1)?.message;
  if (turn.isRunning || !last || !isWrittenByModel(turn)) return [];
  const before = claimsByMessage.get(last);
  if (before?.instructions === instructions) return before.marks;
  const marks = await findTurnClaims(parts);
  if (parts.isPartial && marks.length > 0) return marks;
  claimsByMessage.set(last, { instructions, marks });
  return marks;
}

async function findTurnClaims({ turn, branch, instructions, tools, rest }: ClaimInput): Promise<PartMarks[]> {
  const reader = createTextIndexer(rest);
  const isReading = new Set(
    tools.flatMap(({ name, annotations }) => (annotations?.readOnlyHint === true ? [name] : [])),
  );
  const first = turn.question ?? turn.nodes[0];
  const start = branch.findIndex(({ id }) => id === first?.id);
  const earlier = branch.slice(0, start).map(({ message }) => message);
  const earlierCalls = earlier.flatMap(findAnsweredCalls);
  const message = turn.question?.message;
  const question = message?.role === 'user' ? textOf(message.content) : '';
  const asked = await reader.read(message ?? turn, [question]);
  const near: SourceIndex[] = [...asked];
  const calls: DoneCall[] = [];
  const marked: PartMarks[] = [];
  let place = -1;
  for (const part of turn.parts) {
    if (part.type === 'text') {
      place += 1;
      const sources = { question, near, far: [], asked: asked[0] ?? indexText(''), calls, earlierCalls };
      const readFar = () => indexEarlierTexts(reader, earlier, instructions);
      const marks = await checkText(part.text, sources, readFar);
      if (marks.length > 0) marked.push({ place, text: part.text, marks });
      near.push(...(await reader.read(part, [part.text])));
    } else if (part.type === 'call') {
      calls.push({ name: part.name, isDone: part.status === 'done', isReading: isReading.has(part.name) });
      near.push(...(await reader.read(part, [part.argumentsText, resultTextOf(part)])));
    }
  }
  return marked;
}

/** Whether a model wrote words of the reply. We do not check the page's own replies, because the page looked everything up. */
function isWrittenByModel({ nodes }: Turn): boolean {
  return nodes.some(
    ({ message }) =>
      message.role === 'assistant' &&
      message.writer !== pageWriterId &&
      message.content.some(({ type }) => type === 'text'),
  );
}

function resultTextOf({ result = '', links = [] }: CallView): string {
  return [result, ...links.map(({ title, uri }) => `${title} ${uri}`)].join('\n');
}

/** Checks a text against this turn. If something is unsupported, checks again with the earlier chat, which takes longer to read. */
async function checkText(text: string, near: Sources, readFar: () => Promise<SourceIndex[] | undefined>) {
  const marks = findUnsupportedClaims(text, near);
  if (marks.every(({ type }) => type === 'deed')) return marks;
  const far = await readFar();
  return far ? findUnsupportedClaims(text, { ...near, far }) : marks.filter(({ type }) => type === 'deed');
}

async function indexEarlierTexts(
  reader: ReturnType<typeof createTextIndexer>,
  earlier: readonly Message[],
  instructions: string,
): Promise<SourceIndex[] | undefined> {
  const far = instructions === '' ? [] : [indexText(instructions.slice(0, maxPieceCharacters))];
  for (const message of earlier) {
    far.push(...(await reader.read(message, textsOf(message))));
    if (reader.isOver()) return undefined;
  }
  return reader.isOver() ? undefined : far;
}

function textsOf(message: Message): string[] {
  switch (message.role) {
    case 'system':
      return [message.content];
    case 'user':
      return [textOf(message.content)];
    case 'assistant':
      return message.content.map((part) => {
        if (part.type === 'text') return part.text;
        if (part.type === 'tool-call') return JSON.stringify(part.arguments);
        return part.type === 'reasoning' ? '' : part.raw;
      });
    case 'tool':
      return message.results.map(({ content }) => textOf(content));
  }
}

function findAnsweredCalls(message: Message): DoneCall[] {
  if (message.role !== 'tool') return [];
  return message.results.map(({ toolName, isError }) => ({ name: toolName, isDone: !isError }));
}

const sourcesByMessage = new WeakMap<object, readonly SourceIndex[]>();

function createTextIndexer(rest: () => Promise<unknown>) {
  let characters = 0;
  const isOver = () => characters > maxReadCharacters;
  return {
    isOver,
    async read(owner: object, texts: readonly string[]): Promise<readonly SourceIndex[]> {
      characters += texts.reduce((sum, { length }) => sum + length, 0);
      const before = sourcesByMessage.get(owner);
      if (before || isOver()) return before ?? [];
      const read: SourceIndex[] = [];
      for (const text of texts) {
        for (const piece of splitIntoPieces(text)) {
          read.push(indexText(piece));
          if (text.length > maxPieceCharacters) await rest();
        }
      }
      sourcesByMessage.set(owner, read);
      return read;
    },
  };
}

/** Splits text at line ends, spaces or commas, so no number is cut in two. */
function splitIntoPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    let end = Math.min(from + maxPieceCharacters, text.length);
    if (end < text.length) {
      const window = text.slice(end - 400, end);
      const cut = Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' '), window.lastIndexOf(','));
      if (cut >= 0) end = end - 400 + cut + 1;
    }
    pieces.push(text.slice(from, end));
    from = end;
  }
  return pieces;
}

const maxAnswerCharacters = 40_000;
const maxClaims = 300;
const maxMarks = 40;

/** Returns the marks in order. Checks numbers and dates only if a tool was called in this turn. */
export function findUnsupportedClaims(written: string, sources: Sources): Mark[] {
  const answer = written.slice(0, maxAnswerCharacters);
  const text = toPlainCharacters(answer);
  const unchecked = findUncheckedSpans(text);
  const deeds = findClaimedActions(text, unchecked, sources);
  const values = sources.calls.length > 0 ? checkValues(text, unchecked, sources) : [];
  return sortSpans([...deeds, ...values])
    .slice(0, maxMarks)
    .map((mark) => ({ ...mark, text: answer.slice(mark.start, mark.end) }));
}

function checkValues(text: string, unchecked: readonly Span[], sources: Sources): Omit<Mark, 'text'>[] {
  const all = [...sources.near, ...sources.far];
  const calendar = createCalendar(all, { text, sources });
  const { claims, dates, times } = listClaims(text, unchecked, calendar);
  if (claims.length === 0) return [];
  const answer: Answer = {
    text,
    sources,
    all,
    supported: [],
    reckoned: collectOperands(sources),
    spans: findTimeDifferences(text, sources, calendar, dates, times),
    ownCounts: countListItems(text),
  };
  // Check twice, because a number may depend on a later one: in `57 of 308 are free`, 57 may be computed from 308.
  let open: readonly Claim[] = claims.slice(0, maxClaims);
  for (let round = 0; round < 2; round += 1) {
    open = open.filter((claim) => {
      if (!isSupported(claim, answer, calendar)) return true;
      addSupportedNumber(claim, answer);
      return false;
    });
  }
  return open.slice(0, maxMarks).map((claim) => {
    const type = claim.type === 'number' || claim.type === 'code' ? 'number' : 'date';
    return { type, ...spanToMark(text, claim) };
  });
}

function listClaims(text: string, unchecked: readonly Span[], calendar: Calendar) {
  const isFree = (spans: readonly Span[]) => {
    const ask = createNoOverlapTest(spans);
    return ({ start, end }: Span) => ask(start, end);
  };
  const plain = findDates(text).filter(isFree(unchecked));
  const pairs = findConfirmedDates(text, calendar).filter(isFree(mergeSpans([...unchecked, ...plain])));
  const dates = sortSpans([...plain, ...pairs]);
  const times = findTimes(text).filter(isFree(sortSpans([...unchecked, ...dates])));
  const sure = times.filter(({ isSure }) => isSure);
  const weekdays = findWeekdays(text).filter(isFree(unchecked));
  const taken = sortSpans([...dates, ...times, ...weekdays]);
  const numbers = findNumbers(text, []).filter(isFree(mergeSpans([...unchecked, ...taken])));
  const claims: Claim[] = sortSpans<Claim>([...dates, ...sure, ...weekdays, ...numbers]);
  return { claims, dates, times: sure };
}

/** Returns the span to mark. It includes a number's unit but no punctuation at the end. */
function spanToMark(text: string, claim: Claim): Span {
  let { start, end } = claim;
  if (claim.type === 'number') {
    end += findUnitAt(text, end)?.length ?? 0;
    if (/[$€£¥]$/.test(text.slice(Math.max(0, start - 1), start))) start -= 1;
  }
  while (end > start + 1 && /[.,\s]/.test(text[end - 1] ?? '')) end -= 1;
  return { start, end };
}

const maxSupportedClaims = 20;

function addSupportedNumber(claim: Claim, { supported }: Answer): void {
  if (claim.type !== 'number' || supported.length >= maxSupportedClaims) return;
  const [reading] = claim.readings;
  if (reading) supported.push({ value: reading.value, unit: claim.unit, group: 'answer' });
}

const untilHourPattern = /\b(?:until|till) (\d{1,2})(?![\d:.]| ?[ap]m)/gi;
/** We compute differences only of a limited number of times or dates. Otherwise, almost any duration would equal one of the differences. */
const maxTimePoints = 14;

function findTimeDifferences(
  text: string,
  { near }: Sources,
  calendar: Calendar,
  ownDates: readonly FoundDate[],
  ownTimes: readonly FoundTime[],
): Answer['spans'] {
  const times = new Set([
    ...near.flatMap(({ points }) => points),
    ...minutesOf(ownTimes),
    ...Array.from(text.matchAll(untilHourPattern), ([, hour]) => 60 * Number(hour)),
    ...(/midnight|午夜|零点/i.test(text) ? [0] : []),
    ...(/\bnoon\b|正午/i.test(text) ? [720] : []),
  ]);
  const known = calendar.dates;
  const year = known.find((date) => date.year !== undefined)?.year;
  const own = ownDates.filter((date) => isKnownDate(date, calendar)).flatMap(({ readings }) => readings);
  const whole = [...known, ...own].flatMap((date) =>
    [date.year ?? year, date.year ?? (year === undefined ? undefined : year + 1)].map((of) =>
      toDays({ ...date, year: of }),
    ),
  );
  const days = new Set(whole.filter((day) => day !== undefined));
  const stretches = near.flatMap(({ operands, stretches: whole }) => [
    ...whole,
    ...operands.flatMap(({ value, unit }) =>
      unit?.kind === 'time' && unit.factor <= 3600 ? [(value * unit.factor) / 60] : [],
    ),
  ]);
  const isOvernight =
    times.size <= 3 ||
    /overnight|next (?:day|morning)|midnight|until|tomorrow|次日|第二天|隔夜|午夜|明[天早晚]/i.test(text);
  const betweenTimes = times.size > 2 * maxTimePoints ? [] : differencesBetween([...times]);
  const minutes = betweenTimes.flatMap((span) => (isOvernight ? [span, 1440 - span] : [span]));
  const years = differencesBetween([...calendar.years].slice(0, 2 * maxTimePoints));
  const few = [...new Set(stretches)].slice(0, 4);
  const changed =
    minutes.length > 12 ? [] : minutes.flatMap((span) => few.flatMap((by) => [span - by, span + by]));
  return {
    minutes: [...minutes, ...stretches.slice(0, 40), ...changed],
    moves:
      stretches.length > 6 ? [] : [...stretches, ...combinePairs(stretches, (one, other) => one + other)],
    days: days.size > 2 * maxTimePoints ? [] : differencesBetween([...days]),
    years: years.flatMap((span) => [span, span - 1]),
  };
}

function differencesBetween(points: readonly number[]): number[] {
  return [...new Set(combinePairs(points, (one, other) => Math.abs(one - other)))];
}

function combinePairs(all: readonly number[], join: (one: number, other: number) => number): number[] {
  return all.flatMap((one, index) => all.slice(index + 1).map((other) => join(one, other)));
}

function countListItems(text: string): ReadonlySet<number> {
  const entries = text.match(/^\s{0,8}(?:[-*•]|\d{1,4}[.)])\s/gm)?.length ?? 0;
  const rows = text.match(/^\|/gm)?.length ?? 0;
  return new Set([entries, rows - 2].filter((count) => count > 0));
}

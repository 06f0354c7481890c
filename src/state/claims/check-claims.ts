/**
 * PURE: finds in an answer the numbers and dates that stand in nothing it may rest on and do not follow from it, and what it says was
 * done though no tool did it. When in doubt nothing is marked: a mark on what is right costs more than one that is missing.
 */
import { calendarOf, holdsDate, holdsTime, holdsWeekday, pairDatesIn, type Calendar } from './date-claims';
import { datesIn, type FoundDate, type FoundWeekday, toDays, weekdaysIn } from './dates-in';
import { findDeeds } from './deeds';
import { pointsOf } from './index-text';
import { apartOf, createFree, inOrder, narrow, type Span } from './narrow';
import { holdsCode, holdsNumber, isProse } from './number-claims';
import { type FoundCode, type FoundNumber, numbersIn } from './numbers-in';
import { mutedParts } from './prose-of';
import type { Reader } from './reader';
import { reckonedFrom } from './reckon';
import type { Mark, Sources } from './sources';
import { type FoundTime, timesIn } from './times-in';
import { unitAt } from './units';

/** Characters: what comes behind them is not looked at. */
const longestAnswer = 40_000;
/** Numbers and dates of an answer: what comes behind them is not looked at either. */
const mostClaims = 300;
/** More marks than these say no more. */
const mostMarks = 40;

type Claim = FoundNumber | FoundCode | FoundDate | FoundTime | FoundWeekday;

/** `isAfterCall`: tools have answered in this turn; without that no number is looked up. In order. */
export function checkClaims(written: string, sources: Sources, isAfterCall: boolean): Mark[] {
  const answer = written.slice(0, longestAnswer);
  const text = narrow(answer);
  const muted = mutedParts(text);
  const deeds = findDeeds(text, muted, sources);
  const values = isAfterCall ? findUnsupported(text, muted, sources) : [];
  return inOrder([...deeds, ...values])
    .slice(0, mostMarks)
    .map((mark) => ({ ...mark, text: answer.slice(mark.start, mark.end) }));
}

function findUnsupported(text: string, muted: readonly Span[], sources: Sources): Omit<Mark, 'text'>[] {
  const all = [...sources.near, ...sources.far];
  const calendar = calendarOf(all, { text, sources });
  const { claims, dates, times } = claimsIn(text, muted, calendar);
  if (claims.length === 0) return [];
  const reader: Reader = {
    ...{ text, sources, all },
    held: [],
    reckoned: reckonedFrom(sources),
    spans: spansOf(
      text,
      sources,
      calendar,
      dates.filter((date) => holdsDate(date, calendar)),
      times,
    ),
    ownCounts: ownCountsOf(text),
  };
  // Twice: `57 of 308 are free` tells first what follows from the second.
  let open: readonly Claim[] = claims.slice(0, mostClaims);
  for (let round = 0; round < 2; round += 1) {
    open = open.filter((claim) => {
      const isHeld = holds(claim, reader, calendar);
      if (isHeld) keep(claim, reader);
      return !isHeld;
    });
  }
  return open.slice(0, mostMarks).map((claim) => {
    const type = claim.type === 'number' || claim.type === 'code' ? 'number' : 'date';
    return { type, ...shownOf(text, claim) };
  });
}

function claimsIn(text: string, muted: readonly Span[], calendar: Calendar) {
  const isFree = (spans: readonly Span[]) => {
    const ask = createFree(spans);
    return ({ start, end }: Span) => ask(start, end);
  };
  const plain = datesIn(text).filter(isFree(muted));
  const pairs = pairDatesIn(text, calendar).filter(isFree(apartOf([...muted, ...plain])));
  const dates = inOrder([...plain, ...pairs]);
  const times = timesIn(text).filter(isFree(inOrder([...muted, ...dates])));
  const sure = times.filter(({ isSure }) => isSure);
  const weekdays = weekdaysIn(text).filter(isFree(muted));
  const taken = inOrder([...dates, ...times, ...weekdays]);
  const numbers = numbersIn(text, []).filter(isFree(apartOf([...muted, ...taken])));
  const claims: Claim[] = inOrder<Claim>([...dates, ...sure, ...weekdays, ...numbers]);
  return { claims, dates, times: sure };
}

function holds(claim: Claim, reader: Reader, calendar: Calendar): boolean {
  switch (claim.type) {
    case 'number':
      return isProse(reader.text, claim) || holdsNumber(claim, reader);
    case 'code':
      return holdsCode(claim, reader.all);
    case 'date':
      return holdsDate(claim, calendar);
    case 'time':
      return holdsTime(claim, reader);
    case 'weekday':
      return holdsWeekday(claim, reader.all, calendar);
  }
}

/** A number is shown with its unit, a date without the point behind it. */
function shownOf(text: string, claim: Claim): Span {
  let { start, end } = claim;
  if (claim.type === 'number') {
    end += unitAt(text, end)?.length ?? 0;
    if (/[$€£¥]$/.test(text.slice(Math.max(0, start - 1), start))) start -= 1;
  }
  while (end > start + 1 && /[.,\s]/.test(text[end - 1] ?? '')) end -= 1;
  return { start, end };
}

/** Numbers that hold are what later ones may follow from. */
const mostHeld = 20;

function keep(claim: Claim, { held }: Reader): void {
  if (claim.type !== 'number' || held.length >= mostHeld) return;
  const [reading] = claim.readings;
  if (reading) held.push({ value: reading.value, unit: claim.unit, group: 'answer' });
}

/** Of so many times or dates, what lies between any two is reckoned; of more, nearly any stretch would be found. */
const mostPoints = 14;

function spansOf(
  text: string,
  { near }: Sources,
  calendar: Calendar,
  ownDates: readonly FoundDate[],
  ownTimes: readonly FoundTime[],
): Reader['spans'] {
  const times = new Set([
    ...near.flatMap(({ points }) => points),
    ...pointsOf(ownTimes),
    ...[...text.matchAll(/\b(?:until|till) (\d{1,2})(?![\d:.]| ?[ap]m)/gi)].map(
      ([, hour]) => 60 * Number(hour),
    ),
    ...(/midnight|午夜|零点/i.test(text) ? [0] : []),
    ...(/\bnoon\b|正午/i.test(text) ? [720] : []),
  ]);
  const known = calendar.dates.map((date) => ({ ...date }));
  const year = known.find((date) => date.year !== undefined)?.year;
  // A day without its year is in the year of the others, or in the next.
  const whole = [...known, ...ownDates.flatMap(({ readings }) => readings)].flatMap((date) =>
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
  const minutes =
    times.size > 2 * mostPoints
      ? []
      : between([...times]).flatMap((span) => (isOvernight ? [span, 1440 - span] : [span]));
  const years = between([...calendar.years].slice(0, 2 * mostPoints)).flatMap((span) => [span, span - 1]);
  const few = [...new Set(stretches)].slice(0, 4);
  // With the break taken out, with what is still to come.
  const changed =
    minutes.length > 12 ? [] : minutes.flatMap((span) => few.flatMap((by) => [span - by, span + by]));
  return {
    minutes: [...minutes, ...stretches.slice(0, 40), ...changed],
    moves: stretches.length > 6 ? [] : [...stretches, ...sumsOfTwo(stretches)],
    days: days.size > 2 * mostPoints ? [] : between([...days]),
    years,
  };
}

function sumsOfTwo(sizes: readonly number[]): number[] {
  return sizes.flatMap((one, index) => sizes.slice(index + 1).map((other) => one + other));
}

function between(points: readonly number[]): number[] {
  return [
    ...new Set(points.flatMap((one, index) => points.slice(index + 1).map((other) => Math.abs(one - other)))),
  ];
}

function ownCountsOf(text: string): ReadonlySet<number> {
  const entries = text.match(/^\s{0,8}(?:[-*•]|\d{1,4}[.)])\s/gm)?.length ?? 0;
  const rows = text.match(/^\|/gm)?.length ?? 0;
  return new Set([entries, rows - 2].filter((count) => count > 0));
}

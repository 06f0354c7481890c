/** PURE: finds the passages of a long text that answer a question. The same input always gives the same passages. */
import { cutBeginning, type TextRange } from './cut';
import { LexicalIndex, type Ranking } from './lexical-index';

export interface RelevantPart {
  text: string;
  given: readonly TextRange[];
  /** False if no passage that the model still lacks contains a word of the question. `text` is then the start of what the model lacks. */
  isFound: boolean;
}

export type RelevantParts = ReturnType<typeof findRelevantParts>;

/** Runs `findRelevantParts` in a worker: a million characters take up to 250 ms. Rejects if `signal` aborts. */
export type FindParts = (text: string, options: PartOptions, signal: AbortSignal) => Promise<FoundParts>;

export interface FoundParts {
  isFound: boolean;
  within: (maxCharacters: number) => Promise<RelevantPart>;
}

export interface PartOptions {
  query: string;
  /** Ranges that the reader already has. We leave them out and do not add the text's beginning. */
  given?: readonly TextRange[];
}

const passageRanking: Ranking = {
  saturation: 1.2,
  lengthShare: 0.6,
  lineLengthShare: 0,
  lineWeight: 0,
  lineShare: 0,
  nearShare: 0.2,
  meaningShare: 0,
  characterShare: 0.35,
};
const typicalTermCounts = { passage: 30, heading: 4 };
const headingWeight = 0.5;
/** A passage also gets this share of its neighbours' scores, because texts rarely repeat their topic in each sentence. */
const neighbourShare = 0.2;
const maxFirstPassageShare = 0.2;
const maxHeadingCharacters = 120;
const omissionMark = '[...]';

export function findRelevantParts(text: string, { query, given = [] }: PartOptions) {
  const passages = splitPassages(text);
  const isJson = passages[0]?.path !== undefined;
  const open = passages.map((passage) => !isAlreadyGiven(passage, given));
  const scores = scoresOf(text, passages, query).map((score, at) => (open[at] ? score : 0));
  const isFound = scores.some((score) => score > 0);
  const order = [...passages.keys()].filter((at) => open[at]);
  order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);

  return { isFound, within };

  function within(maxCharacters: number): RelevantPart {
    const chosen = new Set<number>();
    let left = maxCharacters;
    const add = (at: number, most = left): boolean => {
      const passage = passages[at];
      if (!passage || !open[at] || chosen.has(at)) return false;
      const { heading } = passage;
      const title = heading === undefined || chosen.has(heading) ? undefined : passages[heading];
      const withTitle = title && open[heading ?? -1] && title.to - title.from <= maxHeadingCharacters;
      const cost = costOf(passage) + (withTitle ? costOf(title) : 0);
      if (cost > Math.min(left, most)) return false;
      chosen.add(at);
      if (withTitle && heading !== undefined) chosen.add(heading);
      left -= cost;
      return true;
    };
    if (given.length === 0) add(0, maxCharacters * maxFirstPassageShare);
    const found = order.filter((at) => (scores[at] ?? 0) > 0);
    for (const at of found) add(at);
    // Use the remaining room for passages next to the best ones, then for all other passages in their order.
    for (const at of found.filter((one) => chosen.has(one))) {
      add(at + 1);
      add(at - 1);
    }
    for (const at of passages.keys()) {
      if (open[at] && !chosen.has(at) && !add(at)) break;
    }
    if (chosen.size === 0) return beginningOf(passages[order[0] ?? -1], maxCharacters);
    return write([...chosen].sort((a, b) => a - b));
  }

  function costOf({ from, to, path }: Passage): number {
    return to - from + (path === undefined ? omissionMark.length + 2 : path.length + 3);
  }

  function beginningOf(passage: Passage | undefined, maxCharacters: number) {
    if (!passage) return { text: '', given: [], isFound };
    const label = pathLabelOf(passage);
    const kept = cutBeginning(text.slice(passage.from, passage.to), maxCharacters - label.length);
    const range = [passage.from, passage.from + kept.length] as const;
    return { text: label + kept, given: [range], isFound };
  }

  function write(chosen: readonly number[]): RelevantPart {
    const parts: string[] = [];
    const ranges: [number, number][] = [];
    let before = -1;
    for (const at of chosen) {
      const passage = passages[at];
      if (!passage) continue;
      const last = ranges.at(-1);
      const quoted = pathLabelOf(passage) + text.slice(passage.from, passage.to);
      if (isJson) parts.push(parts.length > 0 ? '\n' : '', quoted);
      else if (at === before + 1) {
        const blank = last ? text.slice(last[1], passage.from).replace(/^\s*\n\s*\n\s*$/, '\n\n') : '';
        parts.push(blank.slice(0, 2), quoted);
      } else parts.push(last ? `\n${omissionMark}\n` : `${omissionMark}\n`, quoted);
      if (last && at === before + 1) last[1] = passage.to;
      else ranges.push([passage.from, passage.to]);
      before = at;
    }
    return { text: parts.join(''), given: ranges, isFound };
  }
}

/** Labels a JSON item with its path, so nobody mistakes it for the whole value. */
function pathLabelOf({ path }: Passage): string {
  return path === undefined || path === '' ? '' : `${path}: `;
}

function scoresOf(text: string, passages: readonly Passage[], query: string): number[] {
  const index = new LexicalIndex({ ranking: passageRanking, onlyFor: query });
  const textOf = (passage: Passage | undefined) => (passage ? text.slice(passage.from, passage.to) : '');
  const entries = passages.map((passage, at) => {
    const read = () => {
      const title = `${passage.path ?? ''} ${textOf(passages[passage.heading ?? -1])}`;
      const body = { text: textOf(passage), weight: 1, usual: typicalTermCounts.passage };
      const heading = { text: title, weight: headingWeight, usual: typicalTermCounts.heading };
      return { fields: [body, heading], lines: [] };
    };
    return { id: String(at), stamp: '', read };
  });
  index.update(entries);
  const own = new Float64Array(passages.length);
  for (const { id, score } of index.search(query, passages.length)) own[Number(id)] = score;
  return Array.from(own, (score, at) => score + neighbourShare * ((own[at - 1] ?? 0) + (own[at + 1] ?? 0)));
}

function isAlreadyGiven({ from, to }: Passage, given: readonly TextRange[]): boolean {
  const shared = given.map(([start, end]) => Math.max(0, Math.min(to, end) - Math.max(from, start)));
  return shared.reduce((sum, length) => sum + length, 0) > (to - from) / 2;
}

interface TextSpan {
  from: number;
  to: number;
}

interface Passage extends TextSpan {
  path?: string;
  heading?: number;
}

/** Maximum length of a passage in characters: about one sentence. `maxDensePassageCharacters` applies to scripts without spaces. */
const maxPassageCharacters = 120;
const maxDensePassageCharacters = 45;
/** Maximum nesting of JSON that we split. We cut deeper parts as plain text. */
const maxJsonDepth = 24;
const denseCharacterPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

export function splitPassages(text: string): Passage[] {
  const isDense = [...text.slice(0, 2000).matchAll(denseCharacterPattern)].length > 500;
  const most = isDense ? maxDensePassageCharacters : maxPassageCharacters;
  return isJson(text)
    ? splitJson(text, { from: 0, to: text.length }, { path: '', depth: 0 }, most)
    : splitText(text, most);
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Patterns at which to cut, best first. The cut removes the match. */
const splitPatterns = [/\n[ \t]*\n\s*/g, /\n+/g, /(?<=[.!?]["'”’)\]]?)\s+|(?<=[。！？])/g, /\s+/g];

function splitText(text: string, most: number): Passage[] {
  const passages: Passage[] = [];
  let heading: number | undefined;
  for (const block of splitRange(text, { from: 0, to: text.length }, splitPatterns[0])) {
    // Split a heading from the text directly below it.
    const title = /^#{1,6} [^\n]*/.exec(text.slice(block.from, block.to))?.[0];
    if (title !== undefined) {
      heading = passages.push({ from: block.from, to: block.from + title.length }) - 1;
      block.from += title.length + 1;
      if (block.from >= block.to) continue;
    }
    for (const piece of splitToFit(text, block, 1, most)) {
      passages.push({ ...piece, ...(heading !== undefined && { heading }) });
    }
  }
  return passages;
}

function splitToFit(text: string, range: TextSpan, level: number, most: number): TextSpan[] {
  if (range.to - range.from <= most) return [range];
  const seam = splitPatterns[level];
  if (!seam) return cutAnywhere(text, range, most);
  const joined: TextSpan[] = [];
  for (const unit of splitRange(text, range, seam)) {
    const last = joined.at(-1);
    if (last && unit.to - last.from <= most) last.to = unit.to;
    else joined.push(...splitToFit(text, unit, level + 1, most));
  }
  return joined;
}

function splitRange(text: string, { from, to }: TextSpan, seam: RegExp | undefined): TextSpan[] {
  const ranges: TextSpan[] = [];
  let start = from;
  for (const match of seam ? text.slice(from, to).matchAll(seam) : []) {
    if (from + match.index > start) ranges.push({ from: start, to: from + match.index });
    start = from + match.index + match[0].length;
  }
  if (to > start) ranges.push({ from: start, to });
  return ranges;
}

/** Cuts text that has no good place to cut, but never within a surrogate pair. */
function cutAnywhere(text: string, { from, to }: TextSpan, most: number): TextSpan[] {
  const ranges: TextSpan[] = [];
  for (let start = from; start < to;) {
    let end = Math.min(to, start + most);
    if (end < to && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    ranges.push({ from: start, to: end });
    start = end;
  }
  return ranges;
}

/** Splits an object or list that is too long into its items. Keeps adjacent plain values together. */
function splitJson(
  text: string,
  outer: TextSpan,
  { path, depth }: { path: string; depth: number },
  most: number,
): Passage[] {
  const range = trimRange(text, outer);
  if (range.to - range.from <= most) return [{ ...range, path }];
  const opener = text.charAt(range.from);
  if ((opener !== '[' && opener !== '{') || depth === maxJsonDepth) {
    return splitToFit(text, range, 2, most).map((piece) => ({ ...piece, path }));
  }
  const passages: Passage[] = [];
  let run: Passage | undefined;
  for (const [at, item] of findJsonItems(text, range).entries()) {
    const key = opener === '{' ? /^"((?:[^"\\]|\\.)*)"\s*:/.exec(text.slice(item.from, item.to)) : null;
    const value = trimRange(text, { from: item.from + (key?.[0].length ?? 0), to: item.to });
    const isPlain = !/[[{]/.test(text.charAt(value.from)) && value.to - value.from <= most;
    if (isPlain && run && item.to - run.from <= most) {
      run.to = item.to;
      continue;
    }
    run = isPlain ? { ...item, path } : undefined;
    const name = key ? `${path === '' ? '' : `${path}.`}${key[1] ?? ''}` : `${path}[${at}]`;
    passages.push(...(run ? [run] : splitJson(text, value, { path: name, depth: depth + 1 }, most)));
  }
  return passages;
}

function findJsonItems(text: string, { from, to }: TextSpan): TextSpan[] {
  const items: TextSpan[] = [];
  let [depth, start] = [0, from + 1];
  for (let at = from; at < to; at++) {
    const character = text[at];
    if (character === '"') {
      for (at++; at < to && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if ((character === ',' && depth === 1) || depth === 0) {
      const item = trimRange(text, { from: start, to: at });
      if (item.to > item.from) items.push(item);
      start = at + 1;
    }
    if (depth === 0) break;
  }
  return items;
}

function trimRange(text: string, { from, to }: TextSpan): TextSpan {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(text.charAt(start))) start++;
  while (end > start && /\s/.test(text.charAt(end - 1))) end--;
  return { from: start, to: end };
}

/** PURE: the pieces of a text between which it may be cut: paragraphs, rows, sentences; of JSON, its items. */

export interface Passage {
  /** Its first character, and the one behind its last. */
  from: number;
  to: number;
  /** Where it stands in a JSON text: `results[17].name`. Missing in any other text. */
  path?: string;
  /** Which passage is the heading that it stands under. Missing where there is none. */
  heading?: number;
}

/** Characters of a passage: about a sentence. A script without spaces says as much in fewer. */
const longest = 120;
const longestDense = 45;
/** Of JSON: what lies deeper in it is cut as plain text. */
const deepest = 24;
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** In the order of the text, without the blanks between them. */
export function splitPassages(text: string): Passage[] {
  const isDense = [...text.slice(0, 2000).matchAll(dense)].length > 500;
  const most = isDense ? longestDense : longest;
  return isJson(text)
    ? splitValue(text, { from: 0, to: text.length }, { path: '', depth: 0 }, most)
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

interface Range {
  from: number;
  to: number;
}

/** From the best place to cut to the worst. What matches belongs to neither side. */
const seams = [/\n[ \t]*\n\s*/g, /\n+/g, /(?<=[.!?]["'”’)\]]?)\s+|(?<=[。！？])/g, /\s+/g];

function splitText(text: string, most: number): Passage[] {
  const passages: Passage[] = [];
  let heading: number | undefined;
  for (const block of between(text, { from: 0, to: text.length }, seams[0])) {
    // The text right below a heading is not part of it.
    const title = /^#{1,6} [^\n]*/.exec(text.slice(block.from, block.to))?.[0];
    if (title !== undefined) {
      heading = passages.push({ from: block.from, to: block.from + title.length }) - 1;
      block.from += title.length + 1;
      if (block.from >= block.to) continue;
    }
    for (const piece of pieces(text, block, 1, most)) {
      passages.push({ ...piece, ...(heading !== undefined && { heading }) });
    }
  }
  return passages;
}

/** As long as they may be, cut at the best seams there are. */
function pieces(text: string, range: Range, level: number, most: number): Range[] {
  if (range.to - range.from <= most) return [range];
  const seam = seams[level];
  if (!seam) return chunks(text, range, most);
  const joined: Range[] = [];
  for (const unit of between(text, range, seam)) {
    const last = joined.at(-1);
    if (last && unit.to - last.from <= most) last.to = unit.to;
    else joined.push(...pieces(text, unit, level + 1, most));
  }
  return joined;
}

function between(text: string, { from, to }: Range, seam: RegExp | undefined): Range[] {
  const ranges: Range[] = [];
  let start = from;
  for (const match of seam ? text.slice(from, to).matchAll(seam) : []) {
    if (from + match.index > start) ranges.push({ from: start, to: from + match.index });
    start = from + match.index + match[0].length;
  }
  if (to > start) ranges.push({ from: start, to });
  return ranges;
}

/** Of a text without any seam; never through the middle of a surrogate pair. */
function chunks(text: string, { from, to }: Range, most: number): Range[] {
  const ranges: Range[] = [];
  for (let start = from; start < to;) {
    let end = Math.min(to, start + most);
    if (end < to && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    ranges.push({ from: start, to: end });
    start = end;
  }
  return ranges;
}

/** An object or a list that is too long becomes its items; plain values that follow each other stay together. */
function splitValue(
  text: string,
  outer: Range,
  { path, depth }: { path: string; depth: number },
  most: number,
): Passage[] {
  const range = trimmed(text, outer);
  if (range.to - range.from <= most) return [{ ...range, path }];
  const opener = text.charAt(range.from);
  if ((opener !== '[' && opener !== '{') || depth === deepest) {
    return pieces(text, range, 2, most).map((piece) => ({ ...piece, path }));
  }
  const passages: Passage[] = [];
  let run: Passage | undefined;
  for (const [at, item] of itemsOf(text, range).entries()) {
    const key = opener === '{' ? /^"((?:[^"\\]|\\.)*)"\s*:/.exec(text.slice(item.from, item.to)) : null;
    const value = trimmed(text, { from: item.from + (key?.[0].length ?? 0), to: item.to });
    const isPlain = !/[[{]/.test(text.charAt(value.from)) && value.to - value.from <= most;
    if (isPlain && run && item.to - run.from <= most) {
      run.to = item.to;
      continue;
    }
    run = isPlain ? { ...item, path } : undefined;
    const name = key ? `${path === '' ? '' : `${path}.`}${key[1] ?? ''}` : `${path}[${at}]`;
    passages.push(...(run ? [run] : splitValue(text, value, { path: name, depth: depth + 1 }, most)));
  }
  return passages;
}

/** What stands between the outermost commas of an object or a list. */
function itemsOf(text: string, { from, to }: Range): Range[] {
  const items: Range[] = [];
  let [depth, start] = [0, from + 1];
  for (let at = from; at < to; at++) {
    const character = text[at];
    if (character === '"') {
      for (at++; at < to && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if ((character === ',' && depth === 1) || depth === 0) {
      const item = trimmed(text, { from: start, to: at });
      if (item.to > item.from) items.push(item);
      start = at + 1;
    }
    if (depth === 0) break;
  }
  return items;
}

function trimmed(text: string, { from, to }: Range): Range {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(text.charAt(start))) start++;
  while (end > start && /\s/.test(text.charAt(end - 1))) end--;
  return { from: start, to: end };
}

/**
 * Patterns of strangers, matched in linear time. A schema's `pattern` comes from whoever wrote the tool and the text
 * from the model; the language's own matcher can be made to run for ever by such a pair, and it cannot be stopped.
 * This one follows all ways at once. It knows what linear time allows: no looking around, no going back.
 */

type Test = (point: number) => boolean;

type Node =
  | { type: 'set'; test: Test }
  | { type: 'start' | 'end' }
  | { type: 'sequence' | 'choice'; parts: Node[] }
  | { type: 'repeat'; part: Node; least: number; most: number };

type Step =
  | { type: 'set'; test: Test }
  | { type: 'start' | 'end' | 'match' }
  /** Goes on at each of these. */
  | { type: 'fork'; to: number[] };

export type Pattern = { ok: true; matches: (text: string) => boolean } | { ok: false; reason: string };

/** Steps a pattern may come to, repeats written out; ranges in one set; characters of a text. Together they bound the time. */
const maxSteps = 500;
const maxRanges = 20;
const maxText = 4_000;

/** With the meaning of `new RegExp(source, 'u').test(text)`. A text longer than 4,000 characters matches nothing. */
export function readPattern(source: string): Pattern {
  try {
    const steps = compile(parse(source));
    return { ok: true, matches: (text) => text.length <= maxText && follow(steps, text) };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, reason: error.message };
    throw error;
  }
}

class PatternError extends Error {}

function parse(source: string): Node {
  const characters = Array.from(source);
  let at = 0;

  const fail = (reason: string): never => {
    throw new PatternError(`${reason}, at character ${at + 1}`);
  };
  const take = (wanted: string): boolean => {
    const isThere = characters[at] === wanted;
    if (isThere) at++;
    return isThere;
  };

  function choice(depth: number): Node {
    if (depth > 50) fail('groups are nested too deep');
    const parts = [sequence(depth)];
    while (take('|')) parts.push(sequence(depth));
    return { type: 'choice', parts };
  }

  function sequence(depth: number): Node {
    const parts: Node[] = [];
    while (at < characters.length && characters[at] !== '|' && characters[at] !== ')') {
      parts.push(repeated(atom(depth)));
    }
    return { type: 'sequence', parts };
  }

  function repeated(part: Node): Node {
    const counts = quantifier();
    if (counts === undefined) return part;
    if (part.type === 'start' || part.type === 'end') fail('nothing to repeat');
    // As few as possible or as many: whether it matches is the same.
    take('?');
    return { type: 'repeat', part, ...counts };
  }

  function quantifier(): { least: number; most: number } | undefined {
    if (take('*')) return { least: 0, most: Infinity };
    if (take('+')) return { least: 1, most: Infinity };
    if (take('?')) return { least: 0, most: 1 };
    if (characters[at] !== '{') return undefined;
    const [written, least = '', comma, most] =
      /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(characters.slice(at, at + 12).join('')) ?? [];
    if (written === undefined) return fail('{ must be followed by numbers, or written as \\{');
    at += written.length;
    const greatest = comma === undefined ? Number(least) : most === '' ? Infinity : Number(most);
    if (greatest < Number(least)) fail('the numbers in {} are the wrong way round');
    return { least: Number(least), most: greatest };
  }

  function atom(depth: number): Node {
    const character = characters[at++] ?? '';
    switch (character) {
      case '^':
        return { type: 'start' };
      case '$':
        return { type: 'end' };
      case '.':
        return { type: 'set', test: (point) => !lineEnds.has(point) };
      case '[':
        return { type: 'set', test: set() };
      case '(': {
        if (take('?') && !take(':')) fail('only plain groups can be used: ( or (?:');
        const inner = choice(depth + 1);
        if (!take(')')) fail('a ) is missing');
        return inner;
      }
      case '\\':
        return { type: 'set', test: escape(false).test };
      case '*':
      case '+':
      case '?':
      case '{':
      case '}':
      case ']':
        at--;
        return fail(`${character} stands where it means nothing; write \\${character}`);
      default:
        return { type: 'set', test: only(character.codePointAt(0) ?? 0) };
    }
  }

  function set(): Test {
    const isNegated = take('^');
    const points = new Set<number>();
    const ranges: { from: number; to: number }[] = [];
    const kinds: Test[] = [];
    while (!take(']')) {
      if (at >= characters.length) fail('a ] is missing');
      const low = member();
      if (characters[at] !== '-' || characters[at + 1] === ']') {
        if (low.point !== undefined) points.add(low.point);
        else if (!kinds.includes(low.test)) kinds.push(low.test);
        continue;
      }
      at++;
      if (at >= characters.length) fail('a ] is missing');
      const high = member();
      const [from, to] = [low.point, high.point];
      if (from === undefined || to === undefined || from > to)
        return fail('this range has no beginning or end');
      // Each is asked for each character.
      if (ranges.push({ from, to }) > maxRanges) fail('too many ranges in [ ]');
    }
    const isIn: Test = (point) =>
      points.has(point) ||
      ranges.some(({ from, to }) => point >= from && point <= to) ||
      kinds.some((test) => test(point));
    return (point) => isIn(point) !== isNegated;
  }

  function member(): { test: Test; point?: number } {
    const character = characters[at++] ?? '';
    if (character === '\\') return escape(true);
    const point = character.codePointAt(0) ?? 0;
    return { test: only(point), point };
  }

  function escape(isInSet: boolean): { test: Test; point?: number } {
    const character = characters[at++] ?? '';
    const known = classes[character];
    if (known) return { test: known };
    const point =
      controls[character] ?? (isPlain(character, isInSet) ? character.codePointAt(0) : coded(character));
    if (point === undefined) {
      at--;
      return fail(`\\${character} cannot be used`);
    }
    return { test: only(point), point };
  }

  function coded(character: string): number | undefined {
    const rest = characters.slice(at, at + 10).join('');
    const forms = { x: /^([\da-f]{2})/i, u: /^(?:([\da-f]{4})|\{([\da-f]{1,6})\})/i };
    const form = character === 'x' || character === 'u' ? forms[character] : undefined;
    const [written, plain, braced] = form?.exec(rest) ?? [];
    if (written === undefined) return undefined;
    at += written.length;
    return parseInt(plain ?? braced ?? '', 16);
  }

  const whole = choice(0);
  if (at < characters.length) fail('a ) is not opened');
  return whole;
}

const lineEnds = new Set([0x0a, 0x0d, 0x2028, 0x2029]);
const controls: Partial<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };
const isDigit: Test = (point) => point >= 48 && point <= 57;
const isWord: Test = (point) =>
  isDigit(point) || (point >= 65 && point <= 90) || (point >= 97 && point <= 122) || point === 95;
const isSpace: Test = (point) => /\s/u.test(String.fromCodePoint(point));
const not =
  (test: Test): Test =>
  (point) =>
    !test(point);
const classes: Partial<Record<string, Test>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};
const only =
  (wanted: number): Test =>
  (point) =>
    point === wanted;

function isPlain(character: string, isInSet: boolean): boolean {
  return character !== '' && ('^$\\.*+?()[]{}|/'.includes(character) || (isInSet && character === '-'));
}

function compile(whole: Node): Step[] {
  const steps: Step[] = [];
  const add = (step: Step): number => {
    if (steps.length >= maxSteps) throw new PatternError('the pattern is too long, repeats counted');
    return steps.push(step) - 1;
  };
  const fork = (...to: number[]) => {
    const step = { type: 'fork' as const, to };
    add(step);
    return step;
  };

  function write(node: Node): void {
    switch (node.type) {
      case 'sequence':
        node.parts.forEach(write);
        break;
      case 'choice':
        writeChoice(node.parts);
        break;
      case 'repeat':
        writeRepeat(node);
        break;
      case 'set':
      case 'start':
      case 'end':
        add(node);
    }
  }

  function writeChoice(parts: Node[]): void {
    const begin = fork();
    const ends = parts.map((part) => {
      begin.to.push(steps.length);
      write(part);
      return fork();
    });
    for (const end of ends) end.to.push(steps.length);
  }

  function writeRepeat({ part, least, most }: Node & { type: 'repeat' }): void {
    for (let count = 0; count < least; count++) write(part);
    if (most === Infinity) {
      const begin = fork(steps.length + 1);
      const start = steps.length - 1;
      write(part);
      fork(start);
      begin.to.push(steps.length);
      return;
    }
    const skips = Array.from({ length: most - least }, () => {
      const skip = fork(steps.length + 1);
      write(part);
      return skip;
    });
    for (const skip of skips) skip.to.push(steps.length);
  }

  write(whole);
  add({ type: 'match' });
  return steps;
}

/** All ways at once: each step at most once for each character. */
function follow(steps: readonly Step[], text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  /** At which character each step was last come to. */
  const seen = new Int32Array(steps.length).fill(-1);
  let open: number[] = [];
  for (let at = 0; at <= points.length; at++) {
    const point = points[at];
    const next: number[] = [];
    // It may begin anywhere.
    open.push(0);
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (seen[index] === at) continue;
      seen[index] = at;
      const step = steps[index];
      if (!step) continue;
      switch (step.type) {
        case 'match':
          return true;
        case 'fork':
          open.push(...step.to);
          break;
        case 'start':
          if (at === 0) open.push(index + 1);
          break;
        case 'end':
          if (at === points.length) open.push(index + 1);
          break;
        case 'set':
          if (point !== undefined && step.test(point)) next.push(index + 1);
      }
    }
    open = next;
  }
  return false;
}

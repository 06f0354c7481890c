/** PURE: matches growing text against a GBNF grammar (llama.cpp, grammars/README.md), for an engine without its own matcher. */

/** A position in the grammar. Immutable, so we can try a token and discard the result. */
export interface GrammarPosition {
  readonly canEnd: boolean;
  /** Returns the position after these UTF-8 bytes. The last character may be incomplete. Undefined if the bytes do not match. */
  advance(bytes: Uint8Array): GrammarPosition | undefined;
}

/** Returns the start position. Throws a `SyntaxError` if the grammar is invalid or has no rule `root`. */
export function createStartPosition(grammar: string): GrammarPosition {
  const entryOf = createGrammarCompiler(parseGrammar(grammar));
  return MatchPosition.followRules(
    [{ step: entryOf('root'), frame: new RuleFrame(returnStep, undefined) }],
    entryOf,
  );
}

/** A node of the compiled grammar: match a character, try several branches, enter a rule, or leave it. */
type GrammarStep =
  | { type: 'character'; isNegated: boolean; ranges: readonly CodePointRange[]; next: GrammarStep }
  | { type: 'fork'; ways: GrammarStep[] }
  | { type: 'call'; rule: string; next: GrammarStep }
  | { type: 'return' };

type CharacterStep = Extract<GrammarStep, { type: 'character' }>;

const returnStep: GrammarStep = { type: 'return' };
/** Maximum number of steps in a compiled grammar. Only a faulty grammar needs more, and compiling it would take minutes. */
const maxGrammarSteps = 200_000;
/** Maximum number of nested rules that we enter without a matched character. */
const maxRuleDepth = 10_000;

/** Returns a function that finds a rule's first step. The function compiles each rule when text first enters it. */
function createGrammarCompiler(rules: ReadonlyMap<string, Expression>): (rule: string) => GrammarStep {
  const entries = new Map<string, GrammarStep>();
  let count = 0;

  /** Compiles an expression and links its end to `next`. */
  function compile(expression: Expression, next: GrammarStep): GrammarStep {
    if (++count > maxGrammarSteps) throw new SyntaxError('The grammar is too large.');
    switch (expression.type) {
      case 'character':
        return { ...expression, next };
      case 'rule':
        return { type: 'call', rule: expression.name, next };
      case 'sequence':
        return expression.parts.reduceRight((after, part) => compile(part, after), next);
      case 'choice':
        return { type: 'fork', ways: expression.options.map((option) => compile(option, next)) };
      case 'repeat':
        return repeat(expression, next);
    }
  }

  function repeat({ inner, least, most }: Extract<Expression, { type: 'repeat' }>, next: GrammarStep) {
    let step = next;
    if (most === Infinity) {
      const loop: GrammarStep = { type: 'fork', ways: [] };
      loop.ways.push(compile(inner, loop), next);
      step = loop;
    } else {
      for (let index = least; index < most; index++) {
        step = { type: 'fork', ways: [compile(inner, step), next] };
      }
    }
    for (let index = 0; index < least; index++) step = compile(inner, step);
    return step;
  }

  return (name) => {
    const known = entries.get(name);
    if (known) return known;
    const rule = rules.get(name);
    if (!rule) throw new SyntaxError(`The grammar has no rule "${name}".`);
    const step = compile(rule, returnStep);
    entries.set(name, step);
    return step;
  };
}

/** The stack of open rules, with the step after each rule. Equal stacks are the same object, so we can compare threads quickly. */
class RuleFrame {
  readonly stepAfterRule: GrammarStep;
  readonly parentFrame: RuleFrame | undefined;
  readonly #above = new Map<GrammarStep, RuleFrame>();

  constructor(step: GrammarStep, below: RuleFrame | undefined) {
    this.stepAfterRule = step;
    this.parentFrame = below;
  }

  push(step: GrammarStep): RuleFrame {
    let frame = this.#above.get(step);
    if (!frame) {
      frame = new RuleFrame(step, this);
      this.#above.set(step, frame);
    }
    return frame;
  }
}

/** One way to match the text so far, and the character step that comes next. */
interface MatchThread<At extends GrammarStep = CharacterStep> {
  step: At;
  frame: RuleFrame;
}

interface PartialCharacter {
  bits: number;
  missing: number;
  /** The smallest code point that UTF-8 allows in this many bytes. */
  least: number;
}

class MatchPosition implements GrammarPosition {
  readonly #threads: readonly MatchThread[];
  readonly #partial: PartialCharacter | undefined;
  readonly #entryOf: (rule: string) => GrammarStep;
  readonly #hasEnded: boolean;

  private constructor(
    threads: readonly MatchThread[],
    hasEnded: boolean,
    entryOf: (rule: string) => GrammarStep,
    partial?: PartialCharacter,
  ) {
    this.#threads = threads;
    this.#hasEnded = hasEnded;
    this.#entryOf = entryOf;
    this.#partial = partial;
  }

  get canEnd(): boolean {
    return this.#hasEnded && !this.#partial;
  }

  advance(bytes: Uint8Array): GrammarPosition | undefined {
    const step = (at: MatchPosition | undefined, byte: number) => (at ? at.#afterByte(byte) : at);
    const reached = bytes.reduce<MatchPosition | undefined>(step, this);
    return reached && !reached.#isHopeless() ? reached : undefined;
  }

  #afterByte(byte: number): MatchPosition | undefined {
    const partial = this.#partial;
    if (!partial) {
      if (byte < 0x80) return this.#afterCharacter(byte);
      const begun = beginUtf8Character(byte);
      return begun && this.#with(begun);
    }
    if (byte >> 6 !== 0b10) return undefined;
    const bits = (partial.bits << 6) | (byte & 0x3f);
    if (partial.missing > 1) return this.#with({ ...partial, bits, missing: partial.missing - 1 });
    const isText = bits >= partial.least && bits <= 0x10ffff && !(bits >= 0xd800 && bits <= 0xdfff);
    return isText ? this.#afterCharacter(bits) : undefined;
  }

  #afterCharacter(code: number): MatchPosition | undefined {
    const next = this.#threads.filter(({ step }) => matchesCodePoint(step, code));
    if (next.length === 0) return undefined;
    const begun = next.map(({ step, frame }) => ({ step: step.next, frame }));
    return MatchPosition.followRules(begun, this.#entryOf);
  }

  #with(partial: PartialCharacter): MatchPosition {
    return new MatchPosition(this.#threads, this.#hasEnded, this.#entryOf, partial);
  }

  /** True if no character that starts with these bytes matches. */
  #isHopeless(): boolean {
    if (!this.#partial) return false;
    const { bits, missing, least } = this.#partial;
    const first = Math.max(least, bits << (6 * missing));
    const last = ((bits + 1) << (6 * missing)) - 1;
    return !this.#threads.some(({ step }) => matchesAnyBetween(step, first, last));
  }

  /** Follows branches and rules until each thread is at a character step. */
  static followRules(begun: readonly MatchThread<GrammarStep>[], entryOf: (rule: string) => GrammarStep) {
    const threads: MatchThread[] = [];
    let hasEnded = false;
    const seen = new Map<RuleFrame, Set<GrammarStep>>();
    const waiting = begun.toReversed();
    for (let at = waiting.pop(); at; at = waiting.pop()) {
      const { step, frame } = at;
      const known = seen.get(frame);
      if (known?.has(step)) continue;
      if (known) known.add(step);
      else seen.set(frame, new Set([step]));
      switch (step.type) {
        case 'character':
          threads.push({ step, frame });
          break;
        case 'fork':
          for (const way of step.ways.toReversed()) waiting.push({ step: way, frame });
          break;
        case 'call': {
          // A left-recursive rule would loop forever.
          if (seen.size > maxRuleDepth) throw new SyntaxError(`The rule "${step.rule}" begins with itself.`);
          // The last step of a rule needs no return, so even a long list does not grow the stack.
          const isLast = step.next.type === 'return';
          waiting.push({ step: entryOf(step.rule), frame: isLast ? frame : frame.push(step.next) });
          break;
        }
        case 'return':
          if (frame.parentFrame) waiting.push({ step: frame.stepAfterRule, frame: frame.parentFrame });
          else hasEnded = true;
          break;
      }
    }
    return new MatchPosition(threads, hasEnded, entryOf);
  }
}

function beginUtf8Character(byte: number): PartialCharacter | undefined {
  if (byte >= 0xc2 && byte <= 0xdf) return { bits: byte & 0x1f, missing: 1, least: 0x80 };
  if (byte >= 0xe0 && byte <= 0xef) return { bits: byte & 0x0f, missing: 2, least: 0x800 };
  if (byte >= 0xf0 && byte <= 0xf4) return { bits: byte & 0x07, missing: 3, least: 0x10000 };
  return undefined;
}

function matchesCodePoint({ isNegated, ranges }: CharacterStep, code: number): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last) !== isNegated;
}

function matchesAnyBetween({ isNegated, ranges }: CharacterStep, first: number, last: number): boolean {
  if (!isNegated) return ranges.some(([from, to]) => from <= last && to >= first);
  return !ranges.some(([from, to]) => from <= first && to >= last);
}

type CodePointRange = readonly [number, number];

type Expression =
  | { type: 'character'; isNegated: boolean; ranges: readonly CodePointRange[] }
  | { type: 'sequence'; parts: readonly Expression[] }
  | { type: 'choice'; options: readonly Expression[] }
  | { type: 'repeat'; inner: Expression; least: number; most: number }
  | { type: 'rule'; name: string };

const escapedCharacters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const hexDigitCounts: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Throws a `SyntaxError` with the position if the grammar is invalid. */
function parseGrammar(text: string): ReadonlyMap<string, Expression> {
  let at = 0;
  const skip = () => void match(/(?:\s|#.*)*/y);
  const readName = () => match(/[\w-]*/y)?.[0] ?? '';

  function readChoice(): Expression {
    const options = [readSequence()];
    while (takes('|')) options.push(readSequence());
    const [only] = options;
    return only && options.length === 1 ? only : { type: 'choice', options };
  }

  function readSequence(): Expression {
    const parts: Expression[] = [];
    for (;;) {
      skip();
      const part = readPart();
      if (!part) break;
      parts.push(readRepeated(part));
    }
    return { type: 'sequence', parts };
  }

  function readPart(): Expression | undefined {
    if (takes('"')) return readLiteral();
    if (takes('[')) return readCharacters();
    if (takes('.')) return { type: 'character', isNegated: true, ranges: [] };
    if (takes('(')) {
      const inner = readChoice();
      if (!takes(')')) throw errorAt('")"');
      return inner;
    }
    const before = at;
    const name = readName();
    if (name === '') return undefined;
    const after = at;
    skip();
    // A name before `::=` is not a reference. It begins the next rule.
    if (text.startsWith('::=', at)) {
      at = before;
      return undefined;
    }
    at = after;
    return { type: 'rule', name };
  }

  function readRepeated(inner: Expression): Expression {
    skip();
    if (takes('*')) return { type: 'repeat', inner, least: 0, most: Infinity };
    if (takes('+')) return { type: 'repeat', inner, least: 1, most: Infinity };
    if (takes('?')) return { type: 'repeat', inner, least: 0, most: 1 };
    const bounds = match(/\{\s*(\d+)\s*(?:(,)\s*(\d*)\s*)?\}/y);
    if (!bounds) return inner;
    const least = Number(bounds[1]);
    const most = bounds[3] ? Number(bounds[3]) : Infinity;
    return { type: 'repeat', inner, least, most: bounds[2] === undefined ? least : most };
  }

  function readLiteral(): Expression {
    const parts: Expression[] = [];
    while (!takes('"')) {
      const code = readCode();
      parts.push({ type: 'character', isNegated: false, ranges: [[code, code]] });
    }
    return { type: 'sequence', parts };
  }

  function readCharacters(): Expression {
    const isNegated = takes('^');
    const ranges: CodePointRange[] = [];
    while (!takes(']')) {
      const first = readCode();
      const isRange = text[at] === '-' && text[at + 1] !== ']';
      if (isRange) at += 1;
      ranges.push([first, isRange ? readCode() : first]);
    }
    return { type: 'character', isNegated, ranges };
  }

  function readCode(): number {
    const code = text.codePointAt(at);
    if (code === undefined) throw errorAt('an end');
    const character = String.fromCodePoint(code);
    at += character.length;
    if (character !== '\\') return code;
    const letter = text[at++];
    if (letter === undefined) throw errorAt('a character');
    const digits = hexDigitCounts[letter];
    if (digits === undefined) return (escapedCharacters[letter] ?? letter).charCodeAt(0);
    const hex = text.slice(at, at + digits);
    if (!/^[\da-f]+$/i.test(hex) || hex.length < digits) throw errorAt(`${digits} hexadecimal digits`);
    at += digits;
    return Number.parseInt(hex, 16);
  }

  function takes(mark: string): boolean {
    if (!text.startsWith(mark, at)) return false;
    at += mark.length;
    return true;
  }

  /** Matches a sticky pattern here and moves past the match. */
  function match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    at += found?.[0].length ?? 0;
    return found;
  }

  function errorAt(need: string): SyntaxError {
    return new SyntaxError(`The grammar wants ${need} at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
  }

  const rules = new Map<string, Expression>();
  skip();
  while (at < text.length) {
    const name = readName();
    skip();
    if (name === '' || !takes('::=')) throw errorAt('a rule');
    rules.set(name, readChoice());
    skip();
  }
  return rules;
}

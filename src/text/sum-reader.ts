/** Reads one sum from a place in a text on, in the signs and words that people write. */

export interface FoundSum {
  /** In the signs that the calculator reads: `7/8`. */
  expression: string;
  /** Where it stands in the text. */
  start: number;
  end: number;
}

interface Token {
  type: 'number' | 'function' | 'root' | 'operator' | 'percent' | 'power' | 'of' | 'open' | 'close' | 'comma';
  /** As the calculator reads it. */
  text: string;
  start: number;
  end: number;
}

const patterns: readonly [Token['type'], RegExp, (match: RegExpMatchArray) => string][] = [
  [
    'function',
    /(?<![\p{L}\d])(sqrt|sin|cos|tan|log10|log2|log|ln|exp|abs|round|floor|ceil|gcd|lcm)(?=\s*\()/iuy,
    ([, name = '']) => name.toLowerCase(),
  ],
  [
    'number',
    /(?<![\d.])(?:(?<=\d\s?x)|(?<!\p{Script=Latin}))(?:\d{1,3}(?:,\d{3})+(?!\d|,\d)(?:\.\d+)?|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)(?![.:]?\d)(?!(?:st|nd|rd|th)\b)/iuy,
    ([text]) => text.replaceAll(',', ''),
  ],
  ['number', /百分之\s*(\d+(?:\.\d+)?)/uy, ([, share = '']) => `${share}%`],
  ['root', /√\s*|根号\s*|(?<!\p{L})(?:the )?square root of\s+/iuy, () => 'sqrt'],
  ['percent', /\s*%|\s*per ?cent\b/iuy, () => '%'],
  ['power', /\s*squared\b|\s*的?平方(?!根)|²/iuy, () => '^2'],
  ['power', /\s*cubed\b|\s*的?立方(?!根)|³/iuy, () => '^3'],
  ['power', /\s*的?\s*(\d+)\s*次[方幂](?!程)/uy, ([, power = '']) => `^${power}`],
  ['power', /\s*to the (\d+)(?:st|nd|rd|th)\b(?: power\b)?/iuy, ([, power = '']) => `^${power}`],
  // An exclamation mark closes a sentence, too.
  ['power', /\s*factorial\b|\s*的?阶乘|!(?=\s*[=?？]|\s*$)/iuy, () => '!'],
  ['of', /\bof\b/iuy, () => ' of '],
  ['operator', /的(?=\s*(?:百分之)?[\d.(])/iuy, () => '*'],
  ['operator', /\*\*|\^|\b(?:raised )?to the power of\b/iuy, () => '^'],
  ['operator', /[*×·∙⋅✕✖]|\b(?:times|multiplied by)\b|(?<=[\d)]\s?)x(?=\s?[\d(])|乘以|乘/iuy, () => '*'],
  ['operator', /[/÷∕]|\b(?:divided by|over)\b|除以|除(?![了去外非])/iuy, () => '/'],
  ['operator', /\bmod(?:ulo)?\b/iuy, () => ' mod '],
  ['operator', /\+|\bplus\b|(?:\s*[,，]?再)?加上?/iuy, () => '+'],
  ['operator', /[-−–]|\bminus\b|(?:\s*[,，]?再)?减去?/iuy, () => '-'],
  ['open', /[(]/uy, () => '('],
  ['close', /[)]/uy, () => ')'],
  ['comma', /,(?=\s*[\d.(-])/uy, () => ','],
];

/** Reads one sum from a place on, as far as it goes. */
export class SumReader {
  readonly #text: string;
  readonly #start: number;
  #at: number;
  #operators = 0;
  #isFunctionUsed = false;
  firstTokenEnd = 0;
  #depth = 0;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#start = start;
    this.#at = start;
  }

  read(): FoundSum | undefined {
    const expression = this.#sum();
    const isSum = expression !== undefined && (this.#operators > 0 || this.#isFunctionUsed);
    return isSum ? { expression, start: this.#start, end: this.#at } : undefined;
  }

  /** Operands with operators between them; an operator that nothing follows is not taken. */
  #sum(): string | undefined {
    let expression = this.#operand();
    if (expression === undefined) return undefined;
    for (;;) {
      const before = this.#at;
      // `3 of 5` counts, `3% of 5` is a share, and so is `3/4 of 5`.
      const isShare = expression.endsWith('%') || /^\d+\/\d+$/.test(expression);
      const operator = this.#take('operator') ?? (isShare ? this.#take('of') : undefined);
      const right = operator && this.#operand();
      if (!operator || right === undefined) {
        this.#at = before;
        return expression;
      }
      this.#operators += 1;
      expression += operator.text + right;
    }
  }

  #operand(): string | undefined {
    const isFirst = this.#at === this.#start;
    const sign = this.#peekSign(isFirst);
    const value = this.#root() ?? this.#function() ?? this.#group() ?? this.#take('number')?.text;
    if (isFirst) this.firstTokenEnd = this.#at;
    if (value === undefined) return undefined;
    const power = this.#take('power')?.text ?? '';
    if (power !== '') this.#isFunctionUsed = true;
    return sign + value + power + (this.#take('percent')?.text ?? '');
  }

  /** `the square root of 2`: no parentheses. */
  #root(): string | undefined {
    const before = this.#at;
    const value = this.#take('root') && (this.#group() ?? this.#take('number')?.text);
    if (value === undefined) {
      this.#at = before;
      return undefined;
    }
    this.#isFunctionUsed = true;
    return value.startsWith('(') ? `sqrt${value}` : `sqrt(${value})`;
  }

  /** A minus that belongs to the number: at the beginning of the text or behind an operator, and right before the digit. */
  #peekSign(isFirst: boolean): string {
    if (isFirst && /[\p{Script=Latin}\d)]$/u.test(this.#text.slice(0, this.#at))) return '';
    const match = /\s*[-−](?=[\d.])/uy;
    match.lastIndex = this.#at;
    const found = match.exec(this.#text);
    if (!found) return '';
    this.#at += found[0].length;
    return '-';
  }

  #group(): string | undefined {
    const before = this.#at;
    if (this.#depth > 20 || !this.#take('open')) return undefined;
    this.#depth += 1;
    const inner = this.#sum();
    this.#depth -= 1;
    if (inner !== undefined && this.#take('close')) return `(${inner})`;
    this.#at = before;
    return undefined;
  }

  #function(): string | undefined {
    const before = this.#at;
    const name = this.#take('function');
    if (!name || !this.#take('open')) return undefined;
    const given: string[] = [];
    do {
      const value = this.#sum();
      if (value === undefined) break;
      given.push(value);
    } while (this.#take('comma'));
    if (given.length > 0 && this.#take('close')) {
      this.#isFunctionUsed = true;
      return `${name.text}(${given.join(',')})`;
    }
    this.#at = before;
    return undefined;
  }

  #take(type: Token['type']): Token | undefined {
    const skipped = /\s*/uy;
    skipped.lastIndex = this.#at;
    // Before the first operand nothing is skipped: a sum begins where its first sign stands.
    const start =
      this.#at === this.#start ? this.#at : this.#at + (skipped.exec(this.#text)?.[0].length ?? 0);
    for (const [kind, pattern, write] of patterns) {
      if (kind !== type) continue;
      pattern.lastIndex = start;
      const match = pattern.exec(this.#text);
      if (!match) continue;
      this.#at = start + match[0].length;
      return { type, text: write(match), start, end: this.#at };
    }
    return undefined;
  }
}

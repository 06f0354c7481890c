/**
 * Finds the sums that a text spells out: `24*60*60`, `7除以8`, `17.5% of 2340`, `(3 + 4) × 2`. What only looks like one, such as a date, a
 * telephone number, a score or a version, is none.
 */

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

/** Sums longer than this are no request. */
const longestText = 2000;

const patterns: readonly [Token['type'], RegExp, (match: RegExpMatchArray) => string][] = [
  [
    'function',
    /(?<![\p{L}\d])(sqrt|sin|cos|tan|log10|log2|log|ln|exp|abs|round|floor|ceil|gcd|lcm)(?=\s*\()/iuy,
    ([, name = '']) => name.toLowerCase(),
  ],
  [
    'number',
    /(?<![\p{Script=Latin}\d.])(?:\d{1,3}(?:,\d{3})+(?!\d|,\d)(?:\.\d+)?|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)(?![.:]?\d)(?!(?:st|nd|rd|th)\b)/iuy,
    ([text]) => text.replaceAll(',', ''),
  ],
  ['root', /√\s*|根号\s*|(?<!\p{L})(?:the )?square root of\s+/iuy, () => 'sqrt'],
  ['percent', /\s*%|\s*per ?cent\b/iuy, () => '%'],
  ['power', /\s*squared\b|\s*的?平方(?!根)|²/iuy, () => '^2'],
  ['power', /\s*cubed\b|\s*的?立方(?!根)|³/iuy, () => '^3'],
  // An exclamation mark closes a sentence, too.
  ['power', /\s*factorial\b|\s*的?阶乘|!(?=\s*[=?？]|\s*$)/iuy, () => '!'],
  ['of', /\bof\b/iuy, () => ' of '],
  ['operator', /的(?=\s*[\d.(])/iuy, () => '*'],
  ['operator', /\*\*|\^|\bto the power of\b/iuy, () => '^'],
  ['operator', /[*×·∙⋅✕✖]|\b(?:times|multiplied by)\b|(?<=[\d)]\s?)x(?=\s?[\d(])|乘以|乘/iuy, () => '*'],
  ['operator', /[/÷∕]|\b(?:divided by|over)\b|除以|除/iuy, () => '/'],
  ['operator', /\bmod(?:ulo)?\b/iuy, () => ' mod '],
  ['operator', /\+|\bplus\b|加上|加/iuy, () => '+'],
  ['operator', /[-−–]|\bminus\b|减去|减/iuy, () => '-'],
  ['open', /[(]/uy, () => '('],
  ['close', /[)]/uy, () => ')'],
  ['comma', /,(?=\s*[\d.(-])/uy, () => ','],
];

/** Full-width signs and digits become narrow ones, one for one, so that places stay. */
function toNarrow(text: string): string {
  return text.replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}

const ones = 'zero one two three four five six seven eight nine'.split(' ');
const teens = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const numberWord = new RegExp(
  String.raw`\b(?:(${tens.join('|')})(?:[- ](${ones.slice(1).join('|')}))?|(${[...ones, ...teens].join('|')}))\b`,
  'gi',
);

/** Numbers up to 99 that are written out, and single Chinese numerals beside a sign of arithmetic. */
function toDigits(text: string): string {
  const digits = '零一二三四五六七八九十';
  return text
    .replace(numberWord, (_, ten: string | undefined, one: string | undefined, small: string | undefined) => {
      const value = ten === undefined ? 0 : 20 + 10 * tens.indexOf(ten.toLowerCase());
      return String(value + Math.max([...ones, ...teens].indexOf((one ?? small ?? '').toLowerCase()), 0));
    })
    .replace(
      /(?<![零一二两三四五六七八九十百千万点\d])[零一二两三四五六七八九十](?=\s*(?:加|减|乘|除|等于|的平方|的立方|$|[=?？]))/gu,
      (one) => String(one === '两' ? 2 : digits.indexOf(one)),
    );
}

/** In the order in which they stand. */
export function findSums(written: string): FoundSum[] {
  if (written.length > longestText) return [];
  const text = toNarrow(written);
  const found: FoundSum[] = [];
  for (let at = 0; at < text.length;) {
    const reader = new SumReader(text, at);
    const sum = reader.read();
    if (sum && !isSomethingElse(text, sum)) found.push(sum);
    at = Math.max(sum?.end ?? 0, reader.firstTokenEnd, at + 1);
  }
  return found;
}

/** A sum and nothing else, but for what asks for it: `What is 5*5?`, `12乘以8等于多少`. */
export function readLoneSum(written: string): string | undefined {
  const text = toDigits(toNarrow(written));
  const sums = findSums(text);
  const [sum] = sums;
  if (!sum || sums.length > 1) return undefined;
  const before = text.slice(0, sum.start);
  const after = text.slice(sum.end);
  return asksBefore.test(before) && asksAfter.test(after) ? sum.expression : undefined;
}

const asksBefore =
  /^\s*(?:(?:hi|hello|hey|ok|okay|please|so|and|now|then|well|um|你好|请问?|那么?|帮我|麻烦)[\s,，!！]*)*(?:(?:can|could|would|will) you (?:please )?)?(?:what(?:'s|’s|s| is| are| does| do)?|how much (?:is|are|does)|how many (?:is|are)|calculate|compute|evaluate|work out|figure out|solve|tell me|give me|do|find|算一?下|算算|算|计算一?下?|求)?\s*(?:the (?:result|value|answer|sum|product) of|what(?:'s| is)?)?\s*[:：]?\s*$/iu;
const asksAfter =
  /^\s*(?:(?:=|＝|equals?|is|make|makes|give|gives|come to|等于|是|得)\s*)?(?:what|how much|多少|几|几何|啥)?\s*(?:please|thanks|thank you|谢谢|呢|啊|呀|吗)?[\s=?？.。!！]*$/iu;

/** Reads one sum from a place on, as far as it goes. */
class SumReader {
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
      // `3 of 5` counts, `3% of 5` is a share.
      const isShare = expression.endsWith('%');
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

/** Idioms, and what has a form of its own: dates, telephone numbers, versions, ranges and scores. */
function isSomethingElse(text: string, { expression, start, end }: FoundSum): boolean {
  const written = text.slice(start, end);
  const before = text.slice(0, start);
  const after = text.slice(end);
  // It goes on in a way that no sum does: 1.2.3, 10:30, 5-inch, 2026-11-23T10.
  if (/[\p{L}\d_.:/\\-]$/u.test(before) && !/[\s\p{Script=Han}][:：]$|\p{Script=Han}$/u.test(before))
    return true;
  if (/^(?:[:_\\]|[-/.]\p{L}|[-/.:]\d|\p{Script=Latin})/u.test(after)) return true;
  if (isDate.test(written) || isTelephone.test(written) || idioms.has(written)) return true;
  if (/[+]\d{1,3}[\s-]\d/.test(before.slice(-1) + written)) return true;
  const isBare =
    /^\d+(?:\.\d+)?[-–/]\d+(?:\.\d+)?$/.test(expression) && !/\s/.test(written) && /[-–/]/.test(written);
  // `pages 10-12`, `won 3-1`, `a 3/4 cup`: a sum only where the text asks for one.
  return isBare && !(asksBefore.test(before) && asksAfter.test(after)) && !/^\s*(?:=|等于)/.test(after);
}

const isDate =
  /^(?:\d{4}\s*[-/–]\s*\d{1,2}\s*[-/–]\s*\d{1,2}|\d{1,2}\s*[-/–]\s*\d{1,2}\s*[-/–]\s*(?:\d{4}|\d{2}))$/;
const isTelephone = /^\+?\(?\d{2,4}\)?(?:[\s-]\d{3,}){2,}$|^\d{3}-\d{4}$|^\+\d/;
const idioms = new Set(['24/7', '9/11', '50/50', '9-5', '1-1', '80/20', '4-4-2']);

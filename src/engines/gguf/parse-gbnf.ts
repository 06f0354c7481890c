/** PURE: parses llama.cpp's notation of grammars (GBNF). Source: llama.cpp, grammars/README.md. */

/** The first and the last code point. */
export type CodeRange = readonly [number, number];

/** The right-hand side of a rule. */
export type Expression =
  | { type: 'character'; isNegated: boolean; ranges: readonly CodeRange[] }
  | { type: 'sequence'; parts: readonly Expression[] }
  | { type: 'choice'; options: readonly Expression[] }
  | { type: 'repeat'; inner: Expression; least: number; most: number }
  | { type: 'rule'; name: string };

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
};
/** The number of hexadecimal digits after the letter of an escape. */
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Returns the rules by name. Throws a `SyntaxError` with the position if the grammar is invalid. */
export function readGrammar(text: string): Map<string, Expression> {
  return new GrammarParser(text).rules();
}

class GrammarParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  rules(): Map<string, Expression> {
    const rules = new Map<string, Expression>();
    this.#skip();
    while (this.#at < this.#text.length) {
      const name = this.#name();
      this.#skip();
      if (name === '' || !this.#takes('::=')) throw this.#error('a rule');
      rules.set(name, this.#choice());
      this.#skip();
    }
    return rules;
  }

  #choice(): Expression {
    const options = [this.#sequence()];
    while (this.#takes('|')) options.push(this.#sequence());
    const [only] = options;
    return only && options.length === 1 ? only : { type: 'choice', options };
  }

  #sequence(): Expression {
    const parts: Expression[] = [];
    for (;;) {
      this.#skip();
      const part = this.#part();
      if (!part) break;
      parts.push(this.#repeated(part));
    }
    return { type: 'sequence', parts };
  }

  #part(): Expression | undefined {
    if (this.#takes('"')) return this.#literal();
    if (this.#takes('[')) return this.#characters();
    if (this.#takes('.')) return { type: 'character', isNegated: true, ranges: [] };
    if (this.#takes('(')) {
      const inner = this.#choice();
      if (!this.#takes(')')) throw this.#error('")"');
      return inner;
    }
    const before = this.#at;
    const name = this.#name();
    if (name === '') return undefined;
    const after = this.#at;
    this.#skip();
    // The next rule begins here.
    if (this.#text.startsWith('::=', this.#at)) {
      this.#at = before;
      return undefined;
    }
    this.#at = after;
    return { type: 'rule', name };
  }

  #repeated(inner: Expression): Expression {
    this.#skip();
    if (this.#takes('*')) return { type: 'repeat', inner, least: 0, most: Infinity };
    if (this.#takes('+')) return { type: 'repeat', inner, least: 1, most: Infinity };
    if (this.#takes('?')) return { type: 'repeat', inner, least: 0, most: 1 };
    const bounds = /\{\s*(\d+)\s*(?:(,)\s*(\d*)\s*)?\}/y;
    bounds.lastIndex = this.#at;
    const found = bounds.exec(this.#text);
    if (!found) return inner;
    this.#at = bounds.lastIndex;
    const least = Number(found[1]);
    const most = found[3] ? Number(found[3]) : Infinity;
    return { type: 'repeat', inner, least, most: found[2] === undefined ? least : most };
  }

  #literal(): Expression {
    const parts: Expression[] = [];
    while (!this.#takes('"')) {
      const code = this.#code();
      parts.push({ type: 'character', isNegated: false, ranges: [[code, code]] });
    }
    return { type: 'sequence', parts };
  }

  #characters(): Expression {
    const isNegated = this.#takes('^');
    const ranges: CodeRange[] = [];
    while (!this.#takes(']')) {
      const first = this.#code();
      const isRange = this.#text[this.#at] === '-' && this.#text[this.#at + 1] !== ']';
      if (isRange) this.#at += 1;
      ranges.push([first, isRange ? this.#code() : first]);
    }
    return { type: 'character', isNegated, ranges };
  }

  /** Reads one character or escape. */
  #code(): number {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) throw this.#error('an end');
    const character = String.fromCodePoint(code);
    this.#at += character.length;
    if (character !== '\\') return code;
    const letter = this.#text[this.#at++];
    if (letter === undefined) throw this.#error('a character');
    const digits = hexDigits[letter];
    if (digits === undefined) return (escapes[letter] ?? letter).charCodeAt(0);
    const hex = this.#text.slice(this.#at, this.#at + digits);
    if (!/^[\da-f]+$/i.test(hex) || hex.length < digits) throw this.#error(`${digits} hexadecimal digits`);
    this.#at += digits;
    return Number.parseInt(hex, 16);
  }

  #name(): string {
    const name = /[\w-]*/y;
    name.lastIndex = this.#at;
    const found = name.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #takes(mark: string): boolean {
    if (!this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }

  /** Skips blanks, line breaks and comments. */
  #skip(): void {
    const blank = /(?:\s|#.*)*/y;
    blank.lastIndex = this.#at;
    this.#at += blank.exec(this.#text)?.[0].length ?? 0;
  }

  #error(wanted: string): SyntaxError {
    return new SyntaxError(
      `The grammar wants ${wanted} at ${this.#at}: ${JSON.stringify(this.#text.slice(this.#at, this.#at + 20))}`,
    );
  }
}

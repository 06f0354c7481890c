/**
 * The messages of `src/ui/i18n/*.json`: a small subset of ICU MessageFormat, which the build compiles to JavaScript.
 *
 * - `{name}` inserts text.
 * - `{count, number}` inserts the digits of a number, without grouping.
 * - `{count, plural, =0 {no file} one {# file} other {# files}}` chooses by number, and `#` inserts the number. The forms are
 *   exact numbers and the categories of `Intl.PluralRules` for the language.
 * - `{isOn, select, true {on} other {off}}` chooses by the value as text. `undefined` matches a value that was not passed,
 *   and `empty` matches the empty text.
 * - `'{'` is a literal brace. `''` is an apostrophe where a single one would start such a quotation.
 *
 * @typedef {{ name: string, type: 'text' | 'number' }} Inserted
 * @typedef {{ name: string, type: 'plural' | 'select', options: Map<string, Part[]> }} Choice
 * @typedef {string | Inserted | Choice} Part
 * @typedef {'text' | 'number' | 'boolean'} ParameterType
 * @typedef {{ type: ParameterType, isOptional: boolean, isInserted: boolean }} Parameter
 */

/**
 * Parses a message. Throws an error that says where a mistake is.
 * @param {string} text
 * @returns {Part[]}
 */
export function parseMessage(text) {
  let at = 0;
  const parts = parseParts();
  if (at < text.length) fail('a } without its {');
  return parts;

  /**
   * Reads to the end of the text, or to the brace that closes an option.
   * @param {string} [counted] the parameter that `#` inserts
   * @returns {Part[]}
   */
  function parseParts(counted) {
    /** @type {Part[]} */
    const found = [];
    const add = (/** @type {Part} */ part) => {
      if (typeof part === 'string' && typeof found.at(-1) === 'string') found.push(found.pop() + part);
      else found.push(part);
    };
    while (at < text.length && text[at] !== '}') {
      if (text[at] === '{') add(parseArgument(counted));
      else if (text[at] === '#' && counted !== undefined) {
        add({ name: counted, type: 'number' });
        at += 1;
      } else add(parseCharacters(counted !== undefined));
    }
    return found;
  }

  /** @param {boolean} isCounted whether `#` has a special meaning here */
  function parseCharacters(isCounted) {
    if (skip("''")) return "'";
    if (text[at] !== "'" || !(isCounted ? '{}#' : '{}').includes(text[at + 1] || ' ')) return text[at++];
    const quoted = take(/'((?:[^']|'')*)'(?!')/y) ?? fail('a quotation that does not end');
    return quoted.replaceAll("''", "'");
  }

  /**
   * @param {string} [counted]
   * @returns {Inserted | Choice}
   */
  function parseArgument(counted) {
    const name = take(/\{\s*([a-z]\w*)\s*/iy) ?? fail('a { without a parameter');
    if (skip('}')) return { name, type: 'text' };
    const type = take(/,\s*(\w+)\s*/y);
    if (type === 'number' && skip('}')) return { name, type };
    if ((type !== 'plural' && type !== 'select') || !skip(',')) return fail('neither a } nor a known format');
    const options = new Map();
    take(/(\s*)/y);
    while (!skip('}')) {
      const key = take(/(=\d+|\w+)\s*\{/y) ?? fail('an option without braces');
      if (options.has(key)) fail(`a second “${key}”`);
      options.set(key, parseParts(type === 'plural' ? name : counted));
      if (!skip('}')) fail('an option that does not end');
      take(/(\s*)/y);
    }
    if (!options.has('other')) fail('a choice without “other”');
    return { name, type, options };
  }

  /** @param {RegExp} pattern a sticky pattern with one group */
  function take(pattern) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match?.[1];
  }

  /** @param {string} characters */
  function skip(characters) {
    const isThere = text.startsWith(characters, at);
    if (isThere) at += characters.length;
    return isThere;
  }

  /**
   * @param {string} what
   * @returns {never}
   */
  function fail(what) {
    throw new Error(`${what}, at character ${at + 1} of “${text}”`);
  }
}

/**
 * Returns the parameters of a message in the order in which they first appear.
 * @param {readonly Part[]} parts
 * @returns {Map<string, Parameter>}
 */
export function parametersOf(parts) {
  /** @type {Map<string, Parameter>} */
  const found = new Map();
  const visit = (/** @type {readonly Part[]} */ some) => {
    for (const part of some) {
      if (typeof part === 'string') continue;
      const known = found.get(part.name) ?? { type: 'text', isOptional: false, isInserted: false };
      found.set(part.name, known);
      if (part.type === 'number' || part.type === 'plural') known.type = 'number';
      if (part.type === 'number' || part.type === 'text') known.isInserted = true;
      if (!('options' in part)) continue;
      if (part.options.has('true') || part.options.has('false')) known.type = 'boolean';
      if (part.options.has('undefined')) known.isOptional = true;
      for (const option of part.options.values()) visit(option);
    }
  };
  visit(parts);
  return found;
}

/**
 * Returns a JavaScript expression for the text of a message.
 * @param {readonly Part[]} parts
 * @param {ReadonlyMap<string, string>} variables the JavaScript variable of each parameter
 * @param {PluralForms} forms
 * @returns {string}
 */
export function compileMessage(parts, variables, forms) {
  if (parts.every((part) => typeof part === 'string')) return JSON.stringify(parts.join(''));
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'object' && 'options' in first) return compileChoice(first);
  const pieces = parts.map((part) => {
    if (typeof part === 'string') return part.replace(/[\\`]|\$(?=\{)/g, '\\$&');
    return `\${${'options' in part ? compileChoice(part) : variables.get(part.name)}}`;
  });
  return `\`${pieces.join('')}\``;

  /** @param {Choice} choice */
  function compileChoice({ name, type, options }) {
    const keys = [...options.keys()].filter((key) => key !== 'other');
    if (type === 'plural') keys.sort((a, b) => Number(b.startsWith('=')) - Number(a.startsWith('=')));
    const compiled = (/** @type {string} */ key) => compileMessage(options.get(key) ?? [], variables, forms);
    const variable = variables.get(name) ?? '';
    const tests = keys.map((key) => {
      const test = type === 'plural' ? forms.test(variable, key) : testValue(variable, key);
      return `${test}?${compiled(key)}:`;
    });
    return tests.join('') + compiled('other');
  }
}

/**
 * @param {string} variable
 * @param {string} key
 */
function testValue(variable, key) {
  if (key === 'true') return variable;
  if (key === 'false') return `!${variable}`;
  if (key === 'undefined') return `${variable}===void 0`;
  return `${variable}===${JSON.stringify(key === 'empty' ? '' : key)}`;
}

/** How a language chooses among the forms of a plural. */
export class PluralForms {
  /** Whether a compiled message calls `category(number)`, which the module must then define. */
  needsCategory = false;
  #rules;
  #isOnlyOne;

  /** @param {string} code BCP 47 */
  constructor(code) {
    this.#rules = new Intl.PluralRules(code);
    // True for English, German and many others. They need only a comparison instead of Intl, whose first use takes a page 40 to 200 ms.
    this.#isOnlyOne = [...Array(2000).keys(), 0.5, 1.5, 1e6, 1e9].every(
      (number) => this.#rules.select(number) === (number === 1 ? 'one' : 'other'),
    );
  }

  /**
   * Returns a JavaScript condition that chooses a form. Throws if the language has no such form.
   * @param {string} variable
   * @param {string} key
   */
  test(variable, key) {
    if (key.startsWith('=')) return `${variable}===${key.slice(1)}`;
    const { pluralCategories, locale } = this.#rules.resolvedOptions();
    if (!pluralCategories.some((category) => category === key))
      throw new Error(`“${locale}” has the plural forms ${pluralCategories.join(', ')}, not “${key}”`);
    if (this.#isOnlyOne) return `${variable}===1`;
    this.needsCategory = true;
    return `category(${variable})==="${key}"`;
  }

  /** The code that a module with these compiled messages needs. */
  get code() {
    if (!this.needsCategory) return '';
    const { locale } = this.#rules.resolvedOptions();
    return `let rules;const category=(number)=>(rules??=new Intl.PluralRules("${locale}")).select(number);\n`;
  }
}

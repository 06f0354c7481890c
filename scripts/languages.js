/**
 * Makes modules of the language files, and writes `src/ui/i18n/words.ts`, the types of the English messages.
 *
 * In a file such as `src/ui/i18n/zh.json`, keys that begin with `shell.` are messages of the first screen, and keys that begin with `rest.` are
 * messages that load later. The file is imported as three modules: `zh.json?language` (its code, its name and functions that load the others),
 * `zh.json?shell` and `zh.json?rest`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { normalizePath } from 'vite';
import { compileMessage, parametersOf, parseMessage, PluralForms } from './messages.js';

const folder = normalizePath(fileURLToPath(new URL('../src/ui/i18n', import.meta.url)));
const fileOf = (/** @type {string} */ code) => `${folder}/${code}.json`;

/** @typedef {string | readonly Words[] | { readonly [key: string]: Words }} Words */
/**
 * @typedef {object} Language
 * @property {string} code BCP 47, also the name of the file
 * @property {string} name in the language itself
 * @property {{ readonly [key: string]: Words }} shell the messages of the first screen
 * @property {{ readonly [key: string]: Words }} rest the messages that load later
 */
/**
 * What English, the reference, defines for all languages. A path is one message, such as `rest.errors.storage-full`, or all messages of a table, such
 * as `rest.errors.*`.
 * @typedef {object} Reference
 * @property {Readonly<Record<string, readonly string[]>>} parameters
 *   The order of a message's parameters, if it is not the order in which they first appear.
 * @property {Readonly<Record<string, string>>} lookups
 *   Tables whose keys can be any text, such as the id of a tool, with the type of their values.
 * @property {Readonly<Record<string, string>>} notes Explanations of keys, for translators.
 */
/** @typedef {Language & Reference} English */

/**
 * Reads a language file. Its messages form a tree: `shell.navigation.skip` becomes `shell: { navigation: { skip: … } }`.
 * @param {string} code
 * @returns {English} For other languages, the fields of `Reference` are missing.
 */
export function readLanguage(code) {
  const { messages, ...about } = JSON.parse(readFileSync(fileOf(code), 'utf8'));
  const tree = { shell: {}, rest: {} };
  const entries = Object.entries(messages);
  for (const path of Object.keys(about.lookups ?? {}))
    if (!entries.some(([key]) => key.startsWith(`${path}.`))) entries.push([path, {}]);
  for (const [path, message] of entries) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    let branch = /** @type {any} */ (tree);
    for (const key of keys) branch = branch[key] ??= {};
    branch[last] = message;
  }
  return { ...about, ...tree };
}

/** The ids have no file extension, because Vite would treat a module named `.json` as JSON and ignore its imports. */
const prefix = 'virtual:languages/';

/** @returns {import('vite').Plugin} */
export function languageFiles() {
  return {
    name: 'language-files',
    enforce: 'pre',
    buildStart: saveTypes,
    resolveId(source, importer = '') {
      if (source.startsWith(prefix)) return source;
      const [, path = '', part] = /^(\..*)\.json\?(language|shell|rest)$/.exec(source) ?? [];
      if (!part || posix.dirname(posix.join(posix.dirname(importer), path)) !== folder) return undefined;
      return `${prefix}${posix.basename(path)}-${part}`;
    },
    load(id) {
      if (!id.startsWith(prefix)) return undefined;
      const [code = '', part] = id.slice(prefix.length).split(/-(?=\w+$)/);
      this.addWatchFile(fileOf(code));
      if (part === 'language') return describeLanguage(readLanguage(code));
      this.addWatchFile(fileOf('en'));
      const { code: module, problems } = compilePart(part, readLanguage(code), readLanguage('en'));
      if (problems.length > 0) this.error(`${fileOf(code)}:\n${problems.join('\n')}`);
      return module;
    },
  };
}

/**
 * Returns the module of a language. English is part of the page, and every other language loads when it is chosen.
 * @param {Language} language
 */
function describeLanguage({ code, name }) {
  const load = (/** @type {string} */ part) =>
    `import(${JSON.stringify(`${prefix}${code}-${part}`)}).then((module)=>module.default)`;
  const isEnglish = code === 'en';
  return `${isEnglish ? `import shell from "${prefix}en-shell";\n` : ''}export default {
code:${JSON.stringify(code)},
name:${JSON.stringify(name)},
load:()=>${isEnglish ? 'shell' : load('shell')},
loadRest:()=>${load('rest')},
};`;
}

/**
 * @param {'shell' | 'rest'} part
 * @param {Language} language
 * @param {English} english
 * @returns {{ code: string, problems: string[] }} the module of a part, and the mistakes in it
 */
export function compilePart(part, language, english) {
  const forms = new PluralForms(language.code);
  /** @type {string[]} */
  const problems = [];
  const words = compile(language[part], english[part], part);
  return { code: `${forms.code}export default ${words};`, problems };

  /**
   * @param {Words | undefined} value
   * @param {Words | undefined} reference
   * @param {string} path
   * @returns {string}
   */
  function compile(value, reference, path) {
    if (value === undefined || kindOf(value) !== kindOf(reference)) {
      problems.push(`${path}: ${kindOf(reference)} expected, not ${kindOf(value)}`);
      return '""';
    }
    if (typeof value === 'string') return compileText(value, String(reference), path);
    if (Array.isArray(value)) {
      const items = value.map((item, at) => compile(item, reference[at] ?? reference[0], `${path}.${at}`));
      return `[${items.join(',')}]`;
    }
    const isOpen = path in english.lookups && Object.keys(reference).length === 0;
    const keys = new Set(Object.keys(value));
    if (!isOpen) for (const key of Object.keys(reference)) keys.add(key);
    const entries = [...keys].map((key) => {
      const pattern = isOpen ? value[key] : reference[key];
      if (pattern === undefined) problems.push(`${path}.${key}: English has no such key`);
      return pattern === undefined
        ? ''
        : `${JSON.stringify(key)}:${compile(value[key], pattern, `${path}.${key}`)},\n`;
    });
    return `{\n${entries.join('')}}`;
  }

  /**
   * @param {string} text
   * @param {string} reference
   * @param {string} path
   */
  function compileText(text, reference, path) {
    try {
      const parts = parseMessage(text);
      const used = parametersOf(parts);
      const declared = declaredParameters(reference, path, english);
      const problem = compareParameters(used, declared);
      if (problem) problems.push(`${path}: ${problem}`);
      if (!declared) return compileMessage(parts, new Map(), forms);
      // Single letters, because a parameter may have the name of a keyword.
      const variables = new Map([...declared.keys()].map((name, at) => [name, 'abcdefghij'.charAt(at)]));
      const letters = [...variables].flatMap(([name, letter]) => (used.has(name) ? letter : []));
      const all = [...variables.values()].slice(0, [...variables.values()].indexOf(letters.at(-1) ?? '') + 1);
      return `(${all.join()})=>${compileMessage(parts, variables, forms)}`;
    } catch (error) {
      problems.push(`${path}: ${error instanceof Error ? error.message : error}`);
      return '""';
    }
  }
}

/** @param {Words | undefined} value */
const kindOf = (value) => (Array.isArray(value) ? 'a list' : value === undefined ? 'nothing' : typeof value);

/**
 * Returns the parameters of a message in order, or undefined for a message that is plain text.
 * @param {string} reference the English message
 * @param {string} path
 * @param {English} english
 * @returns {Map<string, import('./messages.js').Parameter> | undefined}
 */
function declaredParameters(reference, path, { parameters }) {
  const used = parametersOf(parseMessage(reference));
  const order = parameters[path] ?? parameters[path.replace(/[^.]+$/, '*')];
  if (!order) return used.size > 0 ? used : undefined;
  const unlisted = [...used.keys()].find((name) => !order.includes(name));
  if (unlisted) throw new Error(`{${unlisted}} is not among the declared parameters`);
  return new Map(
    order.map((name) => [name, used.get(name) ?? { type: 'text', isOptional: false, isInserted: false }]),
  );
}

/**
 * Compares the parameters of a translation with those of the English message, which must have the same types. A translation may omit a parameter that
 * English only uses to choose a form.
 * @param {ReadonlyMap<string, import('./messages.js').Parameter>} used
 * @param {ReadonlyMap<string, import('./messages.js').Parameter> | undefined} declared
 */
function compareParameters(used, declared) {
  for (const [name, { type }] of used) {
    const known = declared?.get(name);
    if (!known) return `English has no parameter {${name}}`;
    if (type !== 'text' && type !== known.type) return `{${name}} is a ${known.type}, not a ${type}`;
  }
  const missing = [...(declared ?? [])].find(([name, { isInserted }]) => isInserted && !used.has(name));
  return missing && `the parameter {${missing[0]}} is missing`;
}

/** Writes `src/ui/i18n/words.ts` if `en.json` has changed. */
export function saveTypes() {
  const file = `${folder}/words.ts`;
  const types = writeTypes(readLanguage('en'));
  if (!existsSync(file) || readFileSync(file, 'utf8') !== types) writeFileSync(file, types);
}

/**
 * Returns the TypeScript types of the messages.
 * @param {English} english
 */
export function writeTypes(english) {
  return `/** The types of the messages of \`en.json\`. scripts/languages.js writes this file; git ignores it. */

/** The messages of the first screen. */
export interface ShellWords ${typeOf(english.shell, 'shell', 0)}

/** The messages that load later, with the parts of the page that show them. */
export interface RestWords ${typeOf(english.rest, 'rest', 0)}
`;

  /**
   * @param {Words} value
   * @param {string} path
   * @param {number} depth
   * @returns {string}
   */
  function typeOf(value, path, depth) {
    const lookup = english.lookups[path];
    if (lookup) return `Readonly<Record<string, ${lookup}>>`;
    if (typeof value === 'string') return typeOfText(value, path, depth);
    if (Array.isArray(value)) {
      const item = typeOf(value[0], `${path}.0`, depth);
      return `readonly ${item}[]`;
    }
    const indent = '  '.repeat(depth + 1);
    const members = Object.entries(value).map(([key, member]) => {
      const at = `${path}.${key}`;
      const note = english.notes[at];
      const name = /^[a-z_]\w*$/i.test(key) ? key : `'${key}'`;
      return `${note ? `${indent}/** ${note} */\n` : ''}${indent}${name}: ${typeOf(member, at, depth + 1)};\n`;
    });
    return `{\n${members.join('')}${'  '.repeat(depth)}}`;
  }

  /**
   * @param {string} text
   * @param {string} path
   * @param {number} depth
   */
  function typeOfText(text, path) {
    const declared = declaredParameters(text, path, english);
    if (!declared) return 'string';
    const used = parametersOf(parseMessage(text));
    const all = [...declared];
    while (all.length > 0 && !used.has(all.at(-1)[0])) all.pop();
    const list = all.map(([name, { type, isOptional }], at) => {
      const written = type === 'text' ? 'string' : type;
      const isLast = all.slice(at).every(([, parameter]) => parameter.isOptional);
      if (isLast) return `${name}?: ${written}`;
      return `${name}: ${written}${isOptional ? ' | undefined' : ''}`;
    });
    return `(${list.join(', ')}) => string`;
  }
}

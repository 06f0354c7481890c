/** Holds a reply to one call of one tool, or to JSON of a schema: the schema as a grammar, for each kind of engine. */
import type { Constraint, Dictation, PromptMessage, ReplyRequest, ToolChoice } from '../contracts/model';
import type { JsonSchema } from '../contracts/schema';
import type { ToolSpec } from '../contracts/tool';
import type { Dialect } from './format';
import {
  literal,
  type SchemaRules,
  type TextOptions,
  textsIn,
  writeGrammar,
  writeSchema,
} from './schema-grammar';

/** One call that may be written: what stands around its arguments, and what these may be. */
interface AllowedCall extends SchemaRules {
  before: string;
  after: string;
}

/** Above it, xgrammar takes seconds to compile a grammar for a full vocabulary: it looks at all tokens for each repetition. */
const widestBound = 20;

/**
 * Undefined where the reply is free. For llama.cpp `maxTokens` of the reply bounds its texts: a character may take a token, and a
 * call that does not end is none. For WebLLM texts have no bound: the tokens of the reply are what ends it.
 */
export function constrain(
  toolChoice: ToolChoice,
  tools: readonly ToolSpec[],
  dialect: Dialect,
  maxTokens: number,
  /** Stands before the call: what closes a thought that the header of the reply has opened. */
  opening = '',
): Constraint | undefined {
  if (toolChoice === 'auto' || toolChoice === 'none') return undefined;
  const chosen =
    typeof toolChoice === 'string' ? tools : tools.filter(({ name }) => name === toolChoice.name);
  if (chosen.length === 0) return undefined;

  const calls = chosen.map(({ name, inputSchema }, index) => {
    const { before: mark, after } = dialect.frame(name);
    const before = opening + mark;
    const texts = Math.max(1, textsIn(inputSchema));
    const mostCharacters = Math.max(8, Math.floor((maxTokens - before.length - after.length) / texts));
    const write = (options: TextOptions) => ({
      before,
      after,
      ...writeSchema(inputSchema, `tool${index}`, options),
    });
    return {
      bounded: write({ mostCharacters: Math.min(mostCharacters, 400) }),
      unbounded: write({ mostCharacters: Infinity, widestBound }),
    };
  });
  return {
    jsonSchema: asJsonSchema(chosen),
    grammar: asGrammar(calls.map(({ bounded }) => bounded)),
    structuralTag: asStructuralTag(calls.map(({ unbounded }) => unbounded)),
  };
}

/** llama.cpp takes no repetition above it. */
const mostRepetitions = 2000;

/**
 * The whole reply is JSON that the schema allows. For llama.cpp its texts share `room`, the tokens of all that may be written; for
 * WebLLM they have no bound.
 */
export function constrainAnswer(schema: JsonSchema, room: number, opening = ''): Constraint {
  const texts = Math.max(1, textsIn(schema));
  const mostCharacters = Math.min(Math.max(8, Math.floor(room / texts)), mostRepetitions);
  const write = (options: TextOptions) => {
    const { value, rules } = writeSchema(schema, 'answer', options);
    return writeGrammar(opening === '' ? value : `${literal(opening)} ${value}`, rules);
  };
  const grammar = write({ mostCharacters: Infinity, widestBound });
  return {
    jsonSchema: schema,
    grammar: write({ mostCharacters, widestBound: mostRepetitions }),
    structuralTag: { type: 'structural_tag', format: { type: 'grammar', grammar } },
  };
}

/** A call without what stands around it: the reader knows it by its name and arguments. */
function asJsonSchema(tools: readonly ToolSpec[]): JsonSchema {
  const calls = tools.map(({ name, inputSchema }) => ({
    type: 'object',
    properties: { name: { const: name }, arguments: inputSchema },
    required: ['name', 'arguments'],
    additionalProperties: false,
  }));
  return calls.length === 1 && calls[0] ? calls[0] : { anyOf: calls };
}

function asGrammar(calls: readonly AllowedCall[]): string {
  const root = calls.map(({ before, value, after }) => `${literal(before)} ${value} ${literal(after)}`);
  return writeGrammar(root.join(' | '), new Map(calls.flatMap(({ rules }) => [...rules])));
}

/** The bodies as grammars too: as `json_schema` they could be filled with blanks for ever. */
function asStructuralTag(calls: readonly AllowedCall[]): Constraint['structuralTag'] {
  const elements = calls.map(({ before, value, rules, after }) => ({
    type: 'tag' as const,
    begin: before,
    content: { type: 'grammar' as const, grammar: writeGrammar(value, rules) },
    end: after,
  }));
  return { type: 'structural_tag', format: { type: 'or', elements } };
}

//# PURE: the grammar for a free reply of a very small model. The reply is prose, or calls of offered tools whose arguments fit
//# their schemas. A text argument is copied from the chat, where it may be continued by words of the newest message ("weather in
//# Rome", "and in Oslo?"). The model chooses between prose and a call: it calls where a call is likelier than all prose together.

/** Each is a rule of the grammar, and may be where a copy begins: a long list is slow. */
const mostWords = 400;
/** The length of a text that is not copied. */
const mostCharacters = 200;

/** Prose may not open a tag: so calls begin, and nothing else. */
const callBegins = '<';

/**
 * `messages` are those of the prompt. Without tools it is prose. A chat whose newest message is too long to copy from leaves texts free. A call
 * of a tool that is in `copiedCalls` has these arguments to the letter.
 */
export function constrainReply(
  messages: readonly PromptMessage[],
  tools: readonly ToolSpec[],
  dialect: Dialect,
  copiedCalls: ReplyRequest['copied'] = {},
): Constraint {
  const { prose, rules: proseRules } = proseFor(messages);
  if (tools.length === 0) return constraintOf(writeGrammar(prose, proseRules));
  const rules = writeSpans(messages.filter(({ role }) => role === 'user' || role === 'tool'));
  for (const [rule, expression] of proseRules) rules.set(rule, expression);
  const copied = rules.has('copy') ? String.raw`"\"" copy "\""` : undefined;
  const calls = tools.map(({ name, inputSchema, composedArguments = [] }, index) => {
    const { before, after } = dialect.frame(name);
    const given = copiedCalls[name];
    if (given) return literal(before + JSON.stringify(given) + after);
    const textOf = (field: string) => (composedArguments.includes(field) ? undefined : copied);
    const written = writeSchema(inputSchema, `tool${index}`, { mostCharacters, textOf });
    for (const [rule, expression] of written.rules) rules.set(rule, expression);
    return `${literal(before)} ${written.value} ${literal(after)}`;
  });
  rules.set('call', calls.join(' | '));
  return { ...constraintOf(writeGrammar(`(${prose}) | call ("\\n" call)*`, rules)), majorityFor: callBegins };
}

function constraintOf(grammar: string): Constraint {
  return { grammar, structuralTag: { type: 'structural_tag', format: { type: 'grammar', grammar } } };
}

/**
 * The rule `copy`: words that follow one another in one message, as they stand, without the marks around them; where the
 * newest request has one before it, words of it may come behind them.
 */
function writeSpans(messages: readonly PromptMessage[]): Map<string, string> {
  const rules = new Map<string, string>();
  const requests: string[][] = [];
  for (const { role, content } of messages.toReversed()) {
    const words = wordsIn(content);
    const first = rules.size;
    if (first + words.length > mostWords) break;
    if (role === 'user') requests.push(words.map((_, index) => `w${first + index}`));
    words.forEach(({ text, gap }, index) => {
      const next = first + index + 1;
      const on = index + 1 < words.length ? [`${literal(escape(text + gap))} w${next}`] : [];
      const ends = new Set([text, text.replace(closing, '')].filter((end) => end !== ''));
      rules.set(`w${next - 1}`, [...on, ...Array.from(ends, (end) => literal(escape(end)))].join(' | '));
    });
  }
  if (rules.size === 0) return rules;
  rules.set('span', [...rules.keys()].join(' | '));
  const [newest = [], before = []] = requests;
  const goesOn = newest.length > 0 && before.length > 0;
  if (goesOn) rules.set('newest', newest.join(' | '));
  rules.set('copy', goesOn ? 'span (" "? newest)?' : 'span');
  return rules;
}

/** A Chinese character, or what stands between blanks: an address too. What opens a quotation or a bracket is no part. */
const word = /\p{Script=Han}|[^\s\p{Script=Han}"'‘“«([<「『《（，。！？、；：]+/gu;
/** Characters that close a sentence, a quotation or a bracket, and are mostly no part of the word before them. */
const closing = /["'’”»)\].,:;!?。，、！？；：”」』》）]+$/u;

function wordsIn(text: string): { text: string; gap: string }[] {
  const found = Array.from(text.matchAll(word), ({ 0: letters, index }) => ({ letters, index }));
  return found.map(({ letters, index }, at) => ({
    text: letters,
    gap: text.slice(index + letters.length, found[at + 1]?.index),
  }));
}

/** The text as it is escaped between the quotation marks of JSON. */
function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

//# PURE: the grammar for the prose of a very small model. It opens no tag and holds no Chinese where the model has read none. After the
//# result of a tool it holds only numbers that the model has read, and no debris: what it opens it closes, and it ends neither with a label nor
//# on the way to something, as with blanks without end.

/** More would make the grammar slow; a page of tables has them. */
const mostNumbers = 200;
/** Chinese, Japanese and their marks. */
const hanRanges = String.raw`\u2E80-\u9FFF\uF900-\uFAFF`;

interface ProseGrammar {
  /** Matches the prose, by the rules it names. */
  prose: string;
  rules: ReadonlyMap<string, string>;
}

/** `messages` are those of the prompt. */
export function proseFor(messages: readonly PromptMessage[]): ProseGrammar {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const turn = messages.slice(Math.max(asked, 0)).filter(({ role }) => role !== 'system');
  const read = turn.map(({ content }) => content).join('\n');
  const isForeign = /[\u2E80-\u9FFF\uF900-\uFAFF]/.test(read);
  const never = isForeign ? '<' : `<${hanRanges}`;
  if (messages.at(-1)?.role !== 'tool') return { prose: `[^${never}] [^${never}]*`, rules: new Map() };
  return { prose: 'prose', rules: clean(never, new Set(read.match(/\d+/g) ?? [])) };
}

/** They hold something, or belong to a structure that is no prose: outside of pairs there are none. */
const marks = String.raw`{}()"“”「」『』《》（）【】|\\\x60\x5B\x5D`;
const pairs = ['()', '""', '“”', '「」', '『』', '《》', '（）', '【】', '``'].map((pair) => [
  pair.charAt(0),
  pair.charAt(1),
]);
const blanks = String.raw` \n\r\t\x0B\x0C\u00A0\u2000-\u200D\u3000`;
/** After these something is to come. */
const openEnds = String.raw`*:;,=/&+_#：；，、\x2D`;

function clean(never: string, numbers: ReadonlySet<string>): Map<string, string> {
  const isHeld = numbers.size > 0 && numbers.size <= mostNumbers;
  const digits = isHeld ? '0-9' : '';
  const rules = new Map([
    // No two numbers side by side: they would be another one.
    ['prose', 'gap? bare'],
    ['bare', isHeld ? 'number after? | last | part prose' : 'last | part prose'],
    ['gap', `[${blanks}]{1,2}`],
    ['part', `[^${digits}${never}${marks}${blanks}] | pair`],
    ['last', `[^${digits}${never}${marks}${blanks}${openEnds}] | pair`],
    ['pair', pairs.map(([open = '', close = '']) => `${literal(open)} inner ${literal(close)}`).join(' | ')],
    ['inner', isHeld ? 'number within? | within' : 'within'],
    ['within', isHeld ? 'letter inner?' : 'letter within?'],
    ['letter', String.raw`[^\n${digits}${never}${marks}]`],
  ]);
  if (!isHeld) return rules;
  rules.set('after', 'gap bare | last | part prose');
  rules.set('number', Array.from(numbers, literal).join(' | '));
  return rules;
}

//# Holds a reply to the letter: to calls that the page has read in the request, or to a text. For a very small model, which copies with slips.

export function dictate(dictation: Dictation, dialect: Dialect): Constraint {
  const text = 'text' in dictation ? dictation.text : writeCalls(dictation.calls, dialect);
  const grammar = `root ::= ${literal(text)}`;
  return { grammar, structuralTag: { type: 'structural_tag', format: { type: 'grammar', grammar } } };
}

function writeCalls(calls: Extract<Dictation, { calls: unknown }>['calls'], dialect: Dialect): string {
  return calls
    .map(({ name, arguments: given }) => {
      const { before, after } = dialect.frame(name);
      return before + JSON.stringify(given) + after;
    })
    .join('\n');
}

/** Constrains a reply with a grammar: to a call, to JSON of a schema, to exact text or, for a very small model, to prose or calls. */
import type { Constraint, DictatedReply, PromptMessage, ReplyRequest, ToolChoice } from '../contracts/model';
import type { JsonSchema } from '../contracts/schema';
import type { ToolSpec } from '../contracts/tool';
import type { Dialect } from './format';
import {
  countFreeTexts,
  toLiteral,
  type GrammarTextOptions,
  writeGrammar,
  writeSchemaRules,
} from './schema-grammar';
import { writeInFrame } from './teach';

type AllowedCall = ReturnType<typeof writeSchemaRules> & { before: string; after: string };

/** Maximum bound of a repetition such as `{0,20}`. xgrammar needs seconds for higher ones: it checks all tokens for each repetition. */
const maxRepetitionBound = 20;

/** Constrains a reply to tool calls. Undefined if it need not be a call. The grammar for llama.cpp also keeps a call within `maxTokens`. */
export function constrainToCall(
  toolChoice: ToolChoice,
  tools: readonly ToolSpec[],
  dialect: Dialect,
  maxTokens: number,
  /** Text before the call. It closes the model's thought if the prompt ends inside one, for example after `<think>`. */
  opening = '',
): Constraint | undefined {
  if (toolChoice === 'auto' || toolChoice === 'none') return undefined;
  const chosen =
    typeof toolChoice === 'string' ? tools : tools.filter(({ name }) => name === toolChoice.name);
  if (chosen.length === 0) return undefined;

  const calls = chosen.map(({ name, inputSchema }, index) => {
    const { before: mark, after } = dialect.frame(name);
    const before = opening + mark;
    const texts = Math.max(1, countFreeTexts(inputSchema));
    const characters = Math.max(8, Math.floor((maxTokens - before.length - after.length) / texts));
    const write = (options: GrammarTextOptions): AllowedCall => {
      return { before, after, ...writeSchemaRules(inputSchema, `tool${index}`, options) };
    };
    return {
      bounded: write({ maxCharacters: Math.min(characters, 400) }),
      unbounded: write({ maxCharacters: Infinity, maxBound: maxRepetitionBound }),
    };
  });
  return {
    jsonSchema: toJsonSchema(chosen),
    grammar: toGrammar(calls.map(({ bounded }) => bounded)),
    structuralTag: toStructuralTag(calls.map(({ unbounded }) => unbounded)),
  };
}

const maxLlamaRepetitionBound = 2000;

/** Constrains the whole reply to JSON of a schema. The grammar for llama.cpp also keeps all texts together within `room` tokens. */
export function constrainAnswer(schema: JsonSchema, room: number, opening = ''): Constraint {
  const texts = Math.max(1, countFreeTexts(schema));
  const characters = Math.min(Math.max(8, Math.floor(room / texts)), maxLlamaRepetitionBound);
  const write = (options: GrammarTextOptions) => {
    const { value, rules } = writeSchemaRules(schema, 'answer', options);
    return writeGrammar(opening === '' ? value : `${toLiteral(opening)} ${value}`, rules);
  };
  return {
    ...toConstraint(write({ maxCharacters: Infinity, maxBound: maxRepetitionBound })),
    jsonSchema: schema,
    grammar: write({ maxCharacters: characters, maxBound: maxLlamaRepetitionBound }),
  };
}

function toJsonSchema(tools: readonly ToolSpec[]): JsonSchema {
  const calls = tools.map(({ name, inputSchema }) => ({
    type: 'object',
    properties: { name: { const: name }, arguments: inputSchema },
    required: ['name', 'arguments'],
    additionalProperties: false,
  }));
  return calls.length === 1 && calls[0] ? calls[0] : { anyOf: calls };
}

function toGrammar(calls: readonly AllowedCall[]): string {
  const root = calls.map(({ before, value, after }) => `${toLiteral(before)} ${value} ${toLiteral(after)}`);
  return writeGrammar(root.join(' | '), new Map(calls.flatMap(({ rules }) => [...rules])));
}

/** Writes the arguments as grammars: with `json_schema`, the model could write whitespace forever. */
function toStructuralTag(calls: readonly AllowedCall[]): Constraint['structuralTag'] {
  const elements = calls.map(({ before, value, rules, after }) => ({
    type: 'tag' as const,
    begin: before,
    content: { type: 'grammar' as const, grammar: writeGrammar(value, rules) },
    end: after,
  }));
  return { type: 'structural_tag', format: { type: 'or', elements } };
}

/** Maximum number of words in the chat that arguments may copy from. A copy may start at each of them, so more would be slow. */
const maxCopiedWords = 400;
const maxArgumentCharacters = 200;

/** The character that opens a call. Prose must not contain it. */
const callOpener = '<';

/**
 * Writes the grammar for a free reply of a very small model: prose or calls. The model copies text arguments from `messages` ("weather in
 * Rome", "and in Oslo?"). If the newest message is too long to copy from, the model writes these arguments freely. A call of a tool in
 * `copiedCalls` must have exactly the arguments given there.
 */
export function constrainReply(
  messages: readonly PromptMessage[],
  tools: readonly ToolSpec[],
  dialect: Dialect,
  copiedCalls: ReplyRequest['copied'] = {},
): Constraint {
  const { prose, rules: proseRules } = writeProseGrammar(messages);
  if (tools.length === 0) return toConstraint(writeGrammar(prose, proseRules));
  const spans = writeCopyRules(messages.filter(({ role }) => role === 'user' || role === 'tool'));
  const rules = new Map([...spans, ...proseRules]);
  const copied = rules.has('copy') ? String.raw`"\"" copy "\""` : undefined;
  const calls = tools.map(({ name, inputSchema, composedArguments = [] }, index) => {
    const given = copiedCalls[name];
    if (given) return toLiteral(writeInFrame({ name, arguments: given }, dialect.frame));
    const { before, after } = dialect.frame(name);
    const textOf = (field: string) => (composedArguments.includes(field) ? undefined : copied);
    const options = { maxCharacters: maxArgumentCharacters, textOf };
    const written = writeSchemaRules(inputSchema, `tool${index}`, options);
    for (const [rule, expression] of written.rules) rules.set(rule, expression);
    return `${toLiteral(before)} ${written.value} ${toLiteral(after)}`;
  });
  rules.set('call', calls.join(' | '));
  return { ...toConstraint(writeGrammar(`(${prose}) | call ("\\n" call)*`, rules)), majorityFor: callOpener };
}

/**
 * The rule for text without a call: no JSON object, and no tag, because a small model that may not write `<tool_call>` writes `<answer>`.
 * `<think>` may open a thought. The rule has no recursion, because xgrammar would keep a state for each character.
 */
const wordsGrammar = String.raw`root ::= ([^<{] | "<" ("think" | "/think" | [ 0-9=]) | "{" [^" \n\t\r<{])*`;

/** Constrains the reply of a model that could call tools to words. */
export function constrainToWords(): Constraint {
  return toConstraint(wordsGrammar);
}

/** Constrains only the beginning: the reply must not begin with a tag or an object, except a thought. Code may follow. */
const openingGrammar = String.raw`root ::= [ \n\t\r]* ([^<{[ \n\t\r] | "<think") ([^<] | "<")*`;

export function constrainOpeningToWords(): Constraint {
  return toConstraint(openingGrammar);
}

function toConstraint(grammar: string): Constraint {
  return { grammar, structuralTag: { type: 'structural_tag', format: { type: 'grammar', grammar } } };
}

/** Writes the rule `copy`: consecutive words of one message. Words of the newest user message may follow them. */
function writeCopyRules(messages: readonly PromptMessage[]): Map<string, string> {
  const rules = new Map<string, string>();
  const requests: string[][] = [];
  for (const { role, content } of messages.toReversed()) {
    const words = splitWords(content);
    const first = rules.size;
    if (first + words.length > maxCopiedWords) break;
    if (role === 'user') requests.push(words.map((_, index) => `w${first + index}`));
    words.forEach(({ text, gap }, index) => {
      const next = first + index + 1;
      const on = index + 1 < words.length ? [`${toLiteral(escapeForJson(text + gap))} w${next}`] : [];
      const ends = new Set([text, text.replace(closingMarksPattern, '')].filter((end) => end !== ''));
      const endings = Array.from(ends, (end) => toLiteral(escapeForJson(end)));
      rules.set(`w${next - 1}`, [...on, ...endings].join(' | '));
    });
  }
  if (rules.size === 0) return rules;
  rules.set('span', [...rules.keys()].join(' | '));
  const [newest = [], before = []] = requests;
  const isContinued = newest.length > 0 && before.length > 0;
  if (isContinued) rules.set('newest', newest.join(' | '));
  rules.set('copy', isContinued ? 'span (" "? newest)?' : 'span');
  return rules;
}

/** A Chinese character, or a run of non-whitespace characters without opening quotes and brackets. */
const wordPattern = /\p{Script=Han}|[^\s\p{Script=Han}"'‘“«([<「『《（，。！？、；：]+/gu;
const closingMarksPattern = /["'’”»)\].,:;!?。，、！？；：”」』》）]+$/u;

function splitWords(text: string): { text: string; gap: string }[] {
  const found = Array.from(text.matchAll(wordPattern), ({ 0: letters, index }) => ({ letters, index }));
  return found.map(({ letters, index }, at) => ({
    text: letters,
    gap: text.slice(index + letters.length, found[at + 1]?.index),
  }));
}

function escapeForJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** If the turn has more numbers than this, the reply may contain any number, because a long list would slow down the grammar. */
const maxAllowedNumbers = 200;
const chineseCharacterRanges = String.raw`\u2E80-\u9FFF\uF900-\uFAFF`;

/**
 * Writes the grammar for text of a very small model: no tags, and no Chinese if the current turn has none. After a tool result, brackets
 * must be paired, all numbers must come from the current turn, and the text must not end unfinished, such as with a colon.
 */
export function writeProseGrammar(messages: readonly PromptMessage[]) {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const turn = messages.slice(Math.max(asked, 0)).filter(({ role }) => role !== 'system');
  const read = turn.map(({ content }) => content).join('\n');
  const isForeign = /[\u2E80-\u9FFF\uF900-\uFAFF]/.test(read);
  const never = isForeign ? '<' : `<${chineseCharacterRanges}`;
  if (messages.at(-1)?.role !== 'tool')
    return { prose: `[^${never}] [^${never}]*`, rules: new Map<string, string>() };
  return { prose: 'prose', rules: writeProseRules(never, new Set(read.match(/\d+/g) ?? [])) };
}

const pairedCharacters = String.raw`{}()"“”「」『』《》（）【】|\\\x60\x5B\x5D`;
const bracketPairs = ['()', '""', '“”', '「」', '『』', '《》', '（）', '【】', '``'];
const whitespaceCharacters = String.raw` \n\r\t\x0B\x0C\u00A0\u2000-\u200D\u3000`;
const unfinishedEndings = String.raw`*:;,=/&+_#：；，、\x2D`;

function writeProseRules(never: string, numbers: ReadonlySet<string>): Map<string, string> {
  const isHeld = numbers.size > 0 && numbers.size <= maxAllowedNumbers;
  const digits = isHeld ? '0-9' : '';
  const pairs = bracketPairs.map(([open = '', close = '']) => `${toLiteral(open)} inner ${toLiteral(close)}`);
  const rules = new Map([
    // Keep numbers apart, because two adjacent numbers would form a third one.
    ['prose', 'gap? bare'],
    ['bare', isHeld ? 'number after? | last | part prose' : 'last | part prose'],
    ['gap', `[${whitespaceCharacters}]{1,2}`],
    ['part', `[^${digits}${never}${pairedCharacters}${whitespaceCharacters}] | pair`],
    ['last', `[^${digits}${never}${pairedCharacters}${whitespaceCharacters}${unfinishedEndings}] | pair`],
    ['pair', pairs.join(' | ')],
    ['inner', isHeld ? 'number within? | within' : 'within'],
    ['within', isHeld ? 'letter inner?' : 'letter within?'],
    ['letter', String.raw`[^\n${digits}${never}${pairedCharacters}]`],
  ]);
  if (!isHeld) return rules;
  rules.set('after', 'gap bare | last | part prose');
  rules.set('number', Array.from(numbers, toLiteral).join(' | '));
  return rules;
}

/** Constrains a reply to exactly these calls or this text, because very small models make mistakes when they copy. */
export function constrainToDictation(dictation: DictatedReply, dialect: Dialect): Constraint {
  const texts =
    'text' in dictation ? [dictation.text] : dictation.calls.map((call) => writeInFrame(call, dialect.frame));
  return toConstraint(`root ::= ${toLiteral(texts.join('\n'))}`);
}

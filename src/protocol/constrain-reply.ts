/**
 * PURE: the grammar for a free reply of a very small model. The reply is prose, or calls of offered tools whose arguments fit
 * their schemas. A text argument is copied from the chat, where it may be continued by words of the newest message ("weather in
 * Rome", "and in Oslo?"). The model chooses between prose and a call: it calls where a call is likelier than all prose together.
 */
import type { Constraint, PromptMessage, ReplyRequest } from '../contracts/model';
import type { ToolSpec } from '../contracts/tool';
import type { Dialect } from './format';
import { proseFor } from './constrain-prose';
import { literal, writeGrammar, writeSchema } from './schema-grammar';

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

/**
 * PURE: a summary without a model: the user's statements about themselves and other facts, word for word, and the newest questions with answers.
 * It is always made from the whole chat, so no detail is lost by repeated summarising.
 */
import { type AssistantMessage, type Message, pageWriter } from '../../contracts/message';
import { textOf } from '../../contracts/message-parts';
import { beginningWithin } from '../../text/cut';
import { searchTerms } from '../../text/search-terms';
import { sentencesIn, type Statement, statementsIn } from './statements';

/** The share of the summary for statements. */
const statementShare = 0.7;
const longestQuestion = 80;
const longestAnswer = 140;

/** Returns at most `maxCharacters` characters; '' if there is nothing to keep. */
export function summariseByRule(messages: readonly Message[], maxCharacters: number): string {
  const isChinese = /\p{Script=Han}/u.test(newestText(messages));
  const words = isChinese ? chinese : english;
  const said = section(words.said, chooseStatements(messages, maxCharacters * statementShare));
  const room = maxCharacters - said.length - (said === '' ? 0 : 1);
  const asked = section(words.asked, chooseAnswers(messages, room - words.asked.length));
  return [said, asked].filter((text) => text !== '').join('\n');
}

/**
 * Returns the user's statements that a summary lacks, to append to it, because models leave out what looks like small talk. At most
 * `maxCharacters` characters.
 */
export function unsaidIn(summary: string, messages: readonly Message[], maxCharacters: number): string {
  const words = /\p{Script=Han}/u.test(summary) ? chinese : english;
  const lower = summary.toLowerCase();
  const there = new Set(searchTerms(summary));
  const isThere = (text: string) => {
    const terms = searchTerms(text);
    const shared = terms.filter((term) => there.has(term)).length;
    return shared >= terms.length / 2 && telling(text).every((word) => lower.includes(word));
  };
  const missing = statementsIn(messages).filter(({ text, weight }) => weight > 1 && !isThere(text));
  return section(words.said, fit(missing, maxCharacters - words.said.length));
}

const english = { said: 'The person said:', asked: 'Asked and answered:' };
const chinese = { said: '用户说过：', asked: '问过和答过：' };

function section(head: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [head, ...lines].join('\n');
}

function chooseStatements(messages: readonly Message[], maxCharacters: number): string[] {
  // Requests are left out here, because they are listed with their answers below.
  return fit(
    statementsIn(messages).filter(({ weight }) => weight > 1),
    maxCharacters,
  );
}

/** Picks statements by weight, then newest first. Returns each one once, in their original order. */
function fit(statements: readonly Statement[], maxCharacters: number): string[] {
  const last = new Map(statements.map(({ text }, at) => [text.toLowerCase(), at]));
  const order = statements
    .map((statement, at) => ({ ...statement, at }))
    .filter(({ text, at }) => last.get(text.toLowerCase()) === at)
    .sort((one, other) => other.weight - one.weight || other.at - one.at);
  let left = maxCharacters;
  const chosen = order.filter(({ text }) => {
    const cost = text.length + 3;
    if (cost > left) return false;
    left -= cost;
    return true;
  });
  return chosen.sort((one, other) => one.at - other.at).map(({ text }) => `- ${text}`);
}

interface Answer {
  said: string;
  /** Whether a tool was called for this answer. */
  isFound: boolean;
}

/** Picks answers with a tool's result first, then the newest. In the order of the chat. */
function chooseAnswers(messages: readonly Message[], maxCharacters: number): string[] {
  const pairs = [...answersIn(messages)].map(([asked, { said, isFound }], at) => ({
    ...{ line: `- ${asked} → ${said}`, isFound, at },
  }));
  const order = pairs.toSorted(
    (one, other) => Number(other.isFound) - Number(one.isFound) || other.at - one.at,
  );
  let left = maxCharacters;
  const chosen = order.filter(({ line }) => {
    if (line.length + 1 > left) return false;
    left -= line.length + 1;
    return true;
  });
  return chosen.sort((one, other) => one.at - other.at).map(({ line }) => line);
}

/** Groups answers by question. A repeated question keeps its newest answer. */
function answersIn(messages: readonly Message[]): Map<string, Answer> {
  const answers = new Map<string, Answer>();
  let question = '';
  let answer: AssistantMessage | undefined;
  let isFound = false;
  const end = () => {
    const said = answer && answer.writer !== pageWriter ? oneLine(answer, longestAnswer) : '';
    if (question === '' || said === '') return;
    answers.delete(question);
    answers.set(question, { said, isFound });
  };
  for (const message of messages) {
    if (message.role === 'user') {
      end();
      question = shorten(textOf(message.content), longestQuestion);
      answer = undefined;
      isFound = false;
    } else if (message.role === 'assistant') answer = message;
    else if (message.role === 'tool') isFound ||= message.results.some(({ isError }) => !isError);
  }
  end();
  return answers;
}

function oneLine({ content }: AssistantMessage, most: number): string {
  const [first = '', second = ''] = sentencesIn(textOf(content));
  return shorten(first.length + second.length < most ? `${first} ${second}`.trim() : first, most);
}

function shorten(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${beginningWithin(line, most - 1)}…`;
}

/** Names and numbers. The first word of a sentence does not count, since it always has a capital. */
function telling(text: string): string[] {
  const found = text.matchAll(/(?<!^|[.!?]\s)\b\p{Lu}[\p{L}'’-]+|\d[\d.,:]*/gu);
  return Array.from(found, ([word]) => word.toLowerCase().replace(/[.,:]$/, ''));
}

function newestText(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === 'user');
  return last?.role === 'user' ? textOf(last.content) : '';
}

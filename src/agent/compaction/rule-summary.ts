/**
 * PURE: a summary without a model: what the person said of themselves and told as a fact, word for word, and the newest questions with
 * their answers. Made anew from the whole chat each time, so nothing wears off from summary to summary.
 */
import { type AssistantMessage, type Message, pageWriter } from '../../contracts/message';
import { textOf } from '../../contracts/message-parts';
import { beginningWithin } from '../../text/cut';
import { searchTerms } from '../../text/search-terms';
import { sentencesIn, type Statement, statementsIn } from './statements';

/** Of the room, what statements may take. */
const statementShare = 0.7;
const longestQuestion = 80;
const longestAnswer = 140;

/** At most so many characters. Empty where there is nothing to keep. */
export function summariseByRule(messages: readonly Message[], maxCharacters: number): string {
  const isChinese = /\p{Script=Han}/u.test(newestText(messages));
  const words = isChinese ? chinese : english;
  const said = section(words.said, chooseStatements(messages, maxCharacters * statementShare));
  const room = maxCharacters - said.length - (said === '' ? 0 : 1);
  const asked = section(words.asked, chooseAnswers(messages, room - words.asked.length));
  return [said, asked].filter((text) => text !== '').join('\n');
}

/**
 * What the person said of themselves or told as a fact that a summary does not have, to stand below it: a model leaves out what it takes
 * for small talk.
 * At most so many characters.
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
  // A request is told with its answer below.
  return fit(
    statementsIn(messages).filter(({ weight }) => weight > 1),
    maxCharacters,
  );
}

/** The weightiest first, of these the newest; each once, and in the order in which they were said. */
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
  /** A tool had a part in it. */
  isFound: boolean;
}

/** What tools found first, of these and of the rest the newest; in the order of the chat. */
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

/** By their question: one that was asked again is told once, with its newest answer. */
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

/** Its names and numbers; the first word of a sentence has a capital whatever it is. */
function telling(text: string): string[] {
  const found = text.matchAll(/(?<!^|[.!?]\s)\b\p{Lu}[\p{L}'’-]+|\d[\d.,:]*/gu);
  return Array.from(found, ([word]) => word.toLowerCase().replace(/[.,:]$/, ''));
}

function newestText(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === 'user');
  return last?.role === 'user' ? textOf(last.content) : '';
}

/** PURE: summarizes a whole chat without a model: the user's statements word for word, and the newest questions with their answers. */
import { type AssistantMessage, type Message, pageWriterId } from '../../contracts/message';
import { textOf } from '../../contracts/message-parts';
import { ownTextOf } from '../../contracts/provenance';
import { cutBeginning } from '../../text/cut';
import { findRequest } from '../offer-tools';
import { searchTerms } from '../../text/search-terms';

const reservedStatementShare = 0.7;
const maxQuestionCharacters = 80;
const maxAnswerCharacters = 140;

/** Returns '' if there is nothing to keep. */
export function summarizeByRule(messages: readonly Message[], maxCharacters: number): string {
  const isChinese = /\p{Script=Han}/u.test(findRequest(messages));
  const words = isChinese ? chineseHeadings : englishHeadings;
  const said = writeSection(
    words.said,
    pickStatements(statementsIn(messages), maxCharacters * reservedStatementShare),
  );
  const room = maxCharacters - said.length - (said === '' ? 0 : 1);
  const asked = writeSection(words.asked, chooseAnswers(messages, room - words.asked.length));
  return [said, asked].filter((text) => text !== '').join('\n');
}

/** Returns the user's statements that a model's summary lacks. Models omit statements that look like small talk. */
export function findMissingStatements(summary: string, messages: readonly Message[], maxCharacters: number) {
  const words = /\p{Script=Han}/u.test(summary) ? chineseHeadings : englishHeadings;
  const lower = summary.toLowerCase();
  const there = new Set(searchTerms(summary));
  const isThere = (text: string) => {
    const terms = searchTerms(text);
    const shared = terms.filter((term) => there.has(term)).length;
    return shared >= terms.length / 2 && findNamesAndNumbers(text).every((word) => lower.includes(word));
  };
  const missing = statementsIn(messages).filter(({ text }) => !isThere(text));
  return writeSection(words.said, pickStatements(missing, maxCharacters - words.said.length));
}

const englishHeadings = { said: 'The person said:', asked: 'Asked and answered:' };
const chineseHeadings = { said: '用户说过：', asked: '问过和答过：' };

function writeSection(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [heading, ...lines].join('\n');
}

/** Picks statements by weight, then newest first, without duplicates. Returns them in the order of the chat. */
function pickStatements(statements: readonly Statement[], maxCharacters: number): string[] {
  // Skip requests: the summary lists them separately, with their answers.
  const weighty = statements.filter(({ weight }) => weight > 1);
  const last = new Map(weighty.map(({ text }, at) => [text.toLowerCase(), at]));
  const order = weighty
    .map((statement, at) => ({ ...statement, at }))
    .filter(({ text, at }) => last.get(text.toLowerCase()) === at)
    .sort((one, other) => other.weight - one.weight || other.at - one.at);
  return pickFittingLines(
    order.map(({ text, at }) => ({ line: `- ${text}`, at })),
    maxCharacters,
  );
}

/** Goes through the lines in the given order and picks each that still fits. Returns them in the order of the chat (`at`). */
function pickFittingLines(lines: readonly { line: string; at: number }[], maxCharacters: number): string[] {
  let left = maxCharacters;
  const picked = lines.filter(({ line }) => {
    if (line.length + 1 > left) return false;
    left -= line.length + 1;
    return true;
  });
  return picked.sort((one, other) => one.at - other.at).map(({ line }) => line);
}

interface Answer {
  said: string;
  isFound: boolean;
}

/** Prefers answers based on a tool result, then newer ones. Returns them in the order of the chat. */
function chooseAnswers(messages: readonly Message[], maxCharacters: number): string[] {
  const pairs = [...collectAnswers(messages)].map(([asked, { said, isFound }], at) => ({
    line: `- ${asked} → ${said}`,
    isFound,
    at,
  }));
  const order = pairs.toSorted(
    (one, other) => Number(other.isFound) - Number(one.isFound) || other.at - one.at,
  );
  return pickFittingLines(order, maxCharacters);
}

function collectAnswers(messages: readonly Message[]): Map<string, Answer> {
  const answers = new Map<string, Answer>();
  let question = '';
  let answer: AssistantMessage | undefined;
  let isFound = false;
  const end = () => {
    const said =
      answer && answer.writer !== pageWriterId ? shortenToOneLine(answer, maxAnswerCharacters) : '';
    if (question === '' || said === '') return;
    answers.delete(question);
    answers.set(question, { said, isFound });
  };
  for (const message of messages) {
    if (message.role === 'user') {
      end();
      question = shorten(textOf(message.content), maxQuestionCharacters);
      answer = undefined;
      isFound = false;
    } else if (message.role === 'assistant') answer = message;
    else if (message.role === 'tool') isFound ||= message.results.some(({ isError }) => !isError);
  }
  end();
  return answers;
}

function shortenToOneLine({ content }: AssistantMessage, maxLength: number): string {
  const [first = '', second = ''] = splitSentences(textOf(content).slice(0, maxMessageCharacters));
  return shorten(first.length + second.length < maxLength ? `${first} ${second}`.trim() : first, maxLength);
}

function shorten(text: string, maxLength: number): string {
  // Cut first: to replace the blanks of a text of several megabytes takes too long.
  const line = text
    .slice(0, maxMessageCharacters + maxLength)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= maxLength ? line : `${cutBeginning(line, maxLength - 1)}…`;
}

/** Skips the first word of a sentence, which is always capitalized. */
function findNamesAndNumbers(text: string): string[] {
  const found = text.matchAll(/(?<!^|[.!?]\s)\b\p{Lu}[\p{L}'’-]+|\d[\d.,:]*/gu);
  return Array.from(found, ([word]) => word.toLowerCase().replace(/[.,:]$/, ''));
}

interface Statement {
  text: string;
  /** 3: about the user, or meant to be remembered. 2: has a number, a day or a decision. 1: anything else. */
  weight: 1 | 2 | 3;
}

const maxMessageCharacters = 2000;
const maxStatementCharacters = 160;
const maxSentences = 8;

export function statementsIn(messages: readonly Message[]): Statement[] {
  return messages.flatMap((message) => {
    const text = message.role === 'user' ? ownTextOf(message) : '';
    if (text.length > maxMessageCharacters) return [];
    const sentences = splitSentences(text);
    return sentences.flatMap((sentence) => {
      if (
        sentence.length > maxStatementCharacters ||
        questionPattern.test(sentence) ||
        !/[\p{L}\p{N}]/u.test(sentence)
      ) {
        return [];
      }
      const weight = weightOf(sentence);
      return [{ text: sentence, weight: weight === 2 && sentences.length > maxSentences ? 1 : weight }];
    });
  });
}

function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?…]["'”’)]?)\s+|(?<=[。！？；])|\n+/)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');
}

const questionPattern =
  /[?？]\s*$|^(?:who|what|when|where|which|whose|why|how|is|are|was|were|did|does|do|can|could|will|would|should|has|have)\b(?!.*\bmy name is\b)|[吗呢]\s*[。！]?$|什么|多少|几点|怎么|为什么|哪[里儿个]/i;

/** Matches requests such as "explain tides". A summary can skip them, because the answer names their topic. */
const imperativePattern =
  /^(?:please |can you |and |now |ok(?:ay)?,? )*(?:tell|show|give|explain|describe|write|search|find|look|read|open|fetch|calculate|compute|convert|translate|summari[sz]e|list|compare|repeat|say|check|make|help|draw|set|turn|send|add|go on|continue)\b|^(?:请|帮|给我|告诉|讲|说说|查|搜|算|翻译|总结|打开|写|列)/i;

const aboutUserPattern = new RegExp(
  [
    String.raw`\b(?:my|our)\b.{1,60}?\b(?:is|are|was|were|will be|called|starts?|begins?|leaves?|lives?|has|have|turns)\b`,
    String.raw`\b(?:my|our) [\p{L} ]{1,40}(?:'s|:) `,
    String.raw`\b(?:i am|i'm|im|we are|we're) (?!sorry\b|not sure\b|bored\b|done\b|back\b|ready\b|good\b|fine\b|ok(?:ay)?\b)`,
    String.raw`\b(?:i|we) (?:live|work|study|come from|was born|were born|grew up|moved|like|love|enjoy|prefer|hate|dislike|own|have|had|speak|play|eat|drink|take|plan|want to|need to|don't|do not|can't|cannot|never|always|only)\b`,
    String.raw`\b(?:call me|remember|note that|keep in mind|don't forget)\b`,
    '我(?:叫|是|姓|住|在|有|今年|来自|喜欢|爱|讨厌|不喜欢|不吃|不能|对|想|要|打算|计划|的)|我们(?:的|在|有|住)|叫我|记住|记得|别忘',
  ].join('|'),
  'iu',
);
const factPattern =
  /\d|\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|tomorrow|tonight)\b|[一二三四五六七八九十]+(?:[点月日号岁个])|(?:周|星期)[一二三四五六日天]|明天|后天|\blet(?:'s| us) (?:take|go|use|choose|pick|do|meet|have)\b|\bwe(?:'ll| will)\b|\bdecided?\b|那就|决定|就用|就选/i;

function weightOf(sentence: string): Statement['weight'] {
  const plain = sentence.replaceAll('’', "'");
  if (aboutUserPattern.test(plain)) return 3;
  return factPattern.test(plain) && !imperativePattern.test(plain) ? 2 : 1;
}

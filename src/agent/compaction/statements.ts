/** PURE: the user's statements about themselves and other facts, by sentence. A server's words in a user message do not count. */
import type { Message } from '../../contracts/message';
import { textOf } from '../../contracts/message-parts';

export interface Statement {
  text: string;
  /** 3: about themselves, or to be remembered. 2: has a number, a day or a decision. 1: any other. */
  weight: 1 | 2 | 3;
}

const longestMessage = 2000;
const longestStatement = 160;
/** In a message of more sentences, only statements about the user count. */
const mostSentences = 8;

export function statementsIn(messages: readonly Message[]): Statement[] {
  return messages.flatMap((message) => {
    if (message.role !== 'user' || message.sources) return [];
    const text = textOf(message.content);
    if (text.length > longestMessage) return [];
    const sentences = sentencesIn(text);
    return sentences.flatMap((sentence) => {
      if (sentence.length > longestStatement || isQuestion(sentence) || !/[\p{L}\p{N}]/u.test(sentence)) {
        return [];
      }
      const weight = weightOf(sentence);
      return [{ text: sentence, weight: weight === 2 && sentences.length > mostSentences ? 1 : weight }];
    });
  });
}

export function sentencesIn(text: string): string[] {
  return text
    .split(/(?<=[.!?…]["'”’)]?)\s+|(?<=[。！？；])|\n+/)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');
}

const asks =
  /[?？]\s*$|^(?:who|what|when|where|which|whose|why|how|is|are|was|were|did|does|do|can|could|will|would|should|has|have)\b(?!.*\bmy name is\b)|[吗呢]\s*[。！]?$|什么|多少|几点|怎么|为什么|哪[里儿个]/i;

function isQuestion(sentence: string): boolean {
  return asks.test(sentence);
}

/** Imperatives. Their topic is in the answer. */
const requests =
  /^(?:please |can you |and |now |ok(?:ay)?,? )*(?:tell|show|give|explain|describe|write|search|find|look|read|open|fetch|calculate|compute|convert|translate|summari[sz]e|list|compare|repeat|say|check|make|help|draw|set|turn|send|add|go on|continue)\b|^(?:请|帮|给我|告诉|讲|说说|查|搜|算|翻译|总结|打开|写|列)/i;

const ofSelf = new RegExp(
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
const names =
  /\d|\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|tomorrow|tonight)\b|[一二三四五六七八九十]+(?:[点月日号岁个])|(?:周|星期)[一二三四五六日天]|明天|后天|\blet(?:'s| us) (?:take|go|use|choose|pick|do|meet|have)\b|\bwe(?:'ll| will)\b|\bdecided?\b|那就|决定|就用|就选/i;

function weightOf(sentence: string): Statement['weight'] {
  const plain = sentence.replaceAll('’', "'");
  if (ofSelf.test(plain)) return 3;
  return names.test(plain) && !requests.test(plain) ? 2 : 1;
}

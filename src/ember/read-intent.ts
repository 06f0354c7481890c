/** Recognises messages that no tool can answer, by their words alone. The words are in `en.json` and `zh.json`. */
import type { Message } from '../contracts/message';
import { textOf } from '../contracts/message-parts';
import en from './en.json';
import { intentOf, patternOf, wording } from './phrases';

/** The whole message has this meaning, so the page answers before a model is asked. Earlier intents win. */
const talkIntents = [
  'crisis',
  'secret',
  'privacy',
  'how-are-you',
  'greeting',
  'thanks',
  'good-night',
  'goodbye',
  'identity',
  'maker',
  'nature',
  'ability',
  'insult',
  'praise',
  'apology',
  'laugh',
  'noted',
  'birthday',
  'sadness',
  'bored',
  'languages',
  'cost',
  'doubt',
  'again',
  'offline',
  'unclear',
  'told',
  'memory',
] as const;
type TalkIntent = (typeof talkIntents)[number] | 'nonsense';

/** No tool of ours does this. Recognised by the beginning of the message. Earlier intents win. */
const beyondIntents = [
  'joke',
  'translation',
  'code',
  'summary',
  'rewriting',
  // Larger models cannot do these two either.
  'picture',
  'action',
  'recipe',
  'plan',
  'story',
  'writing',
  'chat',
  'view',
] as const;
type BeyondIntent = (typeof beyondIntents)[number];

/** Only considered if the small model found no tool to call. */
type LeftIntent =
  | 'ability'
  | 'identity'
  | 'opinion'
  | 'advice'
  | 'question'
  | 'explanation'
  | 'pasted'
  | 'beyond'
  | 'why'
  | 'statement'
  | 'units'
  | 'money'
  | 'chance';

export type Intent = TalkIntent | BeyondIntent | LeftIntent;

/** Undefined if the newest message is not the user's. */
export function newestQuestion(history: readonly Message[]): string | undefined {
  const last = history.at(-1);
  return last?.role === 'user' ? textOf(last.content) : undefined;
}

/** Maximum characters. A longer message contains more than small talk. */
const maxTalkLength = 160;

export function readTalk(text: string): TalkIntent | undefined {
  if (text.length > maxTalkLength) return undefined;
  const said = bare(text);
  if (/^[?？¿\s]+$/.test(said)) return 'ability';
  if (text.trim() !== '' && onlySmiles.test(text)) return 'noted';
  if (!/[\p{L}\p{N}]/u.test(said)) return text.trim() === '' ? undefined : 'nonsense';
  const asked = said.replace(/[\s?？.。!！,，]+$/u, '');
  const found = talkOf(asked);
  if (found) return found;
  const spelled = spellOut(asked);
  const afterGreeting = spelled.replace(greetingFirst(), '');
  if (afterGreeting !== spelled) {
    const talk = wording('introduces').test(afterGreeting) ? 'greeting' : talkOf(afterGreeting);
    if (talk) return talk;
  }
  // If there are several sentences, answer the last one.
  const parts = asked.split(/[,，.。!！;；]+\s*/).filter((part) => part !== '');
  const talks = parts.map(talkOf);
  if (parts.length > 1 && !talks.includes(undefined)) return talks.at(-1);
  return isGibberish(asked) ? 'nonsense' : undefined;
}

function talkOf(asked: string): TalkIntent | undefined {
  return intentOf('talk', talkIntents, [asked, spellOut(asked)]);
}

/** A greeting before something else: `hi, can you hear me`, `你好，请问你是谁`. */
const greetingFirst = () =>
  patternOf(
    String.raw`^(?:{greetings}(?:\s+{greeted}|\s+[a-z]{1,12}(?=[,!]))?{greeting-ends}?[\s,，.。!！~]*)+`,
  );

export function readBeyond(text: string): BeyondIntent | undefined {
  const said = bare(text.slice(0, 400))
    .replace(wording('politeness', 'en'), '')
    .replace(wording('politeness', 'zh'), '');
  return intentOf('beyond', beyondIntents, [said]);
}

export function readLeft(text: string): LeftIntent | 'unclear' {
  // Checked first, because a pasted text may contain units and question marks.
  if (isPasted(text)) return 'pasted';
  const said = spellOut(bare(text));
  const isWorded = (name: Parameters<typeof wording>[0]) => wording(name).test(said);
  if (isWorded('goes-on-unclearly')) return 'unclear';
  if (isWorded('asks-why')) return 'why';
  if (isWorded('asks-advice') && !isWorded('asks-model')) return 'advice';
  if (isWorded('asks-help')) return 'ability';
  if (isWorded('asks-money')) return 'money';
  if (isWorded('asks-units') && isWorded('counts-units')) return 'units';
  if (isWorded('asks-chance')) return 'chance';
  if (isWorded('asks-opinion')) return 'opinion';
  if (isWorded('asks-ability')) return 'ability';
  const isExplanation = isWorded('asks-explanation');
  if (!isExplanation && !isWorded('asks')) return 'statement';
  if (isWorded('asks-model')) return 'identity';
  return isExplanation ? 'explanation' : 'question';
}

/** Maximum letters of a typed question. A Chinese character counts as three. */
const maxQuestionLength = 300;
const maxLines = 4;

/** Whether the user pasted this text, with or without a question, because nobody types so much. Addresses do not count. */
export function isPasted(message: string): boolean {
  const written = message.replace(/https?:\S+/g, '').trim();
  const letters = written.replace(/\p{Script=Han}/gu, '···').length;
  return letters > maxQuestionLength || written.split(/\n+/).length > maxLines;
}

/** The words to search for. '' for a message that is too short to have a meaning, or too long for a search. */
export function queryOf(text: string): string {
  const query = text
    .replace(/\s+/g, ' ')
    .replace(/[\s?？.。!！]+$/, '')
    .trim();
  const topic = query.replace(wording('asks-to-explain'), '');
  const minLength = topic === query ? 4 : 2;
  return topic.length >= minLength && topic.length <= 150 ? topic : '';
}

const trainedTools = ['calculator', 'clock', 'weather', 'web_search', 'fetch_page'] as const;

/** The tool that the small model says is switched off, as it was trained to. '' if it names no tool. Undefined if it says no such thing. */
export function toolSaidOff(text: string): string | undefined {
  if (!wording('tools-menu').test(text)) return undefined;
  return trainedTools.find((name) => wording(`tool-off.${name}`).test(text)) ?? '';
}

const onlySmiles = /^(?:[\s\p{Extended_Pictographic}\u{FE0F}\u{200D}]|[:;]-?[)dp(])+$/iu;

function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/^[\s"'“”‘(*_]+/u, '')
    .replace(/(?:\s*[:;]-?[)dp])+$/u, '')
    .replace(/[\s"'“”‘)*_.。!~～…,，;；\p{Extended_Pictographic}\u{FE0F}\u{200D}]+$/u, '');
}

/** Real words whose letters are adjacent on the keyboard. */
const wordsInRows = new Set(en.wordsInRows.split(' '));

/** Random keys: no vowel, the same again and again, or a row of the keyboard. */
function isGibberish(written: string): boolean {
  const said = written.replace(/[;'[\]\\]/g, '');
  if (!/^[a-z ]{3,}$/.test(said)) return false;
  if (/^(.{1,3})\1{2,}$/.test(said) || /^lorem ipsum\b/.test(said)) return true;
  return said
    .split(' ')
    .every(
      (word) =>
        (word.length >= 4 && !/[aeiouy]/.test(word)) ||
        (word.length >= 3 && en.keyboardRows.some((row) => row.includes(word)) && !wordsInRows.has(word)),
    );
}

/** Chat abbreviations and the words that they mean. */
const spellings = new Map(
  Object.entries(en.spellings).flatMap(([meant, written]) => written.split(' ').map((one) => [one, meant])),
);
/** The words of small talk. A word that differs by one slip counts as that word. */
const commonWords = new Set(en.commonWords.split(' '));
/** Shorter words resemble too many others. */
const minCorrectedLength = 4;

/** Expands chat abbreviations, so that small talk is recognised. `text` is in lower case. */
function spellOut(text: string): string {
  return text.replace(/[‘’`´]/g, "'").replace(/[a-z0-9']+/g, (written) => {
    const word = written.replace(/([a-z])\1{2,}/g, '$1');
    const single = word.replace(/([a-z])\1+$/, '$1');
    return spellings.get(word) ?? (word === written ? undefined : spellings.get(single)) ?? correct(word);
  });
}

function correct(word: string): string {
  if (word.length < minCorrectedLength || commonWords.has(word)) return word;
  const [near, ...others] = Array.from(commonWords).filter((one) => isOneSlip(word, one));
  return near !== undefined && others.length === 0 ? near : word;
}

/** One letter too many, too few or different, or two that changed places. The first letter is seldom wrong. */
function isOneSlip(word: string, meant: string): boolean {
  if (word[0] !== meant[0] || Math.abs(word.length - meant.length) > 1) return false;
  let at = 0;
  while (at < word.length && word[at] === meant[at]) at++;
  const rest = word.slice(at);
  const wanted = meant.slice(at);
  if (rest.length !== wanted.length) return rest.slice(1) === wanted || rest === wanted.slice(1);
  const isOther = rest.slice(1) === wanted.slice(1);
  const isSwapped = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  return isOther || isSwapped;
}

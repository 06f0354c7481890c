/** What a message wants that no tool gives, by its words alone. */
import type { BeyondIntent, LeftIntent, TalkIntent } from './intent';
import { beyond, isWorded, talk } from './talk-patterns';

/** Longer messages say something of their own. */
const longestTalk = 160;

export function readTalk(text: string): TalkIntent | undefined {
  if (text.length > longestTalk) return undefined;
  const said = bare(text);
  if (/^[?？\s]+$/.test(said)) return 'ability';
  if (text.trim() !== '' && isSmile.test(text)) return 'noted';
  // Only marks: three full stops.
  if (said === '') return text.trim() === '' ? undefined : 'nonsense';
  const asked = said.replace(/[\s?？.。!！,，]+$/u, '');
  const found = talk.find(([, wordings]) => wordings.some((wording) => isWorded(asked, wording)));
  return found?.[0] ?? (isGibberish(asked) ? 'nonsense' : undefined);
}

export function readBeyond(text: string): BeyondIntent | undefined {
  const said = bare(text.slice(0, 400)).replace(politeness, '');
  return beyond.find(([, patterns]) => patterns.some((pattern) => pattern.test(said)))?.[0];
}

const politeness =
  /^(?:hey |hi |hello |ok )?(?:please )?(?:(?:can|could|would|will) you (?:please )?|i (?:want|need) you to |i'?d like you to )?/;

/** For what a small model found no tool for. */
export function readLeft(text: string): LeftIntent {
  const said = bare(text);
  if (/^(?:why|how come|为什么|为啥)[?？\s]*$/.test(said)) return 'why';
  if (/\b(?:can|could|would|will) you (?:please )?help\b|\bhelp me\b|帮(?:帮|一下)?我/.test(said))
    return 'ability';
  if (asksOpinion.test(said)) return 'opinion';
  return asks.test(said) ? 'question' : 'statement';
}

const asksOpinion =
  /^(?:do|don'?t|would|are|have|can) you\b|\byour? (?:favou?rite|opinion|thoughts?)\b|^what do you think|^should i\b|你(?:喜欢|觉得|认为|想|爱|会不会|有没有)/;
const asks =
  /[?？]\s*$|^(?:who|what|when|where|which|whose|how|is|are|was|were|did|does|do|can|could|will|would|should|has|have|tell me|explain|define)\b|吗|呢|什么|谁|哪|多少|怎么|如何|几|为什么|多久|多大/;

const isSmile = /^(?:[\s\p{Extended_Pictographic}\u{FE0F}\u{200D}]|[:;]-?[)dp(])+$/iu;

/** In small letters, on one line, without marks at its ends. */
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

const keyboardRows = ['qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm', 'azertyuiop'];

/** Keys that were only rolled over: no vowel, the same again and again, or a row of the keyboard. */
function isGibberish(said: string): boolean {
  if (!/^[a-z ]{4,}$/.test(said)) return false;
  if (/^(.{1,3})\1{3,}$/.test(said)) return true;
  return said
    .split(' ')
    .every(
      (word) =>
        word.length >= 4 && (!/[aeiouy]/.test(word) || keyboardRows.some((row) => row.includes(word))),
    );
}

/** PURE: splits indexed texts and queries into search terms. */

/** Increment when the terms of any text change, to make stored indexes invalid. */
export const searchTermsVersion = 1;

/** Matches a run of Chinese, Japanese or Korean characters, a word, a number, or one part of `camelCase` or `snake_case`. */
const piecePattern =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+)|\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+/gu;

const stopWords = new Set(
  `a an the this that these those it its i me my mine we us our you your he she they them their one ones some any
  is are was were be been being am do does did doing have has had having will would shall should can could may might must
  to of in on at by for from with into about as and or but if than then so too also just only very really quite
  what which who whom whose how why when where there here
  please pls hi hello hey thanks thank want wants need needs like let lets give tell show get got go going gonna
  im ive id ill dont doesnt isnt whats hows wheres s t m re ve ll d`.split(/\s+/),
);

const chineseParticlePattern = /[的了吗呢吧啊呀嘛哦们我你您他她它请把]/u;
const stopCharacterPairs = new Set(
  `一下 帮忙 想要 需要 可以 能不 不能 能否 怎么 什么 多少 哪些 哪个 这个 那个 这些 那些 一个 看看 看下 想看 告诉 如何 是不 不是
  有没 没有 现有 用来 使用 时候 以及 或者 并且 如果`.split(/\s+/),
);

/** Returns terms in the order of the text, with repetitions. If there are only stop words, returns those. */
export function searchTerms(text: string): string[] {
  const terms: string[] = [];
  const stopped: string[] = [];
  for (const [piece, joined] of withoutAccents(text).matchAll(piecePattern)) {
    if (joined !== undefined) {
      addCharacterPairs(joined, terms, stopped);
      continue;
    }
    const word = piece.toLowerCase();
    if (stopWords.has(word)) stopped.push(word);
    else terms.push(stemWord(word));
  }
  return terms.length > 0 ? terms : stopped;
}

function withoutAccents(text: string): string {
  // Do not normalize ASCII texts: normalizing takes half of the time, and most texts are ASCII.
  const composed = /^[\0-~]*$/.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
        .normalize('NFC');
  return composed.replace(/(?<=\p{L})['’](?=\p{L})/gu, '');
}

function addCharacterPairs(run: string, terms: string[], stopped: string[]): void {
  for (const part of run.split(chineseParticlePattern)) {
    const characters = Array.from(part);
    const [only] = characters;
    if (characters.length === 1 && only !== undefined) terms.push(only);
    for (let at = 1; at < characters.length; at++) {
      const pair = `${characters[at - 1] ?? ''}${characters[at] ?? ''}`;
      (stopCharacterPairs.has(pair) ? stopped : terms).push(pair);
    }
  }
}

/** Returns both characters of a character pair, to find texts in which they are not adjacent. Empty for any other term. */
export function splitPair(term: string): string[] {
  if (term.charCodeAt(0) < 0x2e80) return [];
  const characters = Array.from(term);
  return characters.length === 2 ? characters : [];
}

const uninflectedWords = new Set(['news', 'lens', 'string', 'thing', 'need', 'feed', 'speed', 'seed', 'bed']);
const vowelPattern = /[aeiouy]/;

/** Removes common English endings, so `invoices` and `scheduling` match `invoice` and `schedule`. */
function stemWord(word: string): string {
  if (word.length < 4 || uninflectedWords.has(word) || !/^[a-z]+$/.test(word)) return word;
  let rest = word;
  if (rest.endsWith('ies') && rest.length > 4) rest = `${rest.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/.test(rest)) rest = rest.slice(0, -2);
  else if (/[^sui]s$/.test(rest)) rest = rest.slice(0, -1);
  for (const [ending, least] of minRootCharacters) {
    const root = rest.slice(0, -ending.length);
    if (!rest.endsWith(ending) || root.length < least || !vowelPattern.test(root)) continue;
    if (ending === 'ion' && !/[st]$/.test(root)) continue;
    rest = root.replace(/([bdfgmnprt])\1$/, '$1');
    break;
  }
  if (rest.endsWith('e') && rest.length > 3) return rest.slice(0, -1);
  return /[^aeiou]y$/.test(rest) ? `${rest.slice(0, -1)}i` : rest;
}

/** Minimum length of a word without its ending, by ending. */
const minRootCharacters = Object.entries({ ing: 3, ed: 3, ment: 4, ion: 4, er: 4, or: 5 });

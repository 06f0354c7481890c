/** PURE: how well letters that are typed fit a name, in any script. */

/** As it is compared: full-width letters are those of the keyboard, accents and case do not count. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * 0 where it does not fit; the higher, the better. All words must be there: the name itself, its beginning, the beginning of a word, within a
 * word, and last the letters in their order, each at the beginning of a word or next to the one before. `name` and `query` are folded.
 */
export function scoreOf(query: string, name: string): number {
  if (query === '') return 1;
  if (name === query) return 100;
  if (name.startsWith(query)) return 90;
  const words = query.split(/\s+/).filter(Boolean);
  let least = 80;
  for (const word of words) least = Math.min(least, scoreOfWord(word, name));
  return least;
}

function scoreOfWord(word: string, name: string): number {
  const at = name.indexOf(word);
  if (at === 0 || (at > 0 && isBoundary(name, at))) return 80;
  // A later one may begin a word.
  if (at > 0) {
    for (let next = name.indexOf(word, at + 1); next >= 0; next = name.indexOf(word, next + 1))
      if (isBoundary(name, next)) return 80;
    return 60;
  }
  return word.length > 1 && areInOrder(word, name) ? 30 : 0;
}

/** In a script without blanks every sign begins a word. */
function isBoundary(name: string, at: number): boolean {
  return !/[\p{L}\p{N}]/u.test(name.charAt(at - 1)) || /\p{Script=Han}/u.test(name.charAt(at));
}

/** As in `nec` for `new chat`. */
function areInOrder(word: string, name: string): boolean {
  let from = 0;
  for (const letter of word) {
    let at = name.indexOf(letter, from);
    while (at >= 0 && at !== from && at !== 0 && !isBoundary(name, at)) at = name.indexOf(letter, at + 1);
    if (at < 0 || (from === 0 && at > 0 && !isBoundary(name, at))) return false;
    from = at + letter.length;
  }
  return true;
}

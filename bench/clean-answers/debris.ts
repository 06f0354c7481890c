/** Finds debris in an answer that was torn out of structured text, at its end or in the middle. */

/** Returns the names of the faults, or an empty list for a clean answer. */
export function findDebris(answer: string, result: string): string[] {
  const whole = answer.trim();
  // Closing Markdown marks and the bars of table rows do not count as the end of the answer.
  const said = whole
    .replace(/^\|(.*)\|$/gmu, '$1')
    .replace(/(?<=[^\s*_`])[*_`]+$/u, '')
    .trim();
  if (said === '') return ['nothing said'];
  return [
    ...(isBalanced(whole) ? [] : ['open bracket']),
    ...(hasOddQuotes(whole) ? ['open quotation'] : []),
    ...(/[:：=|,，、;；(（[{<\\/&+*_#-]$/u.test(said) ? ['open end'] : []),
    ...(/^[\]})）】,，:：;|]/u.test(said) ? ['open beginning'] : []),
    ...(isCutWord(said, result) ? ['cut word'] : []),
    ...(endsInKey(said, result) ? ['key without value'] : []),
    ...(/(?<!-)\b(?:and|or|the|a|an|is|are|of|to|in|with|for)$/i.test(said) ? ['open sentence'] : []),
    ...(/(.{2,})\1{3}/u.test(said) ? ['loop'] : []),
  ];
}

const pairs: readonly (readonly [string, string])[] = [
  '()',
  '[]',
  '{}',
  '（）',
  '【】',
  '「」',
  '“”',
  '《》',
].map((pair) => [pair.charAt(0), pair.charAt(1)] as const);

function isBalanced(text: string): boolean {
  return pairs.every(([open, close]) => {
    let depth = 0;
    for (const character of text) {
      if (character === open) depth += 1;
      if (character === close) depth -= 1;
      if (depth < 0) return false;
    }
    return depth === 0;
  });
}

/** Ignores single quotes, which can mark inches or be apostrophes. */
function hasOddQuotes(text: string): boolean {
  const count = (mark: string) => text.split(mark).length - 1;
  return count('"') % 2 === 1 || count('`') % 2 === 1 || count('**') % 2 === 1;
}

/** Whether the last word occurs in the result only as the beginning of a longer word. */
function isCutWord(said: string, result: string): boolean {
  const last = /[\p{Script=Latin}\d]+$/u.exec(said)?.[0];
  if (last === undefined) return false;
  const words: readonly string[] = result.match(/[\p{Script=Latin}\d]+/gu) ?? [];
  return !words.includes(last) && words.some((word) => word.startsWith(last));
}

/** Whether the answer ends in a key of the JSON that occurs nowhere else, as in `…, brightness`. */
function endsInKey(said: string, result: string): boolean {
  const keys = Array.from(result.matchAll(/"([^"]+)":/g), ([, key = '']) => key);
  const last = /[\p{L}\d_]+$/u.exec(said.replace(/["'”]+$/, ''))?.[0];
  return last !== undefined && keys.includes(last) && result.split(last).length === 2;
}

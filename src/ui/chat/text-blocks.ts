/** A long text in blocks of whole lines, so that the browser lays out only those that are on the screen. */

interface TextBlock {
  /** Its first character in the text. */
  from: number;
  text: string;
}

/** About a hundred lines. */
const blockCharacters = 8000;

/** Joined, with a line feed between two, they are the text; a line that is longer than a block is parted without one. */
export function blocksOf(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + blockCharacters);
    const line = to < text.length ? text.lastIndexOf('\n', to) : -1;
    if (line > from) {
      blocks.push({ from, text: text.slice(from, line) });
      from = line + 1;
      continue;
    }
    // Never through the middle of a surrogate pair.
    if (to < text.length && /[\uD800-\uDBFF]/.test(text.charAt(to - 1))) to -= 1;
    blocks.push({ from, text: text.slice(from, to) });
    from = to;
  }
  return blocks;
}

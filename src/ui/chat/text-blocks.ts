interface TextBlock {
  from: number;
  text: string;
}

const maxBlockLength = 8000;

/** Splits a long text into blocks, if possible at line feeds, so that the browser lays out only the visible blocks. */
export function blocksOf(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + maxBlockLength);
    const line = to < text.length ? text.lastIndexOf('\n', to) : -1;
    if (line > from) {
      blocks.push({ from, text: text.slice(from, line) });
      from = line + 1;
      continue;
    }
    // Don't split a surrogate pair.
    if (to < text.length && /[\uD800-\uDBFF]/.test(text.charAt(to - 1))) to -= 1;
    blocks.push({ from, text: text.slice(from, to) });
    from = to;
  }
  return blocks;
}

const maxBlockCharacters = 8000;

/** Splits a long text, if possible at line feeds, so the browser lays out only the visible blocks. */
export function splitIntoBlocks(text: string) {
  const blocks: { from: number; text: string }[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + maxBlockCharacters);
    const line = to < text.length ? text.lastIndexOf('\n', to) : -1;
    if (line > from) to = line;
    // Don't split a surrogate pair.
    else if (to < text.length && /[\uD800-\uDBFF]/.test(text.charAt(to - 1))) to -= 1;
    blocks.push({ from, text: text.slice(from, to) });
    from = to === line ? to + 1 : to;
  }
  return blocks;
}

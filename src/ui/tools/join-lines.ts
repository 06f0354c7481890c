/** Lines that were broken for the eye of whoever reads the source are joined: in a chat, a line that ends is meant to. */
export function joinLines(markdown: string): string {
  let isCode = false;
  return markdown
    .split('\n')
    .reduce<string[]>((joined, line) => {
      const last = joined.at(-1) ?? '';
      const isFence = line.startsWith('```');
      const goesOn =
        !isCode && !isFence && !last.startsWith('```') && last !== '' && line !== '' && !begins.test(line);
      if (isFence) isCode = !isCode;
      if (goesOn && !last.startsWith('#')) joined[joined.length - 1] = `${last} ${line.trim()}`;
      else joined.push(line);
      return joined;
    }, [])
    .join('\n');
}

/** A heading, an item of a list, a quotation or a row of a table. */
const begins = /^\s*(?:#|[-*+] |\d+[.)] |>|\|)/;

/** A chat's title from its first question: asking the model would cost it its cache. */

const maxCharacters = 60;

export function titleOf(question: string): string {
  const [line = ''] = question.trim().split('\n');
  const flat = line.replace(/\s+/g, ' ').trim();
  if (flat.length <= maxCharacters) return flat;
  const cut = flat.slice(0, maxCharacters);
  // Between words where there are words; Chinese has no spaces to cut at.
  const space = cut.lastIndexOf(' ');
  return `${(space > maxCharacters / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** A message as the words of a search; '' for one that is too short to mean anything, or too long to be one. */
export function queryOf(text: string): string {
  const query = text
    .replace(/\s+/g, ' ')
    .replace(/[\s?？.。!！]+$/, '')
    .trim();
  return query.length >= 4 && query.length <= 150 ? query : '';
}

/** How much a tool may hold: what is read, shown and checked of it takes time that grows with it. */
import type { CustomToolContent, DefinitionProblem } from '../../contracts/custom-tool';

/** Characters of texts, and how many of the others; `keyword`: characters of one. `others`: as JSON, all but the code together. */
export const most = {
  title: 60,
  description: 1_000,
  keywords: 60,
  keyword: 40,
  code: 100_000,
  others: 100_000,
  hosts: 20,
  secrets: 10,
  examples: 20,
};

/** Named is the field that holds most. */
export function findTooLarge({ code, ...others }: CustomToolContent): DefinitionProblem | undefined {
  if (code.length > most.code) return tooLong('code', most.code);
  const lengths = Object.entries(others).map(([field, value]) => ({
    field: field as keyof typeof others,
    length: JSON.stringify(value).length,
  }));
  if (lengths.reduce((sum, { length }) => sum + length, 0) <= most.others) return undefined;
  const [longest = { field: 'examples' as const }] = lengths.sort((a, b) => b.length - a.length);
  return tooLong(longest.field, most.others);
}

export function tooLong(field: keyof CustomToolContent, characters: number): DefinitionProblem {
  return { field, code: 'too-long', detail: `more than ${characters}` };
}

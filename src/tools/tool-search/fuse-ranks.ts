/** PURE: several rankings as one, by reciprocal rank fusion: scores of different searches cannot be compared, places can. */
import type { FoundTool } from '../../contracts/tool';

/** How little the first place counts more than the second: the usual 60 of Cormack, Clarke and Büttcher (2009). */
const damping = 60;

/** Each ranking best first. Of equals, what an earlier ranking named first. */
export function fuseRanks(...rankings: readonly (readonly Pick<FoundTool, 'name'>[])[]): FoundTool[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [at, { name }] of ranking.entries()) {
      scores.set(name, (scores.get(name) ?? 0) + 1 / (damping + at + 1));
    }
  }
  return [...scores].map(([name, score]) => ({ name, score })).sort((one, other) => other.score - one.score);
}

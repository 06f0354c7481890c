/** The hits of several providers as one list: each page once, and none favoured. */
import type { Hit } from './provider';

/** Reciprocal rank fusion, with the constant of its paper: being found twice counts for more than being found first. */
const smoothing = 60;

/** `lists`: of each provider, best first. Where two are even, the earlier list comes first. */
export function mergeHits(lists: readonly (readonly Hit[])[], count: number): Hit[] {
  const merged = new Map<string, { hit: Hit; weight: number }>();
  for (const list of lists) {
    const seen = new Set<string>();
    list.forEach((hit, rank) => {
      const key = pageKey(hit.url);
      if (seen.has(key)) return;
      seen.add(key);
      const known = merged.get(key);
      const weight = (known?.weight ?? 0) + 1 / (smoothing + rank + 1);
      merged.set(key, { hit: known ? together(known.hit, hit) : hit, weight });
    });
  }
  return [...merged.values()]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, count)
    .map(({ hit }) => hit);
}

function together(first: Hit, second: Hit): Hit {
  const scores = [first.score, second.score].filter((score) => score !== undefined);
  return {
    title: first.title,
    url: first.url,
    content: second.content.length > first.content.length ? second.content : first.content,
    score: scores.length > 0 ? Math.max(...scores) : undefined,
  };
}

/** What only says where a visitor comes from. */
const tracking = /^(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|igshid|ref|ref_src|source)$/i;

/** The same for addresses of the same page. */
function pageKey(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname, searchParams } = new URL(url);
  const kept = [...searchParams].filter(([name]) => !tracking.test(name));
  const query = new URLSearchParams(kept.sort(([a], [b]) => a.localeCompare(b))).toString();
  return `${host.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}?${query}`;
}

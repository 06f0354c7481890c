/**
 * Which tools a very small model is shown: it cannot search, and among many it takes the wrong one. So the page ranks them by the
 * words of the person, which say better what is wanted than a query that such a model would write. PURE.
 */
import type { FoundTool, ListedTool, ToolSpec } from '../../contracts/tool';

/** Of a score, what the next one must reach to be as likely. */
const closeShare = 0.85;
const mostClose = 3;

interface Choice {
  /** Those that are on. */
  tools: readonly ToolSpec[];
  isPinned: (name: string) => boolean;
  /** What the words of the request find, best first. */
  hits: readonly FoundTool[];
  /** Called in any case, whatever ranks first. */
  needed: readonly string[];
  /** What the model was shown before, in this chat. */
  before: readonly ListedTool[];
}

/** Pinned first. The list stays what it was as long as it holds the tool that ranks first: so the cache of the prompt holds. */
export function chooseFew({ tools, isPinned, hits, needed, before }: Choice): ListedTool[] {
  const isOn = new Set(tools.map(({ name }) => name));
  const pinned = tools.filter(({ name }) => isPinned(name)).map(({ name }) => listed(name, 'pinned'));
  const isFree = (name: string) => isOn.has(name) && !isPinned(name);
  const kept = before.filter(({ name }) => isFree(name));
  const shown = new Set([...pinned, ...kept].map(({ name }) => name));
  const [first] = hits;
  const wanted = needed.length > 0 ? needed : first ? [first.name] : [];
  if (wanted.every((name) => shown.has(name))) return [...pinned, ...kept];
  if (needed.length > 0) {
    return [...pinned, ...needed.filter(isFree).map((name) => listed(name, 'best'))];
  }
  const close = hits
    .filter(({ name, score }) => isFree(name) && score >= (first?.score ?? 0) * closeShare)
    .slice(0, mostClose);
  const reason = close.length > 1 ? 'close' : 'best';
  return [...pinned, ...close.map(({ name }) => listed(name, reason))];
}

function listed(name: string, reason: ListedTool['reason']): ListedTool {
  return { name, reason };
}

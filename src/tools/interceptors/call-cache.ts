/**
 * Answers a call that was made before with what it gave then, for a while: asking the same page or the same search twice
 * sends nothing twice. In memory and for this visit only: what was read outside is stored in its chat and nowhere else.
 */
import type { Interceptor } from '../../contracts/interceptor';
import type { ToolCall } from '../../contracts/message';
import type { Tool, ToolOutput } from '../../contracts/tool';

export interface CallCache extends Interceptor {
  /** The next such call is made anew. */
  forget: (call: Pick<ToolCall, 'name' | 'arguments'>) => void;
}

/** Milliseconds: a page may change, and whoever asks again after so long wants to know. */
const maxAgeMs = 15 * 60_000;
/** Results kept; the oldest goes first. */
const maxEntries = 50;

/** `now` in milliseconds since the epoch. Only what a tool calls idempotent, and what reaches outside, is worth keeping. */
export function createCallCache(toolNamed: (name: string) => Tool | undefined, now: () => number): CallCache {
  const kept = new Map<string, { output: ToolOutput; at: number }>();

  /** With where it would go, and by which code: another provider is another search. Missing for what is not kept. */
  const keyOf = ({ name, arguments: input }: Pick<ToolCall, 'name' | 'arguments'>): string | undefined => {
    const tool = toolNamed(name);
    if (!tool?.annotations?.idempotentHint) return undefined;
    const effects = tool.effects(input);
    const isOutside = ['net-read', 'search', 'net-hosts'].includes(effects.type);
    const sorted = Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1));
    return isOutside ? JSON.stringify([name, tool.revision, sorted, effects]) : undefined;
  };

  return {
    before(call) {
      const key = keyOf(call);
      const entry = key === undefined ? undefined : kept.get(key);
      if (!entry || now() - entry.at > maxAgeMs) return Promise.resolve('go');
      return Promise.resolve({ answer: { ...entry.output, cachedAt: entry.at } });
    },
    after(call, output) {
      const key = keyOf(call);
      if (key !== undefined && !output.isError) {
        // Anew, so that it is the newest.
        kept.delete(key);
        kept.set(key, { output, at: now() });
        const [oldest] = kept.keys();
        if (kept.size > maxEntries && oldest !== undefined) kept.delete(oldest);
      }
      return Promise.resolve(output);
    },
    forget(call) {
      const key = keyOf(call);
      if (key !== undefined) kept.delete(key);
    },
  };
}

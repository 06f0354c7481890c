/**
 * Answers a call that was made before with what it gave then, for a while: asking the same page or the same search twice
 * sends nothing twice. In memory and for this visit only: what was read outside is stored in its chat and nowhere else.
 */
import type { CallStep, Interceptor } from '../../contracts/turn';
import type { ToolCall } from '../../contracts/message';
import { reachesOutside, type ToolOutput } from '../../contracts/tool';

export interface CallCache extends Interceptor {
  /** The next such call is made anew. */
  forget: (call: Pick<ToolCall, 'name' | 'arguments'>) => void;
}

/** Milliseconds: a page may change, and whoever asks again after so long wants to know. */
const maxAgeMs = 15 * 60_000;
/** Results kept, and their letters together; the oldest goes first. A page may have millions, and all of them are in memory. */
const maxEntries = 50;
const maxLetters = 8_000_000;

interface Entry {
  output: ToolOutput;
  /** Where the call went, and by which code: another provider is another search. */
  way: string;
  /** Milliseconds since the epoch. */
  at: number;
  letters: number;
}

/** `now` in milliseconds since the epoch. */
export function createCallCache(now: () => number): CallCache {
  const kept = new Map<string, Entry>();
  let letters = 0;

  function drop(key: string): void {
    letters -= kept.get(key)?.letters ?? 0;
    kept.delete(key);
  }

  function keep(key: string, entry: Entry): void {
    // Anew, so that it is the newest.
    drop(key);
    kept.set(key, entry);
    letters += entry.letters;
    for (const oldest of kept.keys()) {
      if (kept.size <= maxEntries && letters <= maxLetters) return;
      drop(oldest);
    }
  }

  return {
    before(call, step) {
      const entry = isKept(step) ? kept.get(keyOf(call)) : undefined;
      const isSame = entry?.way === wayOf(step) && now() - entry.at <= maxAgeMs;
      return Promise.resolve(isSame ? { answer: { ...entry.output, cachedAt: entry.at } } : 'go');
    },
    after(call, output, step) {
      if (isKept(step) && !output.isError) {
        const { length } = JSON.stringify(output);
        keep(keyOf(call), { output, way: wayOf(step), at: now(), letters: length });
      }
      return Promise.resolve(output);
    },
    forget(call) {
      drop(keyOf(call));
    },
  };
}

/** Only what a tool calls idempotent and what reads outside is worth keeping. */
function isKept({ tool, effects }: CallStep): boolean {
  const isReading = effects.type !== 'side-effect' && reachesOutside(effects);
  return isReading && tool.annotations?.idempotentHint === true;
}

function keyOf({ name, arguments: input }: Pick<ToolCall, 'name' | 'arguments'>): string {
  return JSON.stringify([name, Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function wayOf({ tool, effects }: CallStep): string {
  return JSON.stringify([tool.revision, effects]);
}

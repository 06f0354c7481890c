import type { CallStep, Interceptor } from '../contracts/turn';
import type { ToolCall } from '../contracts/message';
import { reachesOutside, type ToolOutput, type ToolStatistics } from '../contracts/tool';
import { offlineMessage } from '../egress/outcome';

const maxResultAgeMs = 15 * 60_000;
const maxCachedResults = 50;
const maxCachedCharacters = 8_000_000;

/** Answers a later identical call with the same result. `now` returns milliseconds since the epoch. */
export function createCallCache(now: () => number) {
  const cache = new Map<string, { output: ToolOutput; route: string; at: number; characters: number }>();
  let characters = 0;

  function drop(key: string): void {
    characters -= cache.get(key)?.characters ?? 0;
    cache.delete(key);
  }

  const interceptor: Required<Interceptor> = {
    before(call, step) {
      const entry = isCacheable(step) ? cache.get(cacheKeyOf(call)) : undefined;
      const isSame = entry?.route === targetKeyOf(step) && now() - entry.at <= maxResultAgeMs;
      return Promise.resolve(isSame ? { answer: { ...entry.output, cachedAt: entry.at } } : 'go');
    },
    after(call, output, step) {
      if (isCacheable(step) && !output.isError) {
        const { length } = JSON.stringify(output);
        drop(cacheKeyOf(call));
        cache.set(cacheKeyOf(call), { output, route: targetKeyOf(step), at: now(), characters: length });
        characters += length;
        for (const oldest of cache.keys()) {
          if (cache.size <= maxCachedResults && characters <= maxCachedCharacters) break;
          drop(oldest);
        }
      }
      return Promise.resolve(output);
    },
  };
  return { ...interceptor, forget: (call: Pick<ToolCall, 'name' | 'arguments'>) => drop(cacheKeyOf(call)) };
}

function isCacheable({ tool, effects }: CallStep): boolean {
  const isReading = effects.type !== 'side-effect' && reachesOutside(effects);
  return isReading && tool.annotations?.idempotentHint === true;
}

function cacheKeyOf({ name, arguments: input }: Pick<ToolCall, 'name' | 'arguments'>): string {
  return JSON.stringify([name, Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Returns the target hosts and the code revision. A cached result is only valid while both stay the same. */
function targetKeyOf({ tool, effects }: CallStep): string {
  return JSON.stringify([tool.revision, effects]);
}

/** Counts calls, failures and time per tool. Must be the innermost interceptor, to count only calls that ran. */
export function createCallStatistics(record: (one: ToolStatistics) => void, now: () => number): Interceptor {
  const started = new WeakMap<ToolCall, number>();
  return {
    before(call) {
      started.set(call, now());
      return Promise.resolve('go');
    },
    after(call, output) {
      record({
        name: call.name,
        calls: 1,
        failures: output.isError ? 1 : 0,
        repairs: call.repairs?.length ? 1 : 0,
        totalMs: now() - (started.get(call) ?? now()),
      });
      return Promise.resolve(output);
    },
  };
}

/** Blocks a call that cannot succeed (offline, refused address) before we ask the user to allow it. */
export function createReachabilityCheck(
  isOnline: () => boolean,
  refuse: (url: string, tool: string) => string | undefined,
): Interceptor & Required<Pick<Interceptor, 'before'>> {
  return {
    before(_call, { tool, effects }) {
      if (!reachesOutside(effects)) return Promise.resolve('go');
      if (!isOnline()) return Promise.resolve({ block: offlineMessage, failure: 'offline' });
      const urls = effects.type === 'net-read' ? effects.urls : [];
      const refused = urls.map((url) => refuse(url, tool.name)).find((reason) => reason !== undefined);
      return Promise.resolve(refused === undefined ? 'go' : { block: refused, failure: 'address' });
    },
  };
}

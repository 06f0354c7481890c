import type { Egress, EgressRequest, EgressResponse } from '../contracts/egress';
import type { ToolContext } from '../contracts/tool';
import { waitFor } from '../contracts/until-aborted';

const retryDelaysMs = [1_000, 3_000];
/** Maximum delay in milliseconds. A call may only take 30 s, so a longer delay is not worth it. */
const maxRetryDelayMs = 8_000;
const temporaryStatuses = new Set([429, 500, 502, 503, 504]);

/** Retries after status 429 or 5xx, and respects `retry-after`. Only for requests that are safe to repeat. */
export async function sendWithRetries(
  egress: Egress,
  request: EgressRequest,
  { signal, onProgress }: Pick<ToolContext, 'signal' | 'onProgress'>,
): Promise<EgressResponse> {
  for (const pause of retryDelaysMs) {
    const response = await egress.send(request, signal);
    if (!temporaryStatuses.has(response.status)) return response;
    const asked = readRetryDelay(response.headers['retry-after']);
    const ms = Math.max(asked ?? pause, 0);
    if (ms > maxRetryDelayMs) return response;
    const host = URL.canParse(request.url) ? new URL(request.url).host : request.url;
    onProgress(`${host} answered ${response.status}; trying again in ${Math.ceil(ms / 1000)} s`);
    await waitFor(ms, signal);
  }
  return egress.send(request, signal);
}

/** Parses `retry-after` (seconds or a date) into milliseconds. */
function readRetryDelay(header = ''): number | undefined {
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : date - Date.now();
}

const statusMeanings = new Map([
  [400, 'it did not understand the request'],
  [401, 'it wants a login or a key'],
  [402, 'it wants to be paid'],
  [403, 'it does not allow this'],
  [404, 'there is no such page'],
  [405, 'it does not allow this'],
  [408, 'it waited too long'],
  [410, 'the page is gone for good'],
  [413, 'the request is too long'],
  [414, 'the address is too long'],
  [429, 'too many requests; try again in a minute'],
  [451, 'it may not show this here'],
  [500, 'it has an error of its own'],
  [502, 'what stands behind it did not answer'],
  [503, 'it is out of service for now'],
  [504, 'what stands behind it did not answer in time'],
]);

/** Explains a 4xx or 5xx status in words: `404: there is no such page`. */
export function explainStatus(status: number): string {
  const general = status >= 500 ? 'it has an error of its own' : 'it refused the request';
  return `${status}: ${statusMeanings.get(status) ?? general}`;
}

const minuteMs = 60_000;

export type RateLimits = ReturnType<typeof createRateLimits>;

/** Limits requests per minute, so a model in a loop cannot use up a quota. */
export function createRateLimits(now: () => number) {
  const asked = new Map<string, number[]>();
  return {
    /** Counts a request and returns 0. If the limit is reached, returns the waiting time in milliseconds. */
    take(id: string, perMinute: number): number {
      const recent = (asked.get(id) ?? []).filter((at) => at > now() - minuteMs);
      asked.set(id, recent);
      const wait = recent.length < perMinute ? 0 : (recent.at(-perMinute) ?? 0) + minuteMs - now();
      if (wait === 0) recent.push(now());
      return wait;
    },
  };
}

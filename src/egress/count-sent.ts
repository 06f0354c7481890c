/** PURE: how much a request sends. */
import type { EgressRequest } from '../contracts/egress';

/** Bytes that leave by our doing, as UTF-8: address, headers, body. What the browser adds is not counted. */
export function countSent({
  url,
  headers,
  body = '',
}: Pick<EgressRequest, 'url' | 'headers' | 'body'>): number {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return new TextEncoder().encode([new URL(url).href, ...lines, body].join('')).length;
}

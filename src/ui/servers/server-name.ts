/** What to call a server, until the person says. */
import { splitHost } from '../permissions/registrable-domain';

/** By the part of its host that its owner bought: `example` for `https://mcp.example.org/mcp`. '' while there is no address. */
export function proposeName(url: string): string {
  const trimmed = url.trim();
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return '';
  const { hostname } = new URL(trimmed);
  // An address in numbers has no such part.
  if (/^[\d.]+$|^\[/.test(hostname)) return hostname;
  return splitHost(hostname).own.split('.')[0] ?? hostname;
}

/** Undefined for what is no address. */
export function hostIn(url: string): string | undefined {
  return URL.canParse(url.trim()) ? new URL(url.trim()).host : undefined;
}

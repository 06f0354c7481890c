import type { AllowedAddress } from '../contracts/egress';
import { originOf } from './gate';

/** Normalizes an address that the user allows, for example `http://192.168.1.5:8080`. */
export function readAllowedAddress(text: string): AllowedAddress {
  const trimmed = text.trim();
  if (!/^https?:\/\//i.test(trimmed)) return { ok: false, problem: 'scheme' };
  if (trimmed.includes('*')) return { ok: false, problem: 'wildcard' };
  const origin = originOf(trimmed);
  if (origin === undefined || /\s/.test(trimmed)) return { ok: false, problem: 'unreadable' };
  const { pathname, search, hash } = new URL(trimmed);
  if (/^[^/]*\/\/[^/?#]*@/.test(trimmed)) return { ok: false, problem: 'credentials' };
  if (pathname !== '/' || search !== '' || hash !== '') return { ok: false, problem: 'path' };
  return { ok: true, origin };
}

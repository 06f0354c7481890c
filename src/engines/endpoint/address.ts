/** PURE: reads the address of a server that the person typed. */
import { nearnessOf } from '../../egress/nearness';

/**
 * The base addresses that it may mean, most likely first; `/models` and `/chat/completions` follow a base. Empty if it is not a web address.
 * Without a scheme, names of this device or network get http, all others https.
 */
export function basesOf(typed: string): readonly string[] {
  const text = typed.trim();
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : withScheme(text);
  if (text === '' || !URL.canParse(whole)) return [];
  const url = new URL(whole);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return [];
  // Servers print this address for "all interfaces". Nobody can connect to it.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  const path = url.pathname.replace(/\/(?:chat\/completions|completions|models)\/?$/, '').replace(/\/+$/, '');
  const base = url.origin + path;
  // Nearly all APIs begin with a version.
  if (/\/v\d+[a-z\d]*$/.test(path)) return [base];
  return path === '' ? [`${base}/v1`, base] : [base, `${base}/v1`];
}

function withScheme(text: string): string {
  const near = URL.canParse(`http://${text}`) && nearnessOf(new URL(`http://${text}`).hostname) !== undefined;
  return `${near ? 'http' : 'https'}://${text}`;
}

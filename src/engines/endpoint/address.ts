/** PURE: what a person types as the address of an endpoint, and what is made of it. */
import { nearnessOf } from '../../egress/nearness';

/**
 * The bases that an address may mean, the likeliest first: each is what stands before `/models` and `/chat/completions`. Empty where it
 * is no web address. Without a scheme a name of this device or network is asked over http, every other over https.
 */
export function basesOf(typed: string): readonly string[] {
  const text = typed.trim();
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : withScheme(text);
  if (text === '' || !URL.canParse(whole)) return [];
  const url = new URL(whole);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return [];
  // As servers print it: it says that they listen everywhere, and is nowhere to be asked.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  const path = url.pathname.replace(/\/(?:chat\/completions|completions|models)\/?$/, '').replace(/\/+$/, '');
  const base = url.origin + path;
  // Nearly all of them begin at a version.
  if (/\/v\d+[a-z\d]*$/.test(path)) return [base];
  return path === '' ? [`${base}/v1`, base] : [base, `${base}/v1`];
}

function withScheme(text: string): string {
  const near = URL.canParse(`http://${text}`) && nearnessOf(new URL(`http://${text}`).hostname) !== undefined;
  return `${near ? 'http' : 'https'}://${text}`;
}

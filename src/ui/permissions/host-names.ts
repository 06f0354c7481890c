/** Finds the registered domain in a host name, decodes punycode, and proposes a name for a server from its URL. */

/**
 * Splits a host before its registered domain: `www.` and `example.co.uk`. `domain` includes the port. We do not ship
 * the public suffix list (200 kB), so an unknown suffix counts as one label and `domain` may be too short.
 */
export function splitHost(host: string): { subdomains: string; domain: string } {
  const isAddress = /^[\d.]+(:\d+)?$/.test(host);
  if (isAddress || !/^[^.[\]@\s]+(\.[^.[\]@\s]+)+$/.test(host)) return { subdomains: '', domain: host };
  const labels = host.split('.');
  const name = host.replace(/:\d+$/, '');
  const [top = '', second = ''] = name.split('.').reverse();
  const isBelowCountry = top.length === 2 && secondLevelLabels.has(second);
  const suffix = sharedSuffixes.find((known) => name === known || name.endsWith(`.${known}`));
  const count = suffix === undefined ? (isBelowCountry ? 3 : 2) : suffix.split('.').length + 1;
  const subdomains = labels.slice(0, -count).map((label) => `${label}.`);
  return { subdomains: subdomains.join(''), domain: labels.slice(-count).join('.') };
}

/** A host for a button label: the whole name up to 40 characters, else only the registered domain. */
export function shortenHost(host: string): string {
  return host.length <= 40 ? host : `…${splitHost(host).domain}`;
}

export function hostIn(url: string): string | undefined {
  return URL.canParse(url.trim()) ? new URL(url.trim()).host : undefined;
}

/** Proposes a name for a server: `example` for `https://mcp.example.org/mcp`, or '' for an invalid URL. */
export function proposeServerName(url: string): string {
  const trimmed = url.trim();
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return '';
  const { hostname } = new URL(trimmed);
  const isIpAddress = /^[\d.]+$|^\[/.test(hostname);
  return isIpAddress ? hostname : (splitHost(hostname).domain.split('.')[0] ?? hostname);
}

/** Decodes a punycode host name (RFC 3492). Returns undefined if the name is plain ASCII or malformed. */
export function decodePunycodeHost(host: string): string | undefined {
  const labels = host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? decodePunycode(label.slice(4)) : label));
  if (labels.includes(undefined)) return undefined;
  const written = labels.join('.');
  return written === host ? undefined : written;
}

/** Second-level labels under which countries register names, such as `co` in `co.uk`. */
const secondLevelLabels = new Set(
  (
    'ac co com edu gob gouv gov govt id ltd me mil ne net nic nom or org plc sch web ' +
    'go gr ad lg firm gen ind info asn'
  ).split(' '),
);

/** Domains under which anyone can register a subdomain. */
const sharedSuffixes = (
  'github.io gitlab.io pages.dev workers.dev vercel.app netlify.app herokuapp.com web.app firebaseapp.com ' +
  'appspot.com run.app blogspot.com cloudfront.net fly.dev amazonaws.com azurewebsites.net windows.net ' +
  'onrender.com glitch.me deno.dev eu.org wordpress.com tumblr.com surge.sh ngrok.io ngrok.app ngrok-free.app ' +
  'trycloudflare.com duckdns.org dyndns.org ddns.net no-ip.org neocities.org readthedocs.io repl.co'
).split(' ');

/** The parameters of punycode in RFC 3492. */
const [base, tMin, tMax, skew, damp] = [36, 1, 26, 38, 700];

function decodePunycode(text: string): string | undefined {
  const delimiter = text.lastIndexOf('-');
  // Punycode begins with the ASCII letters.
  const output = Array.from(text.slice(0, Math.max(delimiter, 0)), (letter) => letter.charCodeAt(0));
  let point = 128;
  let bias = 72;
  let index = 0;
  for (let at = delimiter > 0 ? delimiter + 1 : 0; at < text.length;) {
    const before = index;
    for (let weight = 1, step = base; ; step += base) {
      const digit = punycodeDigitOf(text[at++]);
      if (digit === undefined) return undefined;
      index += digit * weight;
      const threshold = Math.min(Math.max(step - bias, tMin), tMax);
      if (digit < threshold) break;
      weight *= base - threshold;
      if (weight > 0x7fffffff) return undefined;
    }
    const length = output.length + 1;
    bias = adaptBias(index - before, length, before === 0);
    point += Math.floor(index / length);
    if (point > 0x10ffff) return undefined;
    index %= length;
    output.splice(index++, 0, point);
  }
  return String.fromCodePoint(...output);
}

function punycodeDigitOf(letter: string | undefined): number | undefined {
  if (letter === undefined || !/[a-z0-9]/i.test(letter)) return undefined;
  const value = parseInt(letter, 36);
  // In punycode, a to z are 0 to 25 and the digits are 26 to 35.
  return value >= 10 ? value - 10 : value + 26;
}

function adaptBias(delta: number, length: number, isFirst: boolean): number {
  let left = isFirst ? Math.floor(delta / damp) : delta >> 1;
  left += Math.floor(left / length);
  let steps = 0;
  for (; left > ((base - tMin) * tMax) >> 1; steps += base) left = Math.floor(left / (base - tMin));
  return steps + Math.floor(((base - tMin + 1) * left) / (left + skew));
}

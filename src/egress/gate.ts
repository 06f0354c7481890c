/**
 * PURE: decides which addresses we may request: only the public internet, over https. Addresses that the user allowed may use another
 * scheme, port or range. Judges names by their spelling: only the browser knows their IP addresses.
 */
import { isIpAddress, isPrivateHostName, isRebindingHostName, addressOwnerOf } from './nearness';

export type CheckedUrl = { ok: true; url: URL } | { ok: false; reason: string };

const maxUrlLength = 2048;
/** Allowed ports. `URL` writes the default port 443 as ''. */
const allowedPorts = new Set(['', '8443']);

/** `allowedAddresses`: origins, for example `http://192.168.1.5:8080`. */
export function checkUrl(text: string, allowedAddresses: readonly string[]): CheckedUrl {
  const spelling = findMisspelling(text);
  if (spelling !== undefined) return { ok: false, reason: spelling };
  const url = new URL(text);
  const authority = authorityOf(text);
  const isExempt = isUserAllowed(url, allowedAddresses);
  const reason = forbiddenPartOf(url, authority) ?? (isExempt ? undefined : explainNonPublic(url, authority));
  return reason === undefined ? { ok: true, url } : { ok: false, reason };
}

export function isUserAllowed(url: URL, allowedAddresses: readonly string[]): boolean {
  return allowedAddresses.some((address) => originOf(address) === url.origin);
}

export function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}

/** Returns what is wrong with the spelling of an address. `URL` would silently correct it, and we would request another address than the user sees. */
function findMisspelling(text: string): string | undefined {
  if (/[\s\p{Cc}]/u.test(text))
    return 'The address holds a space or a control character. Leave it out, or write a space as %20.';
  if (!URL.canParse(text))
    return `This is no address: ${shortenForMessage(text)}. Write it whole, as https://host/path.`;
  const [beforeQuery = ''] = text.split(/[?#]/);
  if (beforeQuery.includes('\\')) return 'The address holds a backslash. Write / instead.';
  if (!/^[a-z][a-z\d+.-]*:\/\/[^/]/i.test(text))
    return `Only web addresses can be asked, not ${shortenForMessage(text)}. Write it as https://host/path.`;
  return undefined;
}

function forbiddenPartOf(url: URL, authority: string): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `Only web addresses can be asked, and ${url.protocol} is none. Use https://.`;
  if (url.href.length > maxUrlLength)
    return `The address is ${url.href.length} characters long; ${maxUrlLength} is the limit. Use a shorter one.`;
  if (url.username !== '' || url.password !== '' || authority.includes('@'))
    return 'The address holds a user name or password. Leave out what stands before the @.';
  if (!isIpAddress(url.hostname) && !isHostName(url.hostname))
    return `${shortenForMessage(url.hostname)} is no name of a server. Check its spelling.`;
  return undefined;
}

function explainNonPublic(url: URL, authority: string): string | undefined {
  const { hostname, port, protocol } = url;
  const allow = `The person can allow ${url.origin} in Settings.`;
  if (protocol === 'http:') return `Only https:// can be asked, not http://. Try it with https://. ${allow}`;
  if (!allowedPorts.has(port)) return `Only the ports 443 and 8443 can be asked, not ${port}. ${allow}`;
  if (isIpAddress(hostname)) {
    if (isDisguisedAddress(hostname, authority))
      return `${hostname} is written in an unusual way. Write it as four numbers.`;
    const owner = addressOwnerOf(hostname);
    return owner && `${hostname} is not on the public internet, it belongs to ${owner}. ${allow}`;
  }
  const labels = hostname.split('.');
  // `localhost` in a longer name is private, but `localhost.com` is public.
  if (isPrivateHostName(hostname) || (labels.length > 2 && labels.includes('localhost')))
    return `${shortenForMessage(hostname)} is a name of a private network, not of the public internet. ${allow}`;
  if (isRebindingHostName(hostname) || containsPrivateAddress(hostname))
    return `${shortenForMessage(hostname)} is a name that leads to an address of a private network. ${allow}`;
  return undefined;
}

function isHostName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => /^[a-z\d_-]{1,63}$/.test(label));
}

function containsPrivateAddress(name: string): boolean {
  const rows = name.matchAll(/(?<!\d)(?=(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?!\d))/g);
  return [...rows].some(([, ...parts]) => {
    const isAddress = parts.every((part) => Number(part) <= 255);
    return isAddress && addressOwnerOf(parts.map(Number).join('.')) !== undefined;
  });
}

/** Whether an IPv4 address has an unusual spelling: decimal, octal, hexadecimal, shortened or in full-width digits. */
function isDisguisedAddress(hostname: string, authority: string): boolean {
  return !hostname.startsWith('[') && authority.replace(/:\d*$/, '') !== hostname;
}

function authorityOf(text: string): string {
  return /\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
}

function shortenForMessage(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

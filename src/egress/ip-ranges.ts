/** PURE: which IP addresses are not of the public internet, after the registries of IANA. */

/** First address, bits that count, and what it is, to end a sentence with. */
type Range = readonly [base: string, bits: number, what: string];

const network = 'a private network';
const device = 'this device';
const documentation = 'no one: it is reserved for documentation';
const translation = 'an IPv4 address in disguise';
const group = 'a group of machines (multicast)';
const reserved = 'no one: it is reserved';
const link = 'the local link, where cloud machines keep their secrets';

const ipv4Ranges: readonly Range[] = [
  ['0.0.0.0', 8, device],
  ['10.0.0.0', 8, network],
  ['100.64.0.0', 10, 'the network of a provider (CGNAT)'],
  ['127.0.0.0', 8, device],
  ['169.254.0.0', 16, link],
  ['172.16.0.0', 12, network],
  ['192.0.0.0', 24, reserved],
  ['192.0.2.0', 24, documentation],
  ['192.88.99.0', 24, 'a relay to IPv6 (6to4)'],
  ['192.168.0.0', 16, network],
  ['198.18.0.0', 15, 'a network for measurements'],
  ['198.51.100.0', 24, documentation],
  ['203.0.113.0', 24, documentation],
  ['224.0.0.0', 4, group],
  // With the broadcast address.
  ['240.0.0.0', 4, reserved],
];

const ipv6Ranges: readonly Range[] = [
  ['::', 128, device],
  ['::1', 128, device],
  ['::ffff:0:0', 96, translation],
  ['64:ff9b::', 96, translation],
  ['64:ff9b:1::', 48, translation],
  ['fc00::', 7, network],
  ['fe80::', 10, link],
  ['fec0::', 10, network],
  ['ff00::', 8, group],
  // Teredo, measurements, ORCHID.
  ['2001::', 23, reserved],
  ['2001:db8::', 32, documentation],
  ['2002::', 16, translation],
  ['3fff::', 20, documentation],
];

const isIpv4 = (host: string) => /^\d+(\.\d+){3}$/.test(host);
const isIpv6 = (host: string) => host.startsWith('[');

/** Whether a host, as `URL` writes it, is an IP address and no name. */
export const isIpAddress = (host: string): boolean => isIpv4(host) || isIpv6(host);

/** Whose address it is, to end a sentence with, if it is not of the public internet. `host` as `URL` writes it. */
export function ownerOf(host: string): string | undefined {
  if (isIpv4(host)) return find(ipv4Ranges, readIpv4(host), readIpv4, 32);
  const value = readIpv6(host.slice(1, -1));
  const owner = find(ipv6Ranges, value, readIpv6, 128);
  // The public internet is 2000::/3, and nothing else.
  return owner ?? (value >> 125n === 1n ? undefined : reserved);
}

function find(
  ranges: readonly Range[],
  value: bigint,
  parse: (address: string) => bigint,
  width: number,
): string | undefined {
  return ranges.find(([base, bits]) => {
    const rest = BigInt(width - bits);
    return value >> rest === parse(base) >> rest;
  })?.[2];
}

function readIpv4(address: string): bigint {
  return address.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

/** In the short form: up to eight groups of hex digits, and `::` once for those that are 0. */
function readIpv6(address: string): bigint {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].reduce((value, part) => (value << 16n) | BigInt(`0x${part}`), 0n);
}

/** PURE: judges by a host's spelling whether it is public, on this device or in a private network. */
export function networkScopeOf(hostname: string): 'loopback' | 'local' | undefined {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]') return 'loopback';
  if (isIpAddress(hostname)) {
    if (hostname.startsWith('127.')) return 'loopback';
    return addressOwnerOf(hostname) === undefined ? undefined : 'local';
  }
  return isPrivateHostName(hostname) ? 'local' : undefined;
}

/** First address of the range, length of its prefix in bits, and its owner in words that can end a sentence. Source: IANA. */
type ReservedRange = readonly [base: string, bits: number, what: string];

const privateNetworkText = 'a private network';
const thisDeviceText = 'this device';
const reservedForDocumentationText = 'no one: it is reserved for documentation';
const disguisedIpv4Text = 'an IPv4 address in disguise';
const multicastText = 'a group of machines (multicast)';
const reservedText = 'no one: it is reserved';
const linkLocalText = 'the local link, where cloud machines keep their secrets';

const ipv4Ranges: readonly ReservedRange[] = [
  ['0.0.0.0', 8, thisDeviceText],
  ['10.0.0.0', 8, privateNetworkText],
  ['100.64.0.0', 10, 'the network of a provider (CGNAT)'],
  ['127.0.0.0', 8, thisDeviceText],
  ['169.254.0.0', 16, linkLocalText],
  ['172.16.0.0', 12, privateNetworkText],
  ['192.0.0.0', 24, reservedText],
  ['192.0.2.0', 24, reservedForDocumentationText],
  ['192.88.99.0', 24, 'a relay to IPv6 (6to4)'],
  ['192.168.0.0', 16, privateNetworkText],
  ['198.18.0.0', 15, 'a network for measurements'],
  ['198.51.100.0', 24, reservedForDocumentationText],
  ['203.0.113.0', 24, reservedForDocumentationText],
  ['224.0.0.0', 4, multicastText],
  ['240.0.0.0', 4, reservedText],
];

const ipv6Ranges: readonly ReservedRange[] = [
  ['::', 128, thisDeviceText],
  ['::1', 128, thisDeviceText],
  ['::ffff:0:0', 96, disguisedIpv4Text],
  ['64:ff9b::', 96, disguisedIpv4Text],
  ['64:ff9b:1::', 48, disguisedIpv4Text],
  ['fc00::', 7, privateNetworkText],
  ['fe80::', 10, linkLocalText],
  ['fec0::', 10, privateNetworkText],
  ['ff00::', 8, multicastText],
  ['2001::', 23, reservedText],
  ['2001:db8::', 32, reservedForDocumentationText],
  ['2002::', 16, disguisedIpv4Text],
  ['3fff::', 20, reservedForDocumentationText],
];

const isIpv4 = (host: string) => /^\d+(\.\d+){3}$/.test(host);
const isIpv6 = (host: string) => host.startsWith('[');

export const isIpAddress = (host: string): boolean => isIpv4(host) || isIpv6(host);

/** Owner of a non-public IP address, to complete the sentence "It belongs to …". Undefined if the address is public. `host`: as `URL` writes it. */
export function addressOwnerOf(host: string): string | undefined {
  if (isIpv4(host)) return findRangeOwner(ipv4Ranges, readIpv4(host), readIpv4, 32);
  const value = readIpv6(host.slice(1, -1));
  const owner = findRangeOwner(ipv6Ranges, value, readIpv6, 128);
  // All public IPv6 addresses are in 2000::/3.
  return owner ?? (value >> 125n === 1n ? undefined : reservedText);
}

function findRangeOwner(
  ranges: readonly ReservedRange[],
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

function readIpv6(address: string): bigint {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].reduce((value, part) => (value << 16n) | BigInt(`0x${part}`), 0n);
}

/** Suffixes that are reserved for private use, or that routers and offices use anyway. */
const privateSuffixes = [
  ...['local', 'localhost', 'localdomain', 'localnet', 'internal', 'intranet', 'intern', 'private', 'priv'],
  ...['corp', 'lan', 'loc', 'home', 'home.arpa', 'mail', 'svc', 'domain', 'workgroup', 'wpad', 'wlan', 'ip'],
  ...['router', 'gateway', 'modem', 'nas', 'belkin', 'dlink', 'test', 'example', 'invalid', 'onion', 'alt'],
  ...['ts.net', 'beta.tailscale.net'],
];

/** Public names that home routers or filters answer themselves. */
const routerNames = [
  ...['fritz.box', 'fritz.nas', 'myfritz.box', 'speedport.ip', 'easy.box', 'o2.box', 'congstar.box'],
  ...['vodafone.box', 'kabel.box', 'home.sfr.box', 'mafreebox.freebox.fr', 'mabbox.bytel.fr'],
  ...['router.asus.com', 'asusrouter.com', 'repeater.asus.com', 'modem.asus.com', 'router.synology.com'],
  ...['tplinkwifi.net', 'tplinklogin.net', 'tplinkrepeater.net', 'tplinkmodem.net', 'tplinkap.net'],
  ...['tplinkeap.net', 'tplinkplclogin.net', 'tplogin.cn', 'melogin.cn', 'falogin.cn', 'phicomm.me'],
  ...['routerlogin.net', 'routerlogin.com', 'orbilogin.net', 'orbilogin.com', 'aplogin.net', 'aplogin.com'],
  ...['mywifiext.net', 'mywifiext.com', 'linksyssmartwifi.com', 'extender.linksys.com', 'dlinkrouter.com'],
  ...['miwifi.com', 'tendawifi.com', 'netis.cc', 'hi.link', 'my.keenetic.net', 'setup.ubnt.com', 'pi.hole'],
];

/** Services whose names always resolve to this device, or to an address that the name contains. */
const rebindingSuffixes = [
  ...['nip.io', 'sslip.io', 'xip.io', 'nip.direct', 'xip.name', 'ip6.name', 'backname.io', 'traefik.me'],
  ...['local-ip.co', 'local-ip.sh', 'my-local-ip.com', 'plex.direct', 'localhost.direct', 'lcl.host'],
  ...['localtest.me', 'localdev.me', 'lvh.me', 'vcap.me', 'fuf.me', 'lacolhost.com', 'localho.st'],
  ...['local.gd', 'rbndr.us', '1u.ms', 'yoogle.com', 'ulh.us', 'readme.run'],
];

/** Whether the name only occurs in private networks: `nas`, `nas.lan` or `fritz.box`. */
export function isPrivateHostName(name: string): boolean {
  return !name.includes('.') || [...privateSuffixes, ...routerNames].some(isWithinDomain(name));
}

export function isRebindingHostName(name: string): boolean {
  return rebindingSuffixes.some(isWithinDomain(name));
}

const isWithinDomain = (name: string) => (suffix: string) => name === suffix || name.endsWith(`.${suffix}`);

/** Names that lead into a private network, whatever stands before them. */

/** No public server has them: kept for private use, or handed out by routers and offices all the same. */
const privateSuffixes = [
  ...['local', 'localhost', 'localdomain', 'localnet', 'internal', 'intranet', 'intern', 'private', 'priv'],
  ...['corp', 'lan', 'loc', 'home', 'home.arpa', 'mail', 'svc', 'domain', 'workgroup', 'wpad', 'wlan', 'ip'],
  ...['router', 'gateway', 'modem', 'nas', 'belkin', 'dlink', 'test', 'example', 'invalid', 'onion', 'alt'],
  // A tailnet's own devices.
  ...['ts.net', 'beta.tailscale.net'],
];

/** Public in spelling; a router or a filter in the house answers to them itself. */
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

/** Services whose names resolve to any address that is written into them, or always to this device. */
const rebindingSuffixes = [
  ...['nip.io', 'sslip.io', 'xip.io', 'nip.direct', 'xip.name', 'ip6.name', 'backname.io', 'traefik.me'],
  ...['local-ip.co', 'local-ip.sh', 'my-local-ip.com', 'plex.direct', 'localhost.direct', 'lcl.host'],
  ...['localtest.me', 'localdev.me', 'lvh.me', 'vcap.me', 'fuf.me', 'lacolhost.com', 'localho.st'],
  ...['local.gd', 'rbndr.us', '1u.ms', 'yoogle.com', 'ulh.us', 'readme.run'],
];

/** A name that only a private network gives or answers to: `nas`, `nas.lan`, `fritz.box`. */
export function isPrivateName(name: string): boolean {
  return !name.includes('.') || [...privateSuffixes, ...routerNames].some(isWithin(name));
}

export function isRebindingName(name: string): boolean {
  return rebindingSuffixes.some(isWithin(name));
}

const isWithin = (name: string) => (suffix: string) => name === suffix || name.endsWith(`.${suffix}`);

/**
 * Which part of a host name its owner bought: `example.co.uk` of `en.wikipedia.org.example.co.uk`. An approximation of
 * the public suffix list, which is 200 kB: suffixes that many names are registered under. Of one that is not known the
 * last two labels count; that shows too little of the name, never another one.
 */

/** What registries sell below, where the last label is a country's. */
const secondLevels = new Set([
  ...['ac', 'co', 'com', 'edu', 'gob', 'gouv', 'gov', 'govt', 'id', 'ltd', 'me', 'mil', 'ne', 'net', 'nic'],
  ...['nom', 'or', 'org', 'plc', 'sch', 'web', 'go', 'gr', 'ad', 'lg', 'firm', 'gen', 'ind', 'info', 'asn'],
]);

/** Where anybody gets a name of their own. */
const shared = [
  ...['github.io', 'gitlab.io', 'pages.dev', 'workers.dev', 'vercel.app', 'netlify.app', 'herokuapp.com'],
  ...['web.app', 'firebaseapp.com', 'appspot.com', 'run.app', 'blogspot.com', 'cloudfront.net', 'fly.dev'],
  ...['amazonaws.com', 'azurewebsites.net', 'windows.net', 'onrender.com', 'glitch.me', 'deno.dev', 'eu.org'],
  ...[
    'wordpress.com',
    'tumblr.com',
    'surge.sh',
    'ngrok.io',
    'ngrok.app',
    'ngrok-free.app',
    'trycloudflare.com',
  ],
  ...['duckdns.org', 'dyndns.org', 'ddns.net', 'no-ip.org', 'neocities.org', 'readthedocs.io', 'repl.co'],
];

export interface HostParts {
  /** What its owner may write there; with the dot behind it, or ''. */
  below: string;
  /** With its port, if it has one. */
  own: string;
}

export function splitHost(host: string): HostParts {
  // A number, or no name that is registered: one part.
  if (/^[\d.]+(:\d+)?$/.test(host) || !/^[^.[\]@\s]+(\.[^.[\]@\s]+)+$/.test(host))
    return { below: '', own: host };
  const labels = host.split('.');
  const name = host.replace(/:\d+$/, '');
  const [top = '', second = ''] = name.split('.').reverse();
  const isBelowCountry = top.length === 2 && secondLevels.has(second);
  const suffix = shared.find((known) => name === known || name.endsWith(`.${known}`));
  const count = suffix === undefined ? (isBelowCountry ? 3 : 2) : suffix.split('.').length + 1;
  const below = labels.slice(0, -count);
  return { below: below.map((label) => `${label}.`).join(''), own: labels.slice(-count).join('.') };
}

/** For a button: whole while it is short, else by the part that its owner bought. */
export function shortHost(host: string): string {
  return host.length <= 40 ? host : `…${splitHost(host).own}`;
}

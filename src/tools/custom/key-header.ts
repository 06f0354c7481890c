/** Header names that services use for keys, alone or as the last part. */
const keyHeaderEndings = [
  ...['authorization', 'auth', 'key', 'apikey', 'api-key', 'token', 'secret', 'appid', 'app-id', 'client-id'],
  ...['access-key', 'api-secret', 'password'],
];
/** Headers that browsers reserve or that have another meaning to servers. */
const reservedHeaders = /^(?:proxy|sec|access-control)-/i;

/** Uses an allowlist: a key in `accept` would be sent to any host, and `x-http-method-override` changes the request. */
export function carriesKey(header: string): boolean {
  const name = header.toLowerCase();
  if (!/^[a-z][a-z\d-]{0,60}$/.test(name) || reservedHeaders.test(name)) return false;
  return keyHeaderEndings.some((ending) => name === ending || name.endsWith(`-${ending}`));
}

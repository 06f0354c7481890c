/** Which headers may carry a key. */

/** As services name them: the last part says that it is a key. */
const endings = [
  ...['authorization', 'auth', 'key', 'apikey', 'api-key', 'token', 'secret', 'appid', 'app-id', 'client-id'],
  ...['access-key', 'api-secret', 'password'],
];
/** What a browser keeps to itself, or what means something else to it and to servers. */
const kept = /^(?:proxy|sec|access-control)-/i;

/**
 * A list, not whatever is no known header: a key in `accept` would go where any request may go, and one in
 * `x-http-method-override` would change what is asked.
 */
export function carriesKey(header: string): boolean {
  const name = header.toLowerCase();
  if (!/^[a-z][a-z\d-]{0,60}$/.test(name) || kept.test(name)) return false;
  return endings.some((ending) => name === ending || name.endsWith(`-${ending}`));
}

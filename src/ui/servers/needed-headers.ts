/** What a server must send so that a page of another origin may read it: the headers of CORS, line by line. */

/** As the client of the protocol sends them. */
const requestHeaders = [
  'authorization',
  'content-type',
  'accept',
  'mcp-protocol-version',
  'mcp-session-id',
  'mcp-method',
  'mcp-name',
  'last-event-id',
];

/** `ownHeader` is the one that the person sends their key with, or ''. */
export function neededHeaders(origin: string, ownHeader: string): string {
  const own = ownHeader.trim().toLowerCase();
  const allowed = own === '' || requestHeaders.includes(own) ? requestHeaders : [...requestHeaders, own];
  return [
    `Access-Control-Allow-Origin: ${origin}`,
    'Access-Control-Allow-Methods: GET, POST, DELETE',
    `Access-Control-Allow-Headers: ${allowed.join(', ')}`,
    'Access-Control-Expose-Headers: mcp-session-id, www-authenticate',
  ].join('\n');
}

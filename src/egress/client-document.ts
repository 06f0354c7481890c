/**
 * What Hearth says of itself to servers of logins (client ID metadata document): a file beside the app, where whoever hosts it has put one.
 * How: docs/how-to/connect-a-server.md.
 */

/** Its address, where it is there and names itself; '' where it is not. `baseUrl` is that of the app. */
export async function findClientDocument(baseUrl: string): Promise<string> {
  const url = new URL('client-metadata.json', baseUrl);
  if (url.protocol !== 'https:') return '';
  try {
    const response = await fetch(url, { credentials: 'omit', redirect: 'error' });
    const document: unknown = await response.json();
    const isOwn = typeof document === 'object' && document !== null && 'client_id' in document;
    return isOwn && document.client_id === url.href ? url.href : '';
  } catch {
    return '';
  }
}

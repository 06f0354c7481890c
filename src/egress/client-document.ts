/** URL of Hearth's client ID metadata document, or '' if there is none. See docs/how-to/connect-a-server.md. */
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

/** The address a page is asked for under, from what a person or a model wrote. */
import type { Read } from '../../../contracts/schema';

/** Without a scheme it is https. Whether it may be asked is for the gate to say. */
export function pageAddress(written: string): Read<URL> {
  const text = written.trim();
  const whole = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`;
  const isPage = URL.canParse(whole) && /^https?:$/.test(new URL(whole).protocol);
  if (!isPage || /\s/.test(text)) {
    return {
      ok: false,
      reason: `"${text.slice(0, 80)}" is no address of a web page; one looks like https://example.com/page`,
    };
  }
  return { ok: true, value: new URL(whole) };
}

/**
 * Through a proxy of the person's own: where `{url}` stands the page's address is put in, else it is added at the end.
 * Missing where no proxy is set, or none that is an address.
 */
export function proxied(proxyUrl: string, url: string): URL | undefined {
  if (proxyUrl.trim() === '') return undefined;
  const whole = proxyUrl.includes('{url}')
    ? proxyUrl.replaceAll('{url}', encodeURIComponent(url))
    : proxyUrl + (/[?=]/.test(proxyUrl) ? encodeURIComponent(url) : url);
  return URL.canParse(whole) ? new URL(whole) : undefined;
}

/** The one check of every address in a reply: which may be followed, and when the reader must be shown its host. */

export interface SafeLink {
  href: string;
  /** `host:port`, in punycode where it is not ASCII; the address itself for mail. */
  host: string;
}

const allowed = new Set(['https:', 'http:', 'mailto:']);
/** What could pass for an address: a URL, a mail address or a bare host name. */
const address =
  /(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+|[^\s@]+@[^\s@]+\.\S+|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/iu;
/** Characters that are not seen, or that turn the order of what is. */
const unseen = /[\p{Cf}\u2028\u2029]/gu;

/** Nothing unless `href` is a whole https, http or mailto address. */
export function readLink(href: string): SafeLink | undefined {
  // `canParse` first: a parser that throws for each relative link is slow.
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  if (!allowed.has(url.protocol)) return undefined;
  return { href: url.href, host: url.protocol === 'mailto:' ? decodeMail(url.pathname) : url.host };
}

/** Whether the label could be taken for another place than where the link leads. */
export function isMisleading(label: string, link: SafeLink): boolean {
  const url = new URL(link.href);
  if (url.username !== '' || url.password !== '' || /(?:^|\.)xn--/.test(url.host)) return true;
  const shown = hostIn(label);
  return shown !== undefined && shown.host !== link.host;
}

/** Whether the label names the very place. */
export function isHostShown(label: string, link: SafeLink): boolean {
  return hostIn(label)?.host === link.host;
}

/**
 * Whether a reader is shown where it leads before it is followed. `isFound`: the address stands in what the person wrote
 * or in a result, or nothing from outside is in the chat. Any other could tell its server something, by the host too.
 */
export function mustConfirm(label: string, link: SafeLink, isFound: boolean): boolean {
  return !isFound || isMisleading(label, link);
}

/** Undefined where the label names no place; without a host where it cannot be read. */
function hostIn(label: string): { host?: string } | undefined {
  const seen = address.exec(label.replace(unseen, ''))?.[0];
  if (seen === undefined) return undefined;
  return readLink(seen) ?? readLink(seen.includes('@') ? `mailto:${seen}` : `https://${seen}`) ?? {};
}

function decodeMail(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

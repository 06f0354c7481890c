export interface Address {
  /** Normalised by the browser, including the fragment, so equal addresses have equal `href`. */
  href: string;
  /** In lower case and punycode, without a default port or a trailing dot. */
  host: string;
  /** Number of characters after the host. A longer tail can carry more data. */
  tailLength: number;
}

/** Undefined unless the text is a full http(s) address without user name and password. */
export function readAddress(text: string): Address | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const { href, host, pathname, search, hash } = url;
  return { href, host, tailLength: pathname.length + search.length + hash.length };
}

export function readHost(text: string): string | undefined {
  const address = readAddress(`https://${text}`);
  return address && address.tailLength <= 1 ? address.host : undefined;
}

/** Matches an address with a scheme. The match ends before a character that is invalid in addresses, or before the next address in a list. */
const fullAddressPattern = /https?:\/\/(?:(?![,;，；、]\s*https?:\/\/)[^\s<>"`{}|\\^])+/gi;
/** Matches a domain or IPv4 address without a scheme. Skips domains inside an email address or a longer web address. */
const bareAddressPattern =
  /(?<![\p{L}\p{N}@:/._=&?%#+~-])(?:(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?(?![\p{L}\p{N}@-])(?:[/?#][^\s<>"`{}|\\^]*)?/giu;
/** Like `bareAddressPattern`, but also matches a domain between letters of a script without spaces: `打开example.com看看`. */
const bareAsciiAddressPattern =
  /(?<![a-z0-9@:/._=&?%#+~-])(?:(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,})(?::\d{1,5})?(?![a-z0-9@-])(?:[/?#][^\s<>"`{}|\\^]*)?/gi;

const finalPunctuationPattern = /[.,:;!?'")\]*_~，。：；！？、）】》」』”’…]$/u;
const fullWidthPunctuation = /[，。：；！？、（）【】《》「」『』“”‘’…]/u;
const maxTrimmedCharacters = 6;
const maxAddressCharacters = 4_000;

/** Returns each address either with or without the punctuation after it, never both: a model could encode data by choosing between them. */
export function findAddresses(text: string): Set<string> {
  const found = new Set<string>();
  for (const { 0: run, index } of text.matchAll(fullAddressPattern)) {
    if (run.length > maxAddressCharacters) continue;
    const isLine = /^(?:\n|$)/.test(text.slice(index + run.length, index + run.length + 1));
    addValidAddresses(found, [
      isLine && isEmptyOrLabel(text.slice(text.lastIndexOf('\n', index) + 1, index)) ? run : trimAddress(run),
    ]);
  }
  return found;
}

/** True if nothing, or a label such as `- Home: `, precedes the address on its line. The address then ends with the line. */
function isEmptyOrLabel(before: string): boolean {
  return before === '' || (before.startsWith('- ') && before.endsWith(': '));
}

function trimAddress(run: string): string {
  let end = textBefore(run, fullWidthPunctuation);
  while (
    finalPunctuationPattern.test(end) &&
    !(end.endsWith(')') && end.split('(').length >= end.split(')').length)
  ) {
    end = end.slice(0, -1);
  }
  return end;
}

/** Finds every address that the user may have meant, even without `https://`. */
export function findTypedAddresses(text: string): Set<string> {
  const found = new Set<string>();
  for (const [run] of text.matchAll(fullAddressPattern)) addValidAddresses(found, listAddressCandidates(run));
  for (const href of [...found]) addValidAddresses(found, [href.replace(/^http:/, 'https:')]);
  for (const pattern of [bareAddressPattern, bareAsciiAddressPattern]) {
    for (const [run] of text.matchAll(pattern)) {
      for (const end of listAddressCandidates(run))
        addValidAddresses(found, [`https://${end}`, `http://${end}`]);
    }
  }
  return found;
}

function addValidAddresses(found: Set<string>, candidates: Iterable<string>): void {
  for (const candidate of candidates) {
    const address = readAddress(candidate);
    if (address) found.add(address.href);
  }
}

function* listAddressCandidates(run: string): Generator<string> {
  for (const cut of new Set([run, textBefore(run, fullWidthPunctuation), textBefore(run, /[^\x21-\x7e]/)])) {
    let end = cut;
    for (let taken = 0; taken <= maxTrimmedCharacters && end !== ''; taken++) {
      yield end;
      if (!finalPunctuationPattern.test(end)) break;
      end = end.slice(0, -1);
    }
  }
}

function textBefore(text: string, stop: RegExp): string {
  const at = text.search(stop);
  return at < 0 ? text : text.slice(0, at);
}

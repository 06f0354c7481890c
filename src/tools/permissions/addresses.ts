/** Addresses as they go over the wire: those of a call, and those that stand in a text. */

export interface Address {
  /** As the browser sends it, with the fragment: two addresses are the same if this is. */
  href: string;
  /** Lower case, in punycode, with a port that is not the usual one, without a dot at its end. */
  host: string;
  /** Characters behind the host: how much could be told by it. */
  tailLength: number;
}

/** Nothing unless it is a whole http or https address without user name and password. */
export function readAddress(text: string): Address | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  // The dot says only that the name is whole: it is the same host.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const { href, host, pathname, search, hash } = url;
  return { href, host, tailLength: pathname.length + search.length + hash.length };
}

/** A host as a person or a tool names it, as `Address.host` has it. */
export function readHost(text: string): string | undefined {
  const address = readAddress(`https://${text}`);
  return address && address.tailLength <= 1 ? address.host : undefined;
}

/** Up to what no address holds unwritten; two that stand in a list are two. */
const withScheme = /https?:\/\/(?:(?![,;，；、]\s*https?:\/\/)[^\s<>"`{}|\\^])+/gi;
/** A name with a dot in it, or four numbers, that is no part of a mail address or of another address. */
const bare =
  /(?<![\p{L}\p{N}@:/._=&?%#+~-])(?:(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?(?![\p{L}\p{N}@-])(?:[/?#][^\s<>"`{}|\\^]*)?/giu;
/** Between letters that are written without spaces: `打开example.com看看`. */
const bareAscii =
  /(?<![a-z0-9@:/._=&?%#+~-])(?:(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,})(?::\d{1,5})?(?![a-z0-9@-])(?:[/?#][^\s<>"`{}|\\^]*)?/gi;

/** What ends a sentence or a bracket, and is seldom the end of an address. */
const ending = /[.,:;!?'")\]*_~，。：；！？、）】》」』”’…]$/u;
const fullWidth = /[，。：；！？、（）【】《》「」『』“”‘’…]/u;
const maxEndings = 6;
/** Characters: no address that may be asked is longer. */
const maxRun = 4_000;

/**
 * Every address that stands whole in `text`, each with one ending: what ends a sentence or a bracket is no part of it.
 * More would be a choice, by which a page could be told something.
 */
export function addressesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const { 0: run, index } of text.matchAll(withScheme)) {
    if (run.length > maxRun) continue;
    const isLine = /^(?:\n|$)/.test(text.slice(index + run.length, index + run.length + 1));
    addEach(found, [
      isLine && isListed(text.slice(text.lastIndexOf('\n', index) + 1, index)) ? run : likelyEnd(run),
    ]);
  }
  return found;
}

/** A line of its own, or of the list of links beneath a page: there an address ends with its line. */
function isListed(before: string): boolean {
  return before === '' || (before.startsWith('- ') && before.endsWith(': '));
}

/** Without what ends a sentence; a bracket that the address itself opens belongs to it. */
function likelyEnd(run: string): string {
  let end = upTo(run, fullWidth);
  while (ending.test(end) && !(end.endsWith(')') && end.split('(').length >= end.split(')').length)) {
    end = end.slice(0, -1);
  }
  return end;
}

/**
 * Every address a person meant by what they typed: also without `https://`, and with `http://` where the call asks
 * the same in the safer way.
 */
export function addressesTyped(text: string): Set<string> {
  const found = new Set<string>();
  for (const [run] of text.matchAll(withScheme)) addEach(found, endingsOf(run));
  for (const href of [...found]) addEach(found, [href.replace(/^http:/, 'https:')]);
  for (const pattern of [bare, bareAscii]) {
    for (const [run] of text.matchAll(pattern)) {
      for (const end of endingsOf(run)) addEach(found, [`https://${end}`, `http://${end}`]);
    }
  }
  return found;
}

function addEach(found: Set<string>, candidates: Iterable<string>): void {
  for (const candidate of candidates) {
    const address = readAddress(candidate);
    if (address) found.add(address.href);
  }
}

function* endingsOf(run: string): Generator<string> {
  for (const cut of new Set([run, upTo(run, fullWidth), upTo(run, /[^\x21-\x7e]/)])) {
    let end = cut;
    for (let taken = 0; taken <= maxEndings && end !== ''; taken++) {
      yield end;
      if (!ending.test(end)) break;
      end = end.slice(0, -1);
    }
  }
}

function upTo(text: string, stop: RegExp): string {
  const at = text.search(stop);
  return at < 0 ? text : text.slice(0, at);
}

/** Shared by tool requests and downloads: sends a request, checks its final address, and reads its body. */
import { type CheckedUrl, checkUrl, isUserAllowed, originOf } from './gate';
import { networkScopeOf } from './nearness';

/** Whether `fetch` has the Chromium option `targetAddressSpace`. A browser with this option rejects an invalid value. */
let hasAddressSpaceOption: boolean | undefined;
function supportsAddressSpaces(): boolean {
  if (hasAddressSpaceOption !== undefined) return hasAddressSpaceOption;
  const init: RequestInit & { targetAddressSpace: string } = { targetAddressSpace: 'nowhere' };
  try {
    new Request('https://hearth.invalid/', init);
    return (hasAddressSpaceOption = false);
  } catch {
    return (hasAddressSpaceOption = true);
  }
}

/** Sends a request without cookies, referrer or cache. If possible, stops a public host name from resolving to a private address. */
export function fetchExternal(url: URL, allowedAddresses: readonly string[], init: RequestInit) {
  return fetch(url, {
    mode: 'cors',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    ...addressSpaceOf(url, allowedAddresses),
    ...init,
  });
}

/** Checks the final address after redirects. A public request must not end at a private address, even an allowed one. */
export function checkFinalAddress(url: URL, end: string, allowedAddresses: readonly string[]): CheckedUrl {
  const own = allowedAddresses.filter((address) => originOf(address) === url.origin);
  return checkUrl(end, own);
}

/** Some browsers cannot iterate a stream, so this function uses a reader. */
export async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const next = await reader?.read();
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    // Do not await the cancellation, which may never finish.
    void reader?.cancel().catch(() => undefined);
  }
}

/** `signal` aborts after `ms` milliseconds without a call to `heard`. */
export function watchSilence(ms: number) {
  const silent = new AbortController();
  const wait = () => setTimeout(() => silent.abort(), ms);
  let timer = wait();
  return {
    signal: silent.signal,
    heard: (): void => {
      clearTimeout(timer);
      timer = wait();
    },
    end: (): void => clearTimeout(timer),
  };
}

/** Returns the `fetch` option that keeps a public host name from resolving to a private address. Empty if not needed or not supported. */
function addressSpaceOf(url: URL, allowedAddresses: readonly string[]) {
  // For a local address that the user allowed, this option also permits http from an https page.
  const targetAddressSpace = isUserAllowed(url, allowedAddresses) ? networkScopeOf(url.hostname) : 'public';
  return targetAddressSpace && supportsAddressSpaces() ? { targetAddressSpace } : {};
}

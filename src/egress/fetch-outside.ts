/** What tools' requests and downloads share: how a request is sent, where it may end, and how its body is read. */
import { type Checked, checkUrl, originOf } from './gate';
import { nearnessOf } from './nearness';

type AddressSpace = 'public' | 'local' | 'loopback';

/** Only Chromium knows this `fetch` option, and it rejects unknown values. */
let isKnown: boolean | undefined;
function knowsAddressSpaces(): boolean {
  if (isKnown === undefined) {
    const init: RequestInit & { targetAddressSpace: string } = { targetAddressSpace: 'nowhere' };
    try {
      new Request('https://hearth.invalid/', init);
      isKnown = false;
    } catch {
      isKnown = true;
    }
  }
  return isKnown;
}

/** Sends a request without cookies, referrer or cache, and keeps a public host name from resolving into the private network, if the browser can. */
export function fetchOutside(
  url: URL,
  allowedAddresses: readonly string[],
  init: RequestInit,
): Promise<Response> {
  return fetch(url, {
    mode: 'cors',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    ...addressSpaceOf(url, allowedAddresses),
    ...init,
  });
}

/** Checks the final address after redirects. A public request may not end at an allowed private address. */
export function checkEnd(url: URL, end: string, allowedAddresses: readonly string[]): Checked {
  return checkUrl(
    end,
    allowedAddresses.filter((address) => originOf(address) === url.origin),
  );
}

/** Uses a reader, because not every browser can iterate a stream. */
export async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const next = await reader?.read();
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    // Don't wait for the cancellation, which may never end.
    void reader?.cancel().catch(() => undefined);
  }
}

/** `signal` aborts after `ms` milliseconds without a call of `heard`. */
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

/** The `fetch` option for this address. Empty for an address that the user allowed, unless its name is local. */
function addressSpaceOf(
  url: URL,
  allowedAddresses: readonly string[],
): { targetAddressSpace?: AddressSpace } {
  if (!knowsAddressSpaces()) return {};
  if (!allowedAddresses.some((address) => originOf(address) === url.origin)) {
    return { targetAddressSpace: 'public' };
  }
  // Naming the address space also lets an https page request it over http.
  const targetAddressSpace = nearnessOf(url.hostname);
  return targetAddressSpace === undefined ? {} : { targetAddressSpace };
}

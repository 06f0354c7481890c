/** Keeps a public host name from resolving into the private network, if the browser can. */
import { originOf } from './gate';
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

/** The `fetch` option for this address. Empty for an address that the user allowed, unless its name is local. */
export function addressSpaceOf(
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

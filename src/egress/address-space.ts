/** Holds a public name to the public internet where the browser can: also if its DNS points into the private network. */
import { originOf } from './gate';
import { nearnessOf } from './nearness';

type AddressSpace = 'public' | 'local' | 'loopback';

/** Chromium alone knows the option, and then refuses a value it does not know. */
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

/** The option of `fetch` for this address; none for an address that the person allowed, wherever it may be. */
export function addressSpaceOf(
  url: URL,
  allowedAddresses: readonly string[],
): { targetAddressSpace?: AddressSpace } {
  if (!knowsAddressSpaces()) return {};
  if (!allowedAddresses.some((address) => originOf(address) === url.origin)) {
    return { targetAddressSpace: 'public' };
  }
  // Said aloud, it may be asked over http from an https page too.
  const targetAddressSpace = nearnessOf(url.hostname);
  return targetAddressSpace === undefined ? {} : { targetAddressSpace };
}

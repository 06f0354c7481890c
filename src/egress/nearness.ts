/** PURE: whether a host is this device, or of its own network, by its spelling. */
import { isIpAddress, ownerOf } from './ip-ranges';
import { isPrivateName } from './private-names';

/** Undefined where it is of the public internet, as far as its spelling says. */
export function nearnessOf(hostname: string): 'loopback' | 'local' | undefined {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]') return 'loopback';
  if (isIpAddress(hostname)) {
    if (hostname.startsWith('127.')) return 'loopback';
    return ownerOf(hostname) === undefined ? undefined : 'local';
  }
  return isPrivateName(hostname) ? 'local' : undefined;
}

/** What could not get out anyway is said at once: the person is not asked for leave that would be of no use. */
import type { Interceptor } from '../../contracts/turn';
import { reachesOutside } from '../../contracts/tool';
import { offlineMessage } from '../../egress/messages';

/** `refuse` says why an address may not be asked by that tool, or nothing. */
export function createDoorCheck(
  isOnline: () => boolean,
  refuse: (url: string, tool: string) => string | undefined,
): Interceptor & Required<Pick<Interceptor, 'before'>> {
  return {
    before(_call, { tool, effects }) {
      if (!reachesOutside(effects)) return Promise.resolve('go');
      if (!isOnline()) return Promise.resolve({ block: offlineMessage, failure: 'offline' });
      const urls = effects.type === 'net-read' ? effects.urls : [];
      const refused = urls.map((url) => refuse(url, tool.name)).find((reason) => reason !== undefined);
      return Promise.resolve(refused === undefined ? 'go' : { block: refused, failure: 'address' });
    },
  };
}

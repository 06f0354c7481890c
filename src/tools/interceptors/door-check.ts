/** What could not get out anyway is said at once: the person is not asked for leave that would be of no use. */
import type { Interceptor } from '../../contracts/interceptor';
import type { Tool } from '../../contracts/tool';
import { offlineMessage } from '../../egress/messages';

/** `refuse` says why an address may not be asked by that tool, or nothing. */
export function createDoorCheck(
  tools: readonly Tool[],
  isOnline: () => boolean,
  refuse: (url: string, tool: string) => string | undefined,
): Interceptor {
  return {
    before({ name, arguments: input }) {
      const effects = tools.find((tool) => tool.name === name)?.effects(input);
      const isOutside = effects !== undefined && !['pure', 'side-effect'].includes(effects.type);
      if (!isOutside) return Promise.resolve('go');
      if (!isOnline()) return Promise.resolve({ block: offlineMessage, failure: 'offline' });
      const urls = effects.type === 'net-read' ? effects.urls : [];
      const refused = urls.map((url) => refuse(url, name)).find((reason) => reason !== undefined);
      return Promise.resolve(refused === undefined ? 'go' : { block: refused, failure: 'address' });
    },
  };
}

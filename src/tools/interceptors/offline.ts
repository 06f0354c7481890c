/** Says at once that there is no network, before the person is asked for leave to use it. */
import type { Interceptor } from '../../contracts/interceptor';
import type { Tool } from '../../contracts/tool';
import { offlineMessage } from '../../egress/messages';

export function createOfflineCheck(tools: readonly Tool[], isOnline: () => boolean): Interceptor {
  return {
    before({ name, arguments: input }) {
      const effects = tools.find((tool) => tool.name === name)?.effects(input).type;
      const isOutside = effects === 'net-read' || effects === 'search' || effects === 'net-hosts';
      return Promise.resolve(isOutside && !isOnline() ? { block: offlineMessage } : 'go');
    },
  };
}

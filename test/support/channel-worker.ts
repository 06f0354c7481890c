/** Fake workers in this thread, at the other ends of real message channels. */
import { expose } from 'comlink';

export interface ChannelWorker {
  isEnded: boolean;
  crash: () => void;
}

/** Each new worker gets the next behaviour. Throws if there are more workers than behaviours. */
export function createChannelWorkers(...behaviours: object[]) {
  const workers: ChannelWorker[] = [];
  const startWorker = () => {
    const behaviour = behaviours[workers.length];
    if (!behaviour) throw new Error('One worker too many.');
    const { port1, port2 } = new MessageChannel();
    expose(behaviour, port2);
    const state = {
      isEnded: false,
      crash: () => port1.dispatchEvent(Object.assign(new Event('error'), { message: 'It threw.' })),
    };
    workers.push(state);
    const terminate = () => {
      state.isEnded = true;
      port1.close();
    };
    return Object.assign(port1, { terminate }) as unknown as Worker;
  };
  return { workers, startWorker };
}

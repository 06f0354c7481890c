/** The page's end of the egress worker: what tools are handed to reach outside. Every request is written down, refused ones too. */
import {
  type Egress,
  EgressError,
  type EgressFailure,
  type EgressRequest,
  type RequestRecord,
} from '../contracts/egress';
import { keepWorker } from '../platform/worker-client';
import { countSent } from './count-sent';
import { checkUrl } from './gate';
import { diedMessage, offlineMessage, stoppedMessage } from './messages';
import { EgressOutcome, type EgressWorkerApi } from './outcome';

export interface EgressOptions {
  /** Called for the first request, and for the first after a worker that died. */
  startWorker: () => Worker;
  /** Origins the person allowed in Settings, as they are at this moment. */
  allowedAddresses: () => readonly string[];
  record: (record: RequestRecord) => void;
  isOnline: () => boolean;
  newId: () => string;
  /** Milliseconds since the epoch. */
  date: () => number;
}

/** Milliseconds after its own limit by which a request must have been answered, or the worker is taken for dead. */
const graceMs = 5_000;
/** After Stop, until what went over the line is no longer waited for. */
const stopMs = 1_000;

/** The door, and a look at whether it would open: for whoever wants to know before a person is asked. */
export interface EgressClient extends Egress {
  /** Why the gate refuses this address, written down as a refused request; undefined where it does not. */
  refuse: (url: string, tool: string) => string | undefined;
}

export function createEgress(options: EgressOptions): EgressClient {
  const worker = keepWorker<EgressWorkerApi>(options.startWorker, () => new Error(diedMessage));

  async function ask(request: EgressRequest, signal: AbortSignal): Promise<EgressOutcome> {
    const allowedAddresses = [...options.allowedAddresses()];
    const checked = checkUrl(request.url, allowedAddresses);
    if (!checked.ok) return notSent('refused-address', checked.reason);
    if (signal.aborted) return notSent('stopped', stoppedMessage);
    if (!options.isOnline()) return notSent('offline', offlineMessage);
    const { remote, ended, end } = worker();
    const id = options.newId();
    const over = new AbortController();
    return new Promise<EgressOutcome>((resolve) => {
      // Nobody knows then how far it came: it is counted as sent.
      const giveUp = (failure: EgressFailure, message: string) => () =>
        resolve({ ...notSent(failure, message), sentBytes: countSent(request) });
      const die = giveUp('unreachable', diedMessage);
      const timers = [setTimeout(() => end(new Error(diedMessage)), request.timeoutMs + graceMs)];
      over.signal.addEventListener('abort', () => timers.forEach(clearTimeout));
      ended.addEventListener('abort', die, { signal: over.signal });
      const stop = () => {
        void remote.stop(id);
        timers.push(setTimeout(giveUp('stopped', stoppedMessage), stopMs));
      };
      signal.addEventListener('abort', stop, { signal: over.signal });
      remote
        .send(id, request, allowedAddresses)
        .then((outcome) => resolve(EgressOutcome.parse(outcome)))
        .catch(die);
    }).finally(() => over.abort());
  }

  return {
    refuse(url, tool) {
      const checked = checkUrl(url, options.allowedAddresses());
      if (checked.ok) return undefined;
      options.record({
        ...{ id: options.newId(), at: options.date(), tool, method: 'GET', host: hostOf(url) },
        ...{ sentBytes: 0, receivedBytes: 0, durationMs: 0, outcome: 'refused-address' },
      });
      return checked.reason;
    },
    async send(request, signal) {
      const at = options.date();
      const outcome = await ask(request, signal);
      const { sentBytes, receivedBytes } = outcome;
      options.record({
        id: options.newId(),
        at,
        tool: request.tool,
        method: request.method,
        host: hostOf(request.url),
        ...(outcome.ok && endedElsewhere(request.url, outcome.response.url)),
        sentBytes,
        receivedBytes,
        durationMs: options.date() - at,
        outcome: outcome.ok ? outcome.response.status : outcome.failure,
      });
      if (outcome.ok) return outcome.response;
      throw new EgressError(outcome.failure, outcome.message);
    },
  };
}

function notSent(failure: EgressFailure, message: string): EgressOutcome {
  return { ok: false, failure, message, sentBytes: 0, receivedBytes: 0 };
}

/** The host that answered, where redirects led to another one. */
function endedElsewhere(url: string, end: string): { endHost?: string } {
  return hostOf(end) === hostOf(url) ? {} : { endHost: hostOf(end) };
}

/** '' where the address has none. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

/** The page's side of the egress worker, through which tools reach the network. Logs every request, including refused ones. */
import { type Remote, transfer } from 'comlink';
import {
  type ByteEgress,
  EgressError,
  type EgressFailure,
  type EgressRequest,
  type RequestRecord,
  type ResponseHead,
  type StreamingEgress,
} from '../contracts/egress';
import { createInbox } from '../contracts/inbox';
import { read } from '../contracts/schema';
import { reuseWorker } from '../platform/worker-client';
import {
  BytesOutcome,
  countBytes,
  EgressOutcome,
  type EgressWorkerApi,
  type Failure,
  type StreamEnd,
  StreamEvent,
  type Traffic,
  crashMessage,
  hostOf,
  offlineMessage,
  requestStoppedMessage,
} from './outcome';
import { checkUrl } from './gate';
import { networkScopeOf } from './nearness';
import type { OutgoingRequest } from './send-outside';

export interface EgressOptions {
  startWorker: () => Worker;
  allowedAddresses: () => readonly string[];
  record: (record: RequestRecord) => void;
  isOnline: () => boolean;
  newId: () => string;
  date: () => number;
}

/** If the worker exceeds the timeout of a request by this many milliseconds, we assume that it is dead. */
const timeoutGraceMs = 5_000;
const stopGraceMs = 1_000;

/** `refuse` logs a refused address and returns the reason. Undefined if the address is allowed. */
type EgressClient = StreamingEgress &
  ByteEgress & { refuse: (url: string, tool: string) => string | undefined };

export function createEgress(options: EgressOptions): EgressClient {
  const worker = reuseWorker<EgressWorkerApi>(options.startWorker, () => new Error(crashMessage));

  /** Sends one request through the worker, unless the gate refuses it. If the worker is silent for `limitMs`, assumes that it is dead. */
  async function ask<Answer extends Traffic>(
    request: OutgoingRequest,
    limitMs: number,
    signal: AbortSignal,
    call: (parts: {
      remote: Remote<EgressWorkerApi>;
      id: string;
      allowedAddresses: readonly string[];
      heard: (receivedBytes: number) => void;
    }) => Promise<Answer>,
  ): Promise<Answer | Failure> {
    const allowedAddresses = [...options.allowedAddresses()];
    const checked = checkUrl(request.url, allowedAddresses);
    if (!checked.ok) return createUnsentFailure('refused-address', checked.reason);
    if (signal.aborted) return createUnsentFailure('stopped', requestStoppedMessage);
    // An offline device can still reach hosts on itself or its network.
    const isNear = networkScopeOf(checked.url.hostname) !== undefined;
    if (!options.isOnline() && !isNear) return createUnsentFailure('offline', offlineMessage);
    const { remote, ended, end } = worker();
    const id = options.newId();
    const over = new AbortController();
    return new Promise<Answer | Failure>((resolve) => {
      let receivedBytes = 0;
      // We do not know how much the worker has sent, so count the whole request.
      const giveUp = (failure: EgressFailure, message: string) => () =>
        resolve({ ...createUnsentFailure(failure, message), sentBytes: countBytes(request), receivedBytes });
      const die = giveUp('unreachable', crashMessage);
      let silence: ReturnType<typeof setTimeout> | undefined;
      const heard = (bytes: number) => {
        receivedBytes = bytes;
        clearTimeout(silence);
        if (!over.signal.aborted)
          silence = setTimeout(() => end(new Error(crashMessage)), limitMs + timeoutGraceMs);
      };
      heard(0);
      let stopping: ReturnType<typeof setTimeout> | undefined;
      const stop = () => {
        void remote.stop(id);
        stopping = setTimeout(giveUp('stopped', requestStoppedMessage), stopGraceMs);
      };
      over.signal.addEventListener('abort', () => [silence, stopping].forEach(clearTimeout));
      ended.addEventListener('abort', die, { signal: over.signal });
      signal.addEventListener('abort', stop, { signal: over.signal });
      call({ remote, id, allowedAddresses, heard }).then(resolve, die);
    }).finally(() => over.abort());
  }

  function log(
    { url, tool, method }: Pick<OutgoingRequest, 'url' | 'tool' | 'method'>,
    at: number,
    { sentBytes, receivedBytes }: Traffic,
    outcome: RequestRecord['outcome'],
    head?: ResponseHead,
  ): void {
    const host = hostOf(url);
    const endHost = hostOf(head?.url ?? url);
    options.record({
      id: options.newId(),
      at,
      tool,
      method,
      host,
      ...(endHost !== host && { endHost }),
      sentBytes,
      receivedBytes,
      durationMs: options.date() - at,
      outcome,
    });
  }

  async function askForAll<Response extends ResponseHead>(
    method: 'send' | 'load',
    outcomeSchema: { parse: (outcome: unknown) => (Traffic & { ok: true; response: Response }) | Failure },
    request: EgressRequest,
    signal: AbortSignal,
  ): Promise<Response> {
    const at = options.date();
    const outcome = await ask(request, request.timeoutMs, signal, async ({ remote, id, allowedAddresses }) =>
      outcomeSchema.parse(await remote[method](id, request, allowedAddresses)),
    );
    if (outcome.ok) {
      log(request, at, outcome, outcome.response.status, outcome.response);
      return outcome.response;
    }
    log(request, at, outcome, outcome.failure);
    throw new EgressError(outcome.failure, outcome.message);
  }

  return {
    refuse(url, tool) {
      const checked = checkUrl(url, options.allowedAddresses());
      if (checked.ok) return undefined;
      log({ url, tool, method: 'GET' }, options.date(), noTraffic, 'refused-address');
      return checked.reason;
    },
    send: (request, signal) => askForAll('send', EgressOutcome, request, signal),
    load: (request, signal) => askForAll('load', BytesOutcome, request, signal),
    async stream(request, signal) {
      const at = options.date();
      const inbox = createInbox<StreamEvent>();
      const left = new AbortController();
      let head: ResponseHead | undefined;
      // End a stopped stream at once, without waiting for the worker.
      const stop = () => inbox.fail(new EgressError('stopped', requestStoppedMessage));
      signal.addEventListener('abort', stop);

      const ending = AbortSignal.any([signal, left.signal]);
      void ask(request, request.silentMs, ending, ({ remote, id, allowedAddresses, heard }) => {
        const { port1: port, port2 } = new MessageChannel();
        return new Promise<StreamEnd>((resolve, reject) => {
          port.onmessage = ({ data }: MessageEvent<unknown>) => {
            const event = read(StreamEvent, data);
            if (!event.ok) reject(new Error(event.reason));
            else if (event.value.type === 'end') resolve(event.value.end);
            else {
              if (event.value.type === 'head') ({ head } = event.value);
              else heard(event.value.receivedBytes);
              inbox.push(event.value);
            }
          };
          remote.stream(id, request, allowedAddresses, transfer(port2, [port2])).catch(reject);
        }).finally(() => port.close());
      }).then((end) => {
        signal.removeEventListener('abort', stop);
        const isLeft = left.signal.aborted && !signal.aborted;
        const failure = end.ok ? 'unreachable' : end.failure;
        log(request, at, end, (end.ok || isLeft ? head?.status : undefined) ?? failure, head);
        if (end.ok) inbox.push({ type: 'end', end });
        else inbox.fail(new EgressError(end.failure, end.message));
      });

      const first = await inbox.next();
      if (first.type !== 'head') throw new EgressError('unreachable', crashMessage);
      return { ...first.head, text: readText(inbox, left) };
    },
  };
}

async function* readText(inbox: AsyncIterable<StreamEvent>, left: AbortController): AsyncGenerator<string> {
  try {
    for await (const event of inbox) {
      if (event.type === 'end') return;
      if (event.type === 'text' && event.text !== '') yield event.text;
    }
  } finally {
    left.abort();
  }
}

const noTraffic: Traffic = { sentBytes: 0, receivedBytes: 0 };

function createUnsentFailure(failure: EgressFailure, message: string): Failure {
  return { ok: false, failure, message, ...noTraffic };
}

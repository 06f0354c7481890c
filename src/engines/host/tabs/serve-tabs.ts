/**
 * Runs an engine for all tabs, in the tab that has it: one load, and the only queue between a turn and the engine. Replies run one at a
 * time, in the order of the requests.
 */
import { AppError, writeError } from '../../../contracts/app-error';
import { readError } from '../../../contracts/error-code';
import { ContextUse, LoadProgress, ModelEvent, type ModelSpec, ReplyRequest } from '../../../contracts/model';
import { stoppedEvent } from '../../../contracts/pipeline';
import { z } from '../../../contracts/schema';
import type { Channel } from '../../../platform/channels';
import type { RunningModel } from '../running-model';

/**
 * Messages between tabs about an engine that one of them runs. Both tabs have the same version of the app, because it is part of the
 * channel's name.
 */

/** Messages on the channel that all tabs listen to. */
export const LobbyMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), guest: z.string() }),
  /** Asks the owner to announce itself, before the sender takes the engine over from a silent owner. */
  z.object({ type: z.literal('who') }),
  /** `guest`: the tab that asked, for which a channel is open. Undefined if the owner has just started. */
  z.object({ type: z.literal('here'), holder: z.string(), guest: z.optional(z.string()) }),
]);
export type LobbyMessage = z.infer<typeof LobbyMessage>;

/** From a tab that uses the engine. `fault` is written by `writeError`. */
export const FromGuest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('load') }),
  z.object({ type: z.literal('respond'), id: z.string(), request: ReplyRequest }),
  z.object({ type: z.literal('stop'), id: z.string() }),
  z.object({
    type: z.literal('measure'),
    id: z.string(),
    ...z.pick(ReplyRequest, { messages: true, tools: true, summary: true }).shape,
  }),
  z.object({ type: z.literal('ping') }),
  /** With `fault`: the engine hung in this guest's own reply or load, so no tab can use it. */
  z.object({ type: z.literal('leave'), fault: z.optional(z.string()) }),
]);
export type FromGuest = z.infer<typeof FromGuest>;

export const FromHolder = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('progress'), progress: LoadProgress }),
  z.object({ type: z.literal('loaded') }),
  /** The load failed, or the loaded model is lost. No more messages follow. */
  z.object({ type: z.literal('over'), fault: z.string() }),
  /** `queued`: other replies come first. `begun`: this reply starts. */
  z.object({ type: z.enum(['queued', 'begun']), id: z.string() }),
  z.object({ type: z.literal('event'), id: z.string(), event: ModelEvent }),
  z.object({ type: z.literal('measured'), id: z.string(), context: ContextUse }),
]);
export type FromHolder = z.infer<typeof FromHolder>;

export const moved = () => new AppError('engine-moved', 'The tab that had the engine is gone.');

export function isMoved(error: unknown): boolean {
  return error instanceof AppError && error.code === 'engine-moved';
}

interface Guest {
  post: (message: FromHolder) => void;
  close: () => void;
  replies: Map<string, Reply>;
}

interface Reply {
  guest: Guest;
  id: string;
  request: ReplyRequest;
  stop: AbortController;
}

export interface TabServer {
  /** Adds a tab. Returns a function that removes it. Messages from another tab must be validated by the caller. */
  welcome: (open: (onMessage: (message: FromGuest) => void) => Channel<FromHolder>) => () => void;
  end: (fault: AppError) => void;
}

/** Closes `own` when the last guest has left or the engine is lost, and then calls `onOver` once. */
export function serveTabs(spec: ModelSpec, own: RunningModel, onOver: () => void): TabServer {
  const guests = new Set<Guest>();
  let load: { isDone: boolean; progress?: LoadProgress } | undefined;
  const queue: Reply[] = [];
  let loss: AppError | undefined;
  let isOver = false;

  const tellAll = (message: FromHolder) => guests.forEach(({ post }) => post(message));

  function end(fault: AppError): void {
    if (isOver) return;
    isOver = true;
    tellAll({ type: 'over', fault: writeError(fault) });
    own.close(fault);
    queue.forEach(({ stop }) => stop.abort(fault));
    onOver();
  }

  async function begin(): Promise<void> {
    const loading: NonNullable<typeof load> = { isDone: false };
    load = loading;
    const onProgress = (progress: LoadProgress) => {
      if (loading.isDone) return;
      loading.progress = progress;
      tellAll({ type: 'progress', progress });
    };
    const onLost = (fault: AppError) => {
      loss = fault;
      // A running reply fails by itself, after the text that is still arriving.
      if (queue.length === 0) end(fault);
    };
    try {
      await own.load(spec, onProgress, onLost);
      loading.isDone = true;
      tellAll({ type: 'loaded' });
    } catch (error) {
      end(faultOf(error));
    }
  }

  async function runQueue(): Promise<void> {
    for (let first = queue[0]; first && !isOver; first = queue[0]) {
      await run(first);
      queue.shift();
      first.guest.replies.delete(first.id);
      if (loss) end(loss);
    }
  }

  async function run({ guest, id, request, stop: { signal } }: Reply): Promise<void> {
    if (signal.aborted) {
      // The guest stopped the reply before it started, or another request replaced one that only reads ahead.
      guest.post({ type: 'event', id, event: stoppedEvent() });
      return;
    }
    guest.post({ type: 'begun', id });
    try {
      for await (const event of own.respond(request, signal)) guest.post({ type: 'event', id, event });
    } catch (error) {
      loss ??= faultOf(error);
    }
  }

  function add(reply: Reply): void {
    const { guest, id } = reply;
    guest.replies.set(id, reply);
    // Reading ahead gives way to any other request.
    for (const other of queue) if (other.request.onlyRead) stop(other);
    // A stopped reply ends soon. If it does not, the guest's own watch must notice.
    if (queue.some(({ stop: { signal } }) => !signal.aborted)) guest.post({ type: 'queued', id });
    queue.push(reply);
    if (queue.length === 1) void runQueue();
  }

  function stop(reply: Reply): void {
    reply.stop.abort();
    const next = queue.find(({ stop: { signal } }) => !signal.aborted);
    if (reply === queue[0] && next) next.guest.post({ type: 'begun', id: next.id });
  }

  async function measure(guest: Guest, asked: Extract<FromGuest, { type: 'measure' }>) {
    const { id, messages, tools, summary } = asked;
    try {
      guest.post({ type: 'measured', id, context: await own.measure(messages, tools, summary) });
    } catch (error) {
      end(faultOf(error));
    }
  }

  function part(guest: Guest): void {
    if (!guests.delete(guest)) return;
    guest.close();
    guest.replies.forEach(stop);
    if (guests.size === 0) end(new AppError('load-cancelled', 'No tab needs it any more.'));
  }

  function take(guest: Guest, message: FromGuest): void {
    switch (message.type) {
      case 'load':
        if (!load) void begin();
        else if (load.isDone) guest.post({ type: 'loaded' });
        else if (load.progress) guest.post({ type: 'progress', progress: load.progress });
        break;
      case 'respond':
        add({ guest, id: message.id, request: message.request, stop: new AbortController() });
        break;
      case 'stop': {
        const reply = guest.replies.get(message.id);
        if (reply) stop(reply);
        break;
      }
      case 'measure':
        void measure(guest, message);
        break;
      case 'ping':
        guest.post({ type: 'pong' });
        break;
      case 'leave':
        if (message.fault !== undefined) end(faultOf(new Error(message.fault)));
        part(guest);
    }
  }

  return {
    end,
    welcome(open) {
      const channel = open((message) => take(guest, message));
      const guest: Guest = { post: channel.post, close: channel.close, replies: new Map() };
      guests.add(guest);
      return () => part(guest);
    },
  };
}

/** Converts an error, or a text that `writeError` wrote. */
function faultOf(error: unknown): AppError {
  const { code = 'engine-crashed', detail } = readError(writeError(error));
  return new AppError(code, detail, { cause: error });
}

/** Serves one engine to all tabs, from the tab that owns it. Runs one reply at a time, in the order of the requests. */
import { AppError, writeError } from '../../../contracts/app-error';
import { ContextUse, LoadProgress, ModelEvent, type ModelSpec, ReplyRequest } from '../../../contracts/model';
import { createStoppedEvent } from '../../../contracts/pipeline';
import { z } from '../../../contracts/schema';
import type { Channel } from '../../../platform/channels';
import { toFault } from '../../engine';
import type { RunningModel } from '../running-model';

// These messages need no version: the channel's name contains Hearth's version, so both tabs run the same one.

/** Messages on the channel that all tabs listen to. */
export const LobbyMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), guest: z.string() }),
  /** Asks the owner to announce itself before the sender takes over its engine. */
  z.object({ type: z.literal('who') }),
  /** The owner announces itself. `guest`: the tab that asked, whose channel is now open. Undefined if the owner has just started. */
  z.object({ type: z.literal('here'), holder: z.string(), guest: z.optional(z.string()) }),
]);
export type LobbyMessage = z.infer<typeof LobbyMessage>;

export const GuestMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('load') }),
  z.object({ type: z.literal('respond'), id: z.string(), request: ReplyRequest }),
  z.object({ type: z.literal('stop'), id: z.string() }),
  z.object({
    type: z.literal('measure'),
    id: z.string(),
    ...z.pick(ReplyRequest, { messages: true, tools: true, summary: true }).shape,
  }),
  z.object({ type: z.literal('ping') }),
  /** `fault`: present if the engine hung for this guest, so no tab can use it. */
  z.object({ type: z.literal('leave'), fault: z.optional(z.string()) }),
]);
export type GuestMessage = z.infer<typeof GuestMessage>;

export const OwnerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('progress'), progress: LoadProgress }),
  z.object({ type: z.literal('loaded') }),
  /** The last message: the load failed, or the loaded model was lost. */
  z.object({ type: z.literal('over'), fault: z.string() }),
  /** `queued`: other replies come first. `begun`: this reply starts now. */
  z.object({ type: z.enum(['queued', 'begun']), id: z.string() }),
  z.object({ type: z.literal('event'), id: z.string(), event: ModelEvent }),
  z.object({ type: z.literal('measured'), id: z.string(), context: ContextUse }),
]);
export type OwnerMessage = z.infer<typeof OwnerMessage>;

export const createMovedError = () => new AppError('engine-moved', 'The tab that had the engine is gone.');

export function isEngineMovedError(error: unknown): boolean {
  return error instanceof AppError && error.code === 'engine-moved';
}

interface GuestTab extends Channel<OwnerMessage> {
  replies: Map<string, QueuedReply>;
}

interface QueuedReply {
  guest: GuestTab;
  id: string;
  request: ReplyRequest;
  stop: AbortController;
}

export type TabServer = ReturnType<typeof serveTabs>;

/** Closes `own` and calls `onOver` once, when the last guest leaves or the engine is lost. */
export function serveTabs(spec: ModelSpec, own: RunningModel, onOver: () => void) {
  const guests = new Set<GuestTab>();
  let load: { isDone: boolean; progress?: LoadProgress } | undefined;
  const queue: QueuedReply[] = [];
  let loss: AppError | undefined;
  let isOver = false;

  const tellAll = (message: OwnerMessage) => guests.forEach(({ post }) => post(message));

  function end(fault: AppError): void {
    if (isOver) return;
    isOver = true;
    tellAll({ type: 'over', fault: writeError(fault) });
    own.close(fault);
    queue.forEach(({ stop }) => stop.abort(fault));
    onOver();
  }

  async function begin(): Promise<void> {
    const loading: NonNullable<typeof load> = (load = { isDone: false });
    const onProgress = (progress: LoadProgress) => {
      if (loading.isDone) return;
      loading.progress = progress;
      tellAll({ type: 'progress', progress });
    };
    const onLost = (fault: AppError) => {
      loss = fault;
      // If a reply is running, wait: its last text may still arrive before it fails. `runQueue` then calls `end`.
      if (queue.length === 0) end(fault);
    };
    try {
      await own.load(spec, onProgress, onLost);
      loading.isDone = true;
      tellAll({ type: 'loaded' });
    } catch (error) {
      end(toFault(error));
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

  async function run({ guest, id, request, stop: { signal } }: QueuedReply): Promise<void> {
    if (signal.aborted) {
      // The reply never started, because the tab that asked for it stopped it or replaced it with another request.
      guest.post({ type: 'event', id, event: createStoppedEvent() });
      return;
    }
    guest.post({ type: 'begun', id });
    try {
      for await (const event of own.respond(request, signal)) guest.post({ type: 'event', id, event });
    } catch (error) {
      loss ??= toFault(error);
    }
  }

  function add(reply: QueuedReply): void {
    const { guest, id } = reply;
    guest.replies.set(id, reply);
    // Any new request stops requests that only read ahead.
    for (const other of queue) if (other.request.onlyRead) stop(other);
    // If all queued replies are stopping, ours starts soon, so do not report a queue.
    if (queue.some(({ stop: { signal } }) => !signal.aborted)) guest.post({ type: 'queued', id });
    queue.push(reply);
    if (queue.length === 1) void runQueue();
  }

  function stop(reply: QueuedReply): void {
    reply.stop.abort();
    const next = queue.find(({ stop: { signal } }) => !signal.aborted);
    if (reply === queue[0] && next) next.guest.post({ type: 'begun', id: next.id });
  }

  async function measure(guest: GuestTab, asked: Extract<GuestMessage, { type: 'measure' }>) {
    const { id, messages, tools, summary } = asked;
    try {
      guest.post({ type: 'measured', id, context: await own.measure(messages, tools, summary) });
    } catch (error) {
      end(toFault(error));
    }
  }

  function part(guest: GuestTab): void {
    if (!guests.delete(guest)) return;
    guest.close();
    guest.replies.forEach(stop);
    if (guests.size === 0) end(new AppError('load-cancelled', 'No tab needs it any more.'));
  }

  function take(guest: GuestTab, message: GuestMessage): void {
    if (message.type === 'load') {
      if (!load) void begin();
      else if (load.isDone) guest.post({ type: 'loaded' });
      else if (load.progress) guest.post({ type: 'progress', progress: load.progress });
    } else if (message.type === 'respond') {
      add({ guest, id: message.id, request: message.request, stop: new AbortController() });
    } else if (message.type === 'stop') {
      const reply = guest.replies.get(message.id);
      if (reply) stop(reply);
    } else if (message.type === 'measure') {
      void measure(guest, message);
    } else if (message.type === 'ping') {
      guest.post({ type: 'pong' });
    } else {
      if (message.fault !== undefined) end(toFault(message.fault));
      part(guest);
    }
  }

  return {
    end,
    /** Adds a tab. Returns a function that removes it. `open` must validate messages from other tabs. */
    welcome(open: (onMessage: (message: GuestMessage) => void) => Channel<OwnerMessage>): () => void {
      const channel = open((message) => take(guest, message));
      const guest = { ...channel, replies: new Map<string, QueuedReply>() };
      guests.add(guest);
      return () => part(guest);
    },
  };
}

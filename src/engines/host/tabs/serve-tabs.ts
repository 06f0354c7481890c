/** The end of an engine in the tab that has it: one load for all tabs, one reply after another, in the order in which they were asked for. */
import { AppError, writeError } from '../../../contracts/app-error';
import { readError } from '../../../contracts/error-code';
import type { LoadProgress, ModelSpec, ReplyRequest } from '../../../contracts/model';
import { stopped } from '../../../contracts/pipeline';
import type { Channel } from '../../../platform/channels';
import type { RunningModel } from '../running-model';
import type { FromGuest, FromHolder } from './messages';

interface Guest {
  post: (message: FromHolder) => void;
  close: () => void;
  /** Its replies, those that wait too. */
  replies: Map<string, AbortController>;
}

export interface TabServer {
  /** Takes in a tab. Returns what ends that: it is gone. Messages are checked before, where they come from another tab. */
  welcome: (open: (onMessage: (message: FromGuest) => void) => Channel<FromHolder>) => () => void;
  /** Every guest is told so, and nothing more. */
  end: (fault: AppError) => void;
}

/** `own` is ended with the last guest, or when it is lost; then `onOver` is called, once. */
export function serveTabs(spec: ModelSpec, own: RunningModel, onOver: () => void): TabServer {
  const guests = new Set<Guest>();
  const readsAhead = new Set<AbortController>();
  let load: { isDone: boolean; progress?: LoadProgress } | undefined;
  let queue: Promise<void> = Promise.resolve();
  let isReplying = false;
  let loss: AppError | undefined;
  let isOver = false;

  const tellAll = (message: FromHolder) => guests.forEach(({ post }) => post(message));

  function end(fault: AppError): void {
    if (isOver) return;
    isOver = true;
    tellAll({ type: 'over', fault: writeError(fault) });
    own.close(fault);
    for (const { replies } of guests) replies.forEach((reply) => reply.abort(fault));
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
      // In the middle of a reply that ends by itself: what it has written is still on its way.
      if (!isReplying) end(fault);
    };
    try {
      await own.load(spec, onProgress, onLost);
      loading.isDone = true;
      tellAll({ type: 'loaded' });
    } catch (error) {
      end(faultOf(error));
    }
  }

  async function reply(guest: Guest, id: string, request: ReplyRequest, signal: AbortSignal): Promise<void> {
    if (isOver) return;
    if (signal.aborted) {
      // The guest has ended it by itself, or another one's request has taken the place of what reads ahead.
      guest.replies.delete(id);
      guest.post({ type: 'event', id, event: stopped() });
      return;
    }
    guest.post({ type: 'begun', id });
    isReplying = true;
    try {
      for await (const event of own.respond(request, signal)) guest.post({ type: 'event', id, event });
    } catch (error) {
      loss ??= faultOf(error);
    }
    isReplying = false;
    guest.replies.delete(id);
    if (loss) end(loss);
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
    guest.replies.forEach((asked) => asked.abort());
    if (guests.size === 0) end(new AppError('load-cancelled', 'No tab needs it any more.'));
  }

  function take(guest: Guest, message: FromGuest): void {
    switch (message.type) {
      case 'load':
        if (!load) void begin();
        else if (load.isDone) guest.post({ type: 'loaded' });
        else if (load.progress) guest.post({ type: 'progress', progress: load.progress });
        break;
      case 'respond': {
        const stop = new AbortController();
        const { id, request } = message;
        guest.replies.set(id, stop);
        // Whoever reads ahead makes way for whoever waits for an answer.
        readsAhead.forEach((other) => other.abort());
        readsAhead.clear();
        if (request.onlyRead) readsAhead.add(stop);
        if (isReplying) guest.post({ type: 'queued', id });
        queue = queue.then(() => reply(guest, id, request, stop.signal));
        break;
      }
      case 'stop':
        guest.replies.get(message.id)?.abort();
        break;
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

/** Of an error, or of one that `writeError` wrote. */
function faultOf(error: unknown): AppError {
  const { code = 'engine-crashed', detail } = readError(writeError(error));
  return new AppError(code, detail, { cause: error });
}

/** What tabs say to each other about an engine that one of them has. They are of one version of the app: its name is in that of the channel. */
import { ContextUse, LoadProgress, ModelEvent, ReplyRequest } from '../../../contracts/model';
import { z } from '../../../contracts/schema';
import { AppError } from '../../../contracts/app-error';

/** Where all are heard: who looks for the engine, and who has it. */
export const LobbyMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), guest: z.string() }),
  /** Whoever has it says so once more: who asks is about to take it from one that does not answer. */
  z.object({ type: z.literal('who') }),
  /** `guest` is who asked: a channel for the two is open. Missing: it has just begun. */
  z.object({ type: z.literal('here'), holder: z.string(), guest: z.optional(z.string()) }),
]);
export type LobbyMessage = z.infer<typeof LobbyMessage>;

/** From a tab that uses the engine. `fault` is as `writeError` writes it. */
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
  /** With a fault, the engine gave no sign of life in this guest's own reply or load: it is of use to nobody. */
  z.object({ type: z.literal('leave'), fault: z.optional(z.string()) }),
]);
export type FromGuest = z.infer<typeof FromGuest>;

/** From the tab that has it. */
export const FromHolder = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('progress'), progress: LoadProgress }),
  z.object({ type: z.literal('loaded') }),
  /** The load has failed, or what was loaded is lost: nothing more comes. */
  z.object({ type: z.literal('over'), fault: z.string() }),
  /** Others are answered before this reply; it is its turn. */
  z.object({ type: z.enum(['queued', 'begun']), id: z.string() }),
  z.object({ type: z.literal('event'), id: z.string(), event: ModelEvent }),
  z.object({ type: z.literal('measured'), id: z.string(), context: ContextUse }),
]);
export type FromHolder = z.infer<typeof FromHolder>;

export const moved = () => new AppError('engine-moved', 'The tab that had the engine is gone.');

export function isMoved(error: unknown): boolean {
  return error instanceof AppError && error.code === 'engine-moved';
}

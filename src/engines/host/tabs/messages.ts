/**
 * Messages between tabs about an engine that one of them runs. The name of the channel has the app's version, so both tabs have the same
 * one.
 */
import { ContextUse, LoadProgress, ModelEvent, ReplyRequest } from '../../../contracts/model';
import { z } from '../../../contracts/schema';
import { AppError } from '../../../contracts/app-error';

/** Messages on the channel that all tabs listen to. */
export const LobbyMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), guest: z.string() }),
  /** Asks the owner to announce itself, before the sender takes the engine over from a silent owner. */
  z.object({ type: z.literal('who') }),
  /** `guest`: the tab that asked; a channel for both is open. Absent: the owner has just begun. */
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
  /** With a fault: the engine gave no sign of life in this guest's own reply or load, so nobody can use it. */
  z.object({ type: z.literal('leave'), fault: z.optional(z.string()) }),
]);
export type FromGuest = z.infer<typeof FromGuest>;

export const FromHolder = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('progress'), progress: LoadProgress }),
  z.object({ type: z.literal('loaded') }),
  /** The load failed, or the loaded model is lost. No more messages follow. */
  z.object({ type: z.literal('over'), fault: z.string() }),
  /** `queued`: other replies come first. `begun`: it is this reply's turn. */
  z.object({ type: z.enum(['queued', 'begun']), id: z.string() }),
  z.object({ type: z.literal('event'), id: z.string(), event: ModelEvent }),
  z.object({ type: z.literal('measured'), id: z.string(), context: ContextUse }),
]);
export type FromHolder = z.infer<typeof FromHolder>;

export const moved = () => new AppError('engine-moved', 'The tab that had the engine is gone.');

export function isMoved(error: unknown): boolean {
  return error instanceof AppError && error.code === 'engine-moved';
}

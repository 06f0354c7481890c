/** Why a call has no result, as a code: the screen says it in the person's language, with a next step. */
import { z } from './schema';

export const ToolFailure = z.enum([
  // The person.
  'refused',
  'refused-often',
  'stopped',
  // The device, and the way out of it.
  'offline',
  'address',
  'unreachable',
  'slow-server',
  'status',
  'wrong-type',
  'no-text',
  'no-provider',
  // The limits of a turn.
  'time-limit',
  'call-limit',
  'search-limit',
  'agent-limit',
  'agent-circle',
  'interrupted',
  // The call itself.
  'no-such-tool',
  'arguments',
  'sum',
  'place',
  'town',
  'note-too-long',
  'notes-full',
  // A sub-agent that came to no answer, or to none of the form that is wanted.
  'agent',
  'agent-form',
  // A remote tool: its server says that it failed, it cannot be reached, or it was lost in the middle.
  'server',
  'server-away',
  'server-lost',
  // The code of a tool.
  'code',
  'result',
  // Code of Hearth itself, which could not be fetched.
  'missing',
  // Anything else.
  'failed',
]);
export type ToolFailure = z.infer<typeof ToolFailure>;

/** What a tool throws: a sentence for the model, and the code for the person. */
export class ToolError extends Error {
  readonly failure: ToolFailure;

  constructor(failure: ToolFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolError';
    this.failure = failure;
  }
}

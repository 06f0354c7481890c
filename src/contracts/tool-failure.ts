/** Why a tool call failed. The screen shows a translated message with a next step for each code. */
import { z } from './schema';

export const ToolFailure = z.enum([
  'refused',
  'refused-often',
  'stopped',
  'offline',
  'address',
  'unreachable',
  'slow-server',
  'status',
  'wrong-type',
  'no-text',
  'no-provider',
  'time-limit',
  'call-limit',
  'search-limit',
  'agent-limit',
  'agent-circle',
  'interrupted',
  'no-such-tool',
  'arguments',
  'sum',
  'place',
  'town',
  'note-too-long',
  'notes-full',
  // The sub-agent gave no answer (`agent`), or one in the wrong format (`agent-form`).
  'agent',
  'agent-form',
  // The MCP server reported an error, was unreachable, or disconnected during the call.
  'server',
  'server-away',
  'server-lost',
  'code',
  'result',
  'missing',
  'failed',
]);
export type ToolFailure = z.infer<typeof ToolFailure>;

/** Thrown by tools. The message is for the model, `failure` for the user. */
export class ToolError extends Error {
  readonly failure: ToolFailure;

  constructor(failure: ToolFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolError';
    this.failure = failure;
  }
}

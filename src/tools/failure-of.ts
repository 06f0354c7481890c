/** Why a tool failed, from what it threw: a code that the screen says in the person's language. */
import { EgressError, type EgressFailure } from '../contracts/egress';
import { NotLoaded, tellsMissing } from '../contracts/error-code';
import { ToolError, type ToolFailure } from '../contracts/tool-failure';

const ofEgress: Readonly<Record<EgressFailure, ToolFailure>> = {
  offline: 'offline',
  'refused-address': 'address',
  'refused-request': 'address',
  'refused-redirect': 'address',
  timeout: 'slow-server',
  'wrong-type': 'wrong-type',
  'too-long': 'unreachable',
  unreachable: 'unreachable',
  stopped: 'stopped',
};

/** `usual` where the error does not say. */
export function failureOf(error: unknown, usual: ToolFailure): ToolFailure {
  if (error instanceof ToolError) return error.failure;
  if (error instanceof NotLoaded || tellsMissing(String(error))) return 'missing';
  return error instanceof EgressError ? ofEgress[error.failure] : usual;
}

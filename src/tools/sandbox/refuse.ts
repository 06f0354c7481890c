/** A typed failure, short whatever was said. */
import type { SandboxRefusal } from '../../contracts/sandbox';

const maxMessage = 2_000;

export function refuse(failure: SandboxRefusal['failure'], message: string, line?: number): SandboxRefusal {
  const short = message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message;
  return { ok: false, failure, message: short, ...(line !== undefined && { line }) };
}

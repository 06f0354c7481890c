/** PURE: what went with a question, by its names. */
import type { UserMessage } from '../../contracts/message';

/** '' where nothing did. The files themselves are in a backup. */
export function attachedNames({ attached = [] }: UserMessage): string {
  return attached.map((one) => ('fileId' in one ? one.name : one.title)).join(', ');
}

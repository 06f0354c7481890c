/** Page side of the worker that validates untrusted files, tools, personas and values, with a timeout. */
import type { Remote } from 'comlink';
import type { CustomToolContent, DefinitionProblem, SharedFileResult } from '../../contracts/custom-tool';
import type { PersonaContent, PersonaProblem } from '../../contracts/persona';
import type { JsonSchema, ReadResult } from '../../contracts/schema';
import { createTimedWorker } from '../timed-worker';
import { maxPersonaFileLength } from '../personas/persona-file';
import { refuseFile, refuseTooLong } from '../shared-file';
import type { checkerApi } from './serve-checks';
import { maxToolFileLength } from './tool-file';

type CheckerApi = typeof checkerApi;

/** In milliseconds. A check takes a few milliseconds; only a runaway pattern takes longer. */
const defaultTimeouts = { startMs: 10_000, answerMs: 1_000 };

export type ToolChecker = ReturnType<typeof createToolChecker>;

/** A check that fails or times out counts as a refusal. Methods reject only with the signal's reason. */
export function createToolChecker(startWorker: () => Worker, limits = defaultTimeouts) {
  const { ask } = createTimedWorker<CheckerApi>(startWorker, limits, {
    notStarted: 'The check did not start; try again',
    tooSlow: `The check took longer than ${limits.answerMs / 1000} s and was ended`,
    crashed: 'The check broke off; try again',
  });
  const { signal: never } = new AbortController();

  async function askOr<Value>(
    call: (remote: Remote<CheckerApi>) => Promise<Value>,
    signal: AbortSignal,
    onFailure: (reason: string) => Value,
  ): Promise<Value> {
    try {
      return await ask(call, signal);
    } catch (error) {
      signal.throwIfAborted();
      return onFailure(error instanceof Error ? error.message : String(error));
    }
  }

  async function readShared<Content>(
    file: Blob,
    maxLength: number,
    read: (remote: Remote<CheckerApi>, text: string) => Promise<SharedFileResult<Content>>,
  ): Promise<SharedFileResult<Content>> {
    // Check the size first: a huge file must not enter memory.
    if (file.size > maxLength) return refuseTooLong(maxLength);
    const text = await file.text();
    return askOr(
      (remote) => read(remote, text),
      never,
      (reason) => refuseFile('not-read', reason),
    );
  }

  return {
    readFile: (file: Blob) => readShared(file, maxToolFileLength, (remote, text) => remote.readFile(text)),
    readPersonaFile: (file: Blob) =>
      readShared(file, maxPersonaFileLength, (remote, text) => remote.readPersonaFile(text)),
    checkDefinition: (content: CustomToolContent, takenNames: readonly string[], signal: AbortSignal) =>
      askOr<DefinitionProblem[]>(
        (remote) => remote.checkDefinition(content, takenNames),
        signal,
        (detail) => [{ field: 'examples', code: 'example', detail }],
      ),
    checkPersona: (content: PersonaContent, takenNames: readonly string[], signal: AbortSignal) =>
      askOr<PersonaProblem[]>(
        (remote) => remote.checkPersona(content, takenNames),
        signal,
        (detail) => [{ field: 'inputSchema', code: 'not-checked', detail }],
      ),
    /** `isClosed`: unknown keys are errors. Resolves to the JSON with defaults. */
    checkJson: (
      schema: JsonSchema,
      json: string,
      { isClosed, signal }: { isClosed: boolean; signal: AbortSignal },
    ) =>
      askOr<ReadResult<string>>(
        (remote) => remote.checkJson(schema, json, isClosed),
        signal,
        (reason) => ({ ok: false, reason }),
      ),
  };
}

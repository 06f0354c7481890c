/** Page side of the worker that validates untrusted files, tools, personas and values, with a timeout. */
import type { CustomToolContent, DefinitionProblem, ReadToolFile } from '../../contracts/custom-tool';
import type { PersonaContent, PersonaProblem, ReadPersonaFile } from '../../contracts/persona';
import type { JsonSchema, Read } from '../../contracts/schema';
import { createTimedWorker } from '../timed-worker';
import { maxLength as maxPersonaLength } from '../personas/persona-file';
import { tooLong } from '../shared-file';
import { maxLength } from './tool-file';

/** The worker's interface. Parameters are `unknown` because Comlink does not check arguments. */
export interface ToolCheckerApi {
  start: () => void;
  readFile: (text: unknown) => ReadToolFile;
  checkDefinition: (content: unknown, takenNames: unknown) => DefinitionProblem[];
  readPersonaFile: (text: unknown) => ReadPersonaFile;
  checkPersona: (content: unknown, takenNames: unknown) => PersonaProblem[];
  /** Takes and returns JSON text, so that the page need not walk the value. */
  checkJson: (schema: unknown, json: unknown, isClosed: unknown) => Read<string>;
}

/** Timeouts in milliseconds. A check takes a few; only a runaway pattern takes longer. */
const defaultLimits = { startMs: 10_000, answerMs: 1_000 };

/** A failed or timed-out check counts as a refusal. Methods reject only with the signal's reason. */
export interface ToolChecker {
  readFile: (file: Blob) => Promise<ReadToolFile>;
  checkDefinition: (
    content: CustomToolContent,
    takenNames: readonly string[],
    signal: AbortSignal,
  ) => Promise<DefinitionProblem[]>;
  readPersonaFile: (file: Blob) => Promise<ReadPersonaFile>;
  checkPersona: (
    content: PersonaContent,
    takenNames: readonly string[],
    signal: AbortSignal,
  ) => Promise<PersonaProblem[]>;
  /** `isClosed` refuses unknown keys. Resolves to the JSON with defaults filled in. */
  checkJson: (
    schema: JsonSchema,
    json: string,
    options: { isClosed: boolean; signal: AbortSignal },
  ) => Promise<Read<string>>;
}

export function createToolChecker(startWorker: () => Worker, limits = defaultLimits): ToolChecker {
  const { ask } = createTimedWorker<ToolCheckerApi>(startWorker, limits, {
    notStarted: 'The check did not start; try again',
    tooSlow: `The check took longer than ${limits.answerMs / 1000} s and was ended`,
    crashed: 'The check broke off; try again',
  });
  const { signal: never } = new AbortController();

  return {
    async readFile(file) {
      // Check the size before reading a huge file into memory.
      if (file.size > maxLength) return tooLong(maxLength);
      const text = await file.text();
      return ask<ReadToolFile>((remote) => remote.readFile(text), never).catch((error: unknown) => ({
        ...refusal(error),
        problem: 'not-read',
      }));
    },

    async checkDefinition(content, takenNames, signal) {
      try {
        return await ask((remote) => remote.checkDefinition(content, takenNames), signal);
      } catch (error) {
        signal.throwIfAborted();
        return [{ field: 'examples', code: 'example', detail: refusal(error).reason }];
      }
    },

    async readPersonaFile(file) {
      if (file.size > maxPersonaLength) return tooLong(maxPersonaLength);
      const text = await file.text();
      return ask<ReadPersonaFile>((remote) => remote.readPersonaFile(text), never).catch(
        (error: unknown) => ({ ...refusal(error), problem: 'not-read' }),
      );
    },

    async checkPersona(content, takenNames, signal) {
      try {
        return await ask((remote) => remote.checkPersona(content, takenNames), signal);
      } catch (error) {
        signal.throwIfAborted();
        return [{ field: 'inputSchema', code: 'not-checked', detail: refusal(error).reason }];
      }
    },

    async checkJson(schema, json, { isClosed, signal }) {
      try {
        return await ask<Read<string>>((remote) => remote.checkJson(schema, json, isClosed), signal);
      } catch (error) {
        signal.throwIfAborted();
        return refusal(error);
      }
    },
  };
}

function refusal(error: unknown): { ok: false; reason: string } {
  return { ok: false, reason: error instanceof Error ? error.message : String(error) };
}

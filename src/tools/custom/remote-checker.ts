/** The page's end of the worker that checks what a stranger wrote, and is ended when that takes too long. */
import type { CustomToolContent, DefinitionProblem, ReadToolFile } from '../../contracts/custom-tool';
import type { PersonaContent, PersonaProblem, ReadPersonaFile } from '../../contracts/persona';
import type { JsonSchema, Read } from '../../contracts/schema';
import { createEndedWorker } from '../ended-worker';
import { maxLength as maxPersonaLength } from '../personas/persona-file';
import { tooLong } from '../shared-file';
import { maxLength } from './tool-file';

/** What the worker exposes. Comlink clones arguments but does not check them: `unknown` says so. */
export interface ToolCheckerApi {
  start: () => void;
  readFile: (text: unknown) => ReadToolFile;
  checkDefinition: (content: unknown, takenNames: unknown) => DefinitionProblem[];
  readPersonaFile: (text: unknown) => ReadPersonaFile;
  checkPersona: (content: unknown, takenNames: unknown) => PersonaProblem[];
  /** Of JSON and to JSON: the page need not walk through what it only passes on. */
  checkJson: (schema: unknown, json: unknown, isClosed: unknown) => Read<string>;
}

/** Milliseconds. What is right takes a few; what takes longer is a pattern that goes back for ever. */
const defaultLimits = { startMs: 10_000, answerMs: 1_000 };

/** A check that cannot be made is refused, and never rejects but with the reason of the signal. */
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
  /** `isClosed`: a key that the schema does not know is refused. Resolves to the JSON with defaults filled in. */
  checkJson: (
    schema: JsonSchema,
    json: string,
    options: { isClosed: boolean; signal: AbortSignal },
  ) => Promise<Read<string>>;
}

export function createToolChecker(startWorker: () => Worker, limits = defaultLimits): ToolChecker {
  const { ask } = createEndedWorker<ToolCheckerApi>(startWorker, limits, {
    notStarted: 'The check did not start; try again',
    tooSlow: `The check took longer than ${limits.answerMs / 1000} s and was ended`,
    crashed: 'The check broke off; try again',
  });
  const { signal: never } = new AbortController();

  return {
    async readFile(file) {
      // Before it is read: it may be a film.
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

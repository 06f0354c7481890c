import { CustomToolContent } from '../../contracts/custom-tool';
import { PersonaContent } from '../../contracts/persona';
import { JsonSchema, type ReadResult, z } from '../../contracts/schema';
import { checkPersona, readPersonaFile } from '../personas/persona-file';
import { checkDefinition } from './check-definition';
import { checkValue } from './check-value';
import { readToolFile } from './tool-file';

const TakenNames = z.array(z.string());

/** Functions that the page calls in the worker. They parse their arguments, because Comlink does not check types. */
export const checkerApi = {
  start: () => undefined,
  readFile: (text: unknown) => readToolFile(z.string().parse(text)),
  checkDefinition: (content: unknown, takenNames: unknown) =>
    checkDefinition(CustomToolContent.parse(content), TakenNames.parse(takenNames)),
  readPersonaFile: (text: unknown) => readPersonaFile(z.string().parse(text)),
  checkPersona: (content: unknown, takenNames: unknown) =>
    checkPersona(PersonaContent.parse(content), TakenNames.parse(takenNames)),
  /** Takes and returns JSON text, so the page need not walk a value of unknown size. */
  checkJson(schema: unknown, json: unknown, isClosed: unknown): ReadResult<string> {
    const value: unknown = JSON.parse(z.string().parse(json));
    const checked = checkValue(JsonSchema.parse(schema), value, { isClosed: z.boolean().parse(isClosed) });
    return checked.ok ? { ok: true, value: JSON.stringify(checked.value) } : checked;
  },
};

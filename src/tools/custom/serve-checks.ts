import { CustomToolContent } from '../../contracts/custom-tool';
import { PersonaContent } from '../../contracts/persona';
import { JsonSchema, z } from '../../contracts/schema';
import { checkPersona, readPersonaFile } from '../personas/persona-file';
import { checkDefinition } from './check-definition';
import { checkValue } from './check-value';
import type { ToolCheckerApi } from './remote-checker';
import { readToolFile } from './tool-file';

const Names = z.array(z.string());

export const checks: ToolCheckerApi = {
  start: () => undefined,
  readFile: (text) => readToolFile(z.string().parse(text)),
  checkDefinition: (content, takenNames) =>
    checkDefinition(CustomToolContent.parse(content), Names.parse(takenNames)),
  readPersonaFile: (text) => readPersonaFile(z.string().parse(text)),
  checkPersona: (content, takenNames) => checkPersona(PersonaContent.parse(content), Names.parse(takenNames)),
  checkJson(schema, json, isClosed) {
    const value: unknown = JSON.parse(z.string().parse(json));
    const checked = checkValue(JsonSchema.parse(schema), value, { isClosed: z.boolean().parse(isClosed) });
    return checked.ok ? { ok: true, value: JSON.stringify(checked.value) } : checked;
  },
};

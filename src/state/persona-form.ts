/** PURE: a persona as its editor has it, texts and all, and as it is saved. */
import type { PersonaContent, PersonaForm, PersonaProblem } from '../contracts/persona';
import type { JsonSchema } from '../contracts/schema';
import { isObject, parse, write } from './tool-form';

export const emptyPersona: PersonaForm = {
  name: '',
  description: '',
  instructions: '',
  model: null,
  temperature: '',
  topP: '',
  language: null,
  tools: 'all',
  areCardsFolded: false,
  isTool: false,
  questions: '',
  inputSchema: '',
  outputSchema: '',
};

export function personaFormOf(content: PersonaContent): PersonaForm {
  const { sampling, questions = [], inputSchema, outputSchema, ...same } = content;
  const { temperature, topP } = sampling;
  return {
    ...same,
    temperature: temperature === undefined ? '' : String(temperature),
    topP: topP === undefined ? '' : String(topP),
    questions: questions.join('\n'),
    inputSchema: inputSchema ? write(inputSchema) : '',
    outputSchema: outputSchema ? write(outputSchema) : '',
  };
}

export type ReadPersonaForm =
  | { ok: true; content: PersonaContent }
  | { ok: false; problems: PersonaProblem[] };

/** What is no number, or no JSON, is said with its place. Whether the persona is right is another question. */
export function personaOf(form: PersonaForm): ReadPersonaForm {
  const problems: PersonaProblem[] = [];
  const readNumber = (field: 'temperature' | 'topP'): number | undefined => {
    const text = form[field].trim();
    if (text === '') return undefined;
    const value = Number(text.replace(',', '.'));
    if (!Number.isFinite(value)) problems.push({ field, code: 'range', detail: text.slice(0, 40) });
    return value;
  };
  const readSchema = (field: 'inputSchema' | 'outputSchema'): JsonSchema | undefined => {
    if (form[field].trim() === '') return undefined;
    const value = parse(form[field]);
    if (isObject(value)) return value;
    // Where it is no tool nobody sees the field: what stands in it then must not keep the rest from being saved.
    if (!form.isTool) return undefined;
    const detail = value instanceof SyntaxError ? `no JSON: ${value.message}` : 'must be an object: {…}';
    problems.push({ field, code: 'schema', detail });
    return undefined;
  };

  const { name, description, instructions, model, language, tools, areCardsFolded, isTool } = form;
  const questions = (form.questions ?? '').split('\n').flatMap((line) => line.trim() || []);
  const [temperature, topP] = [readNumber('temperature'), readNumber('topP')];
  const [inputSchema, outputSchema] = [readSchema('inputSchema'), readSchema('outputSchema')];
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    // In the order in which a stored one is read: two that say the same are the same text.
    content: {
      ...{ name: name.trim(), description: description.trim(), instructions: instructions.trim(), model },
      sampling: { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { topP }) },
      ...{ language, tools, areCardsFolded, isTool },
      ...(questions.length > 0 && { questions }),
      ...(inputSchema && { inputSchema }),
      ...(outputSchema && { outputSchema }),
    },
  };
}

/** The editor of a persona, and the conversion between its form and content. */
import type {
  Persona,
  PersonaContent,
  PersonaDraft,
  PersonaForm,
  PersonaProblem,
} from '../contracts/persona';
import type { JsonSchema } from '../contracts/schema';
import { Editor } from './editor.svelte';
import type { PersonaFunctions } from './personas.svelte';
import { isObject, parse, formatJson } from './tool-form';

export class PersonaEditor extends Editor<Persona, PersonaDraft, PersonaProblem> {
  protected readonly formOf = personaFormOf;
  protected readonly recordIdOf = ({ personaId }: PersonaDraft) => personaId;
  protected readonly functions: PersonaFunctions;

  constructor(functions: PersonaFunctions, id: string) {
    super(id, emptyPersona);
    this.functions = functions;
  }

  override change(changed: Partial<PersonaForm>): void {
    // Switching `isTool` changes which fields are checked, so clear all problems.
    if ('isTool' in changed) this.problems = [];
    super.change(changed);
  }

  async readContent(): Promise<PersonaContent | undefined> {
    const read = readPersonaForm(this.form);
    if (read.ok) this.problems = await this.functions.check(this.recordId, read.content);
    else this.problems = read.problems;
    return read.ok && this.problems.length === 0 ? read.content : undefined;
  }

  protected createDraft() {
    return { id: this.id, personaId: this.recordId, form: this.form, origin: this.origin };
  }

  protected async findSaved() {
    return (await this.functions.list()).personas.find(({ id }) => id === this.recordId);
  }

  protected async write(content: PersonaContent): Promise<Persona> {
    const at = this.functions.date();
    const { recordId: id, origin, saved } = this;
    const persona = { id, content, origin, createdAt: saved?.createdAt ?? at, updatedAt: at };
    await this.functions.save(persona);
    return persona;
  }
}

const emptyPersona: PersonaForm = {
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
  return {
    ...same,
    temperature: String(sampling.temperature ?? ''),
    topP: String(sampling.topP ?? ''),
    questions: questions.join('\n'),
    inputSchema: inputSchema ? formatJson(inputSchema) : '',
    outputSchema: outputSchema ? formatJson(outputSchema) : '',
  };
}

type PersonaFormResult = { ok: true; content: PersonaContent } | { ok: false; problems: PersonaProblem[] };

/** Converts the form to content. Reports invalid numbers and JSON, but does not check the persona itself. */
export function readPersonaForm(form: PersonaForm): PersonaFormResult {
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
    // This field is hidden unless the persona is a tool. An error in a hidden field must not block saving.
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
    // Use the key order of stored personas, so equal personas have equal JSON.
    content: {
      name: name.trim(),
      description: description.trim(),
      instructions: instructions.trim(),
      model,
      sampling: { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { topP }) },
      language,
      tools,
      areCardsFolded,
      isTool,
      ...(questions.length > 0 && { questions }),
      ...(inputSchema && { inputSchema }),
      ...(outputSchema && { outputSchema }),
    },
  };
}

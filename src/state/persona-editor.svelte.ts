/** The editor of one persona: form and problems. Changes are saved as a draft at once. */
import type { Persona, PersonaContent, PersonaForm, PersonaProblem } from '../contracts/persona';
import type { JsonSchema } from '../contracts/schema';
import type { PersonaFunctions } from './personas.svelte';
import { isObject, parse, write } from './tool-form';

export const newPersona = 'new';

export class PersonaEditor {
  status = $state<'loading' | 'ready' | 'missing'>('loading');
  // Raw instead of proxied: IndexedDB cannot clone a proxy.
  form = $state.raw<PersonaForm>(emptyPersona);
  saved = $state.raw<Persona>();
  isChanged = $state(false);
  isSaving = $state(false);
  problems = $state.raw<readonly PersonaProblem[]>([]);

  readonly #functions: PersonaFunctions;
  /** Id of the draft: the persona's, or `new` until it is saved. */
  #draftId: string;
  #personaId: string;
  #isWriting = false;
  #isUnwritten = false;

  constructor(functions: PersonaFunctions, id: string) {
    this.#functions = functions;
    this.#draftId = id;
    this.#personaId = id;
  }

  get id(): string {
    return this.#draftId;
  }

  async open(): Promise<void> {
    const functions = this.#functions;
    const draft = await functions.loadDraft(this.#draftId);
    if (this.#draftId === newPersona) this.#personaId = draft?.personaId ?? functions.newId();
    else {
      const { personas } = await functions.list();
      this.saved = personas.find(({ id }) => id === this.#draftId);
      if (!this.saved) {
        this.status = 'missing';
        return;
      }
      this.form = personaFormOf(this.saved.content);
    }
    if (draft) {
      this.form = draft.form;
      this.isChanged = true;
    }
    this.status = 'ready';
  }

  change(changed: Partial<PersonaForm>): void {
    this.form = { ...this.form, ...changed };
    this.isChanged = true;
    const fields = Object.keys(changed);
    // Switching `isTool` changes which fields are checked, so drop all problems.
    const isOther = ({ field }: PersonaProblem) => !fields.includes(field) && !fields.includes('isTool');
    this.problems = this.problems.filter(isOther);
    this.#isUnwritten = true;
    void this.#writeDraft();
  }

  async discard(): Promise<void> {
    this.form = this.saved ? personaFormOf(this.saved.content) : emptyPersona;
    this.#forgetDraft();
    this.problems = [];
    await this.#functions.removeDraft(this.#draftId);
  }

  /** Resolves to the content of the form, or to undefined if it is invalid; see `problems`. */
  async check(): Promise<PersonaContent | undefined> {
    const read = personaOf(this.form);
    if (read.ok) this.problems = await this.#functions.check(this.#personaId, read.content);
    else this.problems = read.problems;
    return read.ok && this.problems.length === 0 ? read.content : undefined;
  }

  async save(): Promise<boolean> {
    if (this.isSaving) return false;
    this.isSaving = true;
    const { form } = this;
    try {
      const content = await this.check();
      if (!content) return false;
      const functions = this.#functions;
      const at = functions.date();
      const persona: Persona = {
        id: this.#personaId,
        content,
        createdAt: this.saved?.createdAt ?? at,
        updatedAt: at,
      };
      await functions.save(persona);
      const draftId = this.#draftId;
      this.#draftId = this.#personaId;
      this.saved = persona;
      if (draftId !== this.#draftId || this.form === form) await functions.removeDraft(draftId);
      // Text typed during the save becomes a draft of the saved persona.
      if (this.form === form) this.#forgetDraft();
      else this.change({});
      return true;
    } finally {
      this.isSaving = false;
    }
  }

  #forgetDraft(): void {
    this.isChanged = false;
    this.#isUnwritten = false;
  }

  /** Saves the draft. Changes during a write are saved by the next one. */
  async #writeDraft(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    try {
      const { saveDraft } = this.#functions;
      while (this.#isUnwritten) {
        this.#isUnwritten = false;
        await saveDraft({ id: this.#draftId, personaId: this.#personaId, form: this.form });
      }
    } finally {
      this.#isWriting = false;
    }
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

type ReadPersonaForm = { ok: true; content: PersonaContent } | { ok: false; problems: PersonaProblem[] };

/** Converts the form. Reports invalid numbers and JSON, but does not check the persona itself. */
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
    // The field is hidden if the persona is not a tool, so its errors must not block saving.
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
    // In the order of stored personas, so that equal personas have equal JSON.
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

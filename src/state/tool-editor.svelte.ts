import type {
  CustomTool,
  CustomToolContent,
  CustomToolDraft,
  CustomToolForm,
  DefinitionProblem,
  SecretName,
} from '../contracts/custom-tool';
import type { SandboxResult } from '../contracts/sandbox';
import type { JsonSchema } from '../contracts/schema';
import type { CustomToolFunctions, CustomTools } from './custom-tools.svelte';
import { Editor } from './editor.svelte';
import { contentOf, emptyToolForm, formOf, parametersOf, parse, readJson, typeOf } from './tool-form';

const maxVersions = 20;

export type CheckResult = SandboxResult & { isAsSaid: boolean };

export class ToolEditor extends Editor<CustomTool, CustomToolDraft, DefinitionProblem> {
  keptSecrets = $state.raw<readonly SecretName[]>([]);
  typedInput = $state.raw<TypedInput>({});
  isRunning = $state(false);
  result = $state.raw<SandboxResult>();
  logs = $state.raw<readonly string[]>([]);
  checks = $state.raw<readonly CheckResult[]>([]);

  protected readonly formOf = formOf;
  protected readonly recordIdOf = ({ toolId }: CustomToolDraft) => toolId;
  protected readonly functions: CustomToolFunctions;
  #stop = new AbortController();

  constructor({ functions }: CustomTools, id: string, start: CustomToolForm = emptyToolForm) {
    super(id, start);
    this.functions = functions;
  }

  protected override async loadOtherData(): Promise<void> {
    this.keptSecrets = await this.functions.keptSecrets(this.recordId);
  }

  override change(changed: Partial<CustomToolForm>): void {
    super.change(changed);
    this.checks = [];
  }

  get isUntouched(): boolean {
    return !this.saved && this.form.title === this.initialForm.title;
  }

  override save(): Promise<boolean> {
    if (!this.isSaving) this.#dropStartingExample();
    return super.save();
  }

  async readContent(): Promise<CustomToolContent | undefined> {
    const read = contentOf(this.form);
    this.problems = read.ok
      ? await this.functions.check(this.recordId, read.content, new AbortController().signal)
      : read.problems;
    return read.ok && this.problems.length === 0 ? read.content : undefined;
  }

  async setSecret(secret: SecretName, value: string): Promise<void> {
    const { setSecret, keptSecrets } = this.functions;
    await setSecret(this.recordId, secret, value);
    this.keptSecrets = await keptSecrets(this.recordId);
  }

  async run(): Promise<void> {
    const read = contentOf(this.form);
    this.result = undefined;
    this.logs = [];
    if (!read.ok) {
      this.problems = read.problems;
      const message = read.problems.map(({ field, detail }) => `${field}: ${detail}`).join('\n');
      this.result = { ok: false, failure: 'BAD_ARGS', message, logs: [], ms: 0 };
      return;
    }
    this.isRunning = true;
    this.#stop = new AbortController();
    const input = readInput(read.content.inputSchema, this.typedInput);
    this.result = await this.#tryOut(read.content, input, (line) => (this.logs = [...this.logs, line]));
    this.isRunning = false;
  }

  stop(): void {
    this.#stop.abort();
  }

  async check(): Promise<void> {
    if (this.isRunning) return;
    const read = contentOf(this.form);
    if (!read.ok) {
      this.problems = read.problems;
      return;
    }
    this.isRunning = true;
    this.#stop = new AbortController();
    this.checks = [];
    for (const { arguments: input, result: wanted } of read.content.examples) {
      const result = await this.#tryOut(read.content, input, () => undefined);
      const isAsSaid = result.ok && (wanted === undefined || isSameJson(wanted, result.json));
      this.checks = [...this.checks, { ...result, isAsSaid }];
    }
    this.isRunning = false;
  }

  keepAsExample(): void {
    const read = contentOf(this.form);
    if (!read.ok) return;
    const input = readInput(read.content.inputSchema, this.typedInput);
    const result = this.result?.ok ? this.result.json : '';
    const example = { request: '', arguments: JSON.stringify(input), result };
    this.change({ examples: [...this.form.examples, example] });
  }

  fillFromExample(index: number): void {
    const read = contentOf(this.form);
    const example = read.ok ? read.content.examples[index] : undefined;
    if (read.ok && example) this.typedInput = toTypedInput(read.content.inputSchema, example.arguments);
  }

  restore(content: CustomToolContent): void {
    this.change(formOf(content));
  }

  #tryOut(content: CustomToolContent, input: Record<string, unknown>, onLog: (line: string) => void) {
    const { signal } = this.#stop;
    return this.functions.run({ toolId: this.recordId, content, input }, { signal, onLog });
  }

  protected createDraft() {
    return { id: this.id, toolId: this.recordId, form: this.form, origin: this.origin };
  }

  protected async findSaved() {
    return (await this.functions.list()).tools.find(({ id }) => id === this.recordId);
  }

  protected async write(content: CustomToolContent): Promise<CustomTool> {
    const at = this.functions.date();
    // Reload the stored tool, because another tab may have switched it on or off.
    const before = await this.findSaved();
    const isSame = before && JSON.stringify(before.content) === JSON.stringify(content);
    const tool: CustomTool = {
      id: this.recordId,
      content,
      origin: this.origin,
      updatedAt: isSame ? before.updatedAt : at,
      isOn: before?.isOn ?? true,
      createdAt: before?.createdAt ?? at,
      versions: before && !isSame ? addVersion(before) : (before?.versions ?? []),
    };
    await this.functions.save(tool);
    return tool;
  }

  /** Removes the sample call that a new tool starts with, once the user has changed the tool's name or input schema. */
  #dropStartingExample(): void {
    const { name, inputSchema, examples } = this.form;
    const isSame = name === this.initialForm.name && inputSchema === this.initialForm.inputSchema;
    if (isSame || examples.length === 0 || this.saved) return;
    if (JSON.stringify(examples) === JSON.stringify(this.initialForm.examples)) this.change({ examples: [] });
  }
}

export function findDefaults(form: CustomToolForm): TypedInput {
  const read = contentOf(form);
  if (!read.ok) return {};
  const { inputSchema } = read.content;
  const defaults = parametersOf(inputSchema).flatMap(({ name, schema }) =>
    schema['default'] === undefined ? [] : [[name, schema['default']] as const],
  );
  return toTypedInput(inputSchema, Object.fromEntries(defaults));
}

function addVersion({ versions, updatedAt, content }: CustomTool): CustomTool['versions'] {
  return [...versions, { savedAt: updatedAt, content }].slice(-maxVersions);
}

/** Whether two JSON texts are equal, ignoring the order of keys. */
function isSameJson(one: string, other: string): boolean {
  return JSON.stringify(sortKeys(parse(one))) === JSON.stringify(sortKeys(parse(other)));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, item]) => [key, sortKeys(item)]));
}

type TypedInput = Readonly<Record<string, string | boolean>>;

/** Converts typed text to arguments. Text of the wrong type stays text, so validation reports it. */
export function readInput(schema: JsonSchema, typed: TypedInput): Record<string, unknown> {
  const entries = parametersOf(schema).flatMap(({ name, schema: field, isRequired }) => {
    const value = typed[name];
    const type = typeOf(field);
    if (typeof value === 'boolean') return [[name, value] as const];
    if (value === undefined || value === '') {
      if (type === 'string' && isRequired && !('default' in field)) return [[name, ''] as const];
      return type === 'boolean' && isRequired ? [[name, false] as const] : [];
    }
    return [[name, readValue(field, value)] as const];
  });
  return Object.fromEntries(entries);
}

export function toTypedInput(schema: JsonSchema, input: Readonly<Record<string, unknown>>): TypedInput {
  const entries = parametersOf(schema).flatMap(({ name }) => {
    const value = input[name];
    if (value === undefined) return [];
    const isPlain = typeof value === 'string' || typeof value === 'boolean';
    return [[name, isPlain ? value : JSON.stringify(value)] as const];
  });
  return Object.fromEntries(entries);
}

function readValue(schema: JsonSchema, text: string): unknown {
  switch (typeOf(schema)) {
    case 'string':
      return text;
    case 'number':
    case 'integer':
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return readList(schema, text);
    case 'object':
      return readJson(text);
  }
}

function readList({ items }: JsonSchema, text: string): unknown {
  if (text.trim().startsWith('[')) return readJson(text);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isNumbers = typeof items === 'object' && items !== null && 'type' in items && items.type !== 'string';
  return isNumbers ? lines.map(readJson) : lines;
}

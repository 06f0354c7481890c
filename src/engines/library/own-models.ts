/** The user's own models, added by address or by a record of web-llm. */
import { type AddedModel, ModelFamily } from '../../contracts/model-library';
import { read, z } from '../../contracts/schema';
import { engines } from '../registry';

export interface OwnModelForm {
  modelUrl: string;
  id: string;
  libraryUrl: string;
  overrides: string;
}

const Overrides = z.record(z.string(), z.unknown());
/** A record of web-llm's model list, with one more field of ours. */
const Record = z.object({
  model: z.string(),
  model_id: z.string(),
  model_lib: z.optional(z.string()),
  overrides: z.optional(Overrides),
  family: z.optional(ModelFamily),
});

export function readForm(form: OwnModelForm, known: readonly string[]): AddedModel {
  const text = form.overrides.trim();
  const overrides = text === '' ? {} : parse(text);
  const checked = read(Overrides, overrides);
  if (!checked.ok || Array.isArray(overrides)) return { ok: false, problem: 'overrides' };
  return check(
    {
      model: form.modelUrl.trim(),
      model_id: form.id.trim(),
      model_lib: form.libraryUrl.trim(),
      overrides: checked.value,
    },
    known,
  );
}

export function readRecord(text: string, known: readonly string[]): AddedModel {
  const checked = read(Record, parse(text));
  return checked.ok ? check(checked.value, known) : { ok: false, problem: 'json' };
}

function check(record: z.infer<typeof Record>, known: readonly string[]): AddedModel {
  const { model, model_id: id, model_lib: library = '', overrides = {}, family } = record;
  if (!isWebAddress(model)) return { ok: false, problem: 'model-url' };
  const entry = { modelUrl: model, libraryUrl: library };
  const kind = engines.find(({ own }) => own?.claims?.(entry));
  // If no engine claims the address, we assume a WebLLM model whose library is missing.
  const problem = kind ? kind.own?.problem?.(entry) : 'library-url';
  if (!kind || problem) return { ok: false, problem: problem ?? 'library-url' };
  if (id === '') return { ok: false, problem: 'id' };
  if (known.includes(id)) return { ok: false, problem: 'known' };
  const rest = { ...(library !== '' && { libraryUrl: library }), ...(family && { family }) };
  return { ok: true, id, model: { id, engine: kind.id, modelUrl: model, overrides, ...rest } };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

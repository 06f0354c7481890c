/** Finds a model by its id: shipped, from the catalog, or added by the user. Also parses the forms for adding one. */
import type { ModelSpec } from '../../contracts/model';
import { type AddModelResult, ModelFamily, type OwnModel } from '../../contracts/model-library';
import type { Settings } from '../../contracts/settings';
import type { DeviceFacts } from '../../platform/webgpu';
import { type HardwareSettings } from '../engine';
import { engines } from '../kinds';
import { findBrowserProvidedModel, engineOf } from '../registry';
import { catalog } from './catalog';
import { chatMl, gemma, gemma4, hermesChatMl, llama3, mistral, olderMistral, phi4, plain } from './templates';
import { contextLengths, specOf } from './entry';
import { contextTokensFor } from './recommend';
import { parseJson, read, z } from '../../contracts/schema';

type ModelSettings = Pick<Settings, 'ownModels' | 'isThinking' | 'sampling'> & HardwareSettings;

export function findModel(
  id: string,
  wishes: ModelSettings,
  device: DeviceFacts,
  shipped: readonly ModelSpec[],
): ModelSpec | undefined {
  // A shipped model keeps the sampling for which it was trained.
  const builtIn = shipped.find((model) => model.id === id);
  if (builtIn) return builtIn;
  const spec = findSpec(id, wishes, device, shipped);
  if (!spec) return undefined;
  const { temperature = spec.sampling.temperature, topP = spec.sampling.topP } = wishes.sampling;
  const hardware = engineOf(spec)?.hardware?.(device, wishes);
  const sampling = { ...spec.sampling, temperature, topP };
  return { ...spec, sampling, ...(hardware && { hardware }) };
}

function findSpec(
  id: string,
  { ownModels, isThinking }: ModelSettings,
  device: DeviceFacts,
  shipped: readonly ModelSpec[],
): ModelSpec | undefined {
  const brought = findBrowserProvidedModel(id);
  if (brought) return brought.spec;
  const own = ownModels.find((model) => model.id === id);
  if (own) return ownModelSpecOf(own, shipped);
  const entry = catalog.find(({ variants }) => variants.some((one) => one.id === id));
  const variant = entry?.variants.find((one) => one.id === id);
  if (!entry || !variant) return undefined;
  return specOf(entry, variant, { contextTokens: contextTokensFor(entry, variant, device), isThinking });
}

const formatsByFamily = {
  chatml: { format: 'hermes', template: chatMl },
  hermes: { format: 'hermes', template: hermesChatMl },
  llama3: { format: 'json', template: llama3 },
  phi4: { format: 'phi', template: phi4 },
  gemma: { format: 'fenced-tool', template: gemma },
  gemma4: { format: 'gemma', template: gemma4 },
  mistral: { format: 'mistral', template: mistral },
  'mistral-inst': { format: 'mistral', template: olderMistral },
} as const;

/** Guesses the family from the id. The default is ChatML, which most other models use. */
function guessFamily(id: string): keyof typeof formatsByFamily {
  if (/hermes/i.test(id)) return 'hermes';
  if (/llama-?3/i.test(id)) return 'llama3';
  if (/gemma-?4/i.test(id)) return 'gemma4';
  if (/gemma-?[23]/i.test(id)) return 'gemma';
  if (/ministral-?3|mistral-small|devstral/i.test(id)) return 'mistral';
  if (/mistral/i.test(id)) return 'mistral-inst';
  return /phi-?4/i.test(id) ? 'phi4' : 'chatml';
}

/** Returns the spec of a user's own model. The defaults are cautious, because we often know only the address. */
export function ownModelSpecOf(own: OwnModel, shipped: readonly ModelSpec[]): ModelSpec {
  const { id, modelUrl, overrides, bytes = 0 } = own;
  const engine = engineOf(own)?.id ?? own.engine;
  const file = { path: modelUrl, bytes };
  const small = own.family === 'ember' ? shipped.find(({ isSmall }) => isSmall) : undefined;
  if (small) return { ...small, id, name: id, engine, file };
  const family = own.family === 'ember' ? undefined : own.family;
  const { format, template: chatTemplate } = formatsByFamily[family ?? guessFamily(id)];
  // Older files of chat models have no template either, but their names say what they are.
  const template = own.isBase && !/instruct|chat|[-_.]it\b/i.test(id) ? plain : chatTemplate;
  const said = overrides['context_window_size'];
  const contextTokens =
    own.contextTokens ?? (typeof said === 'number' && said > 0 ? said : contextLengths[0]);
  return {
    id,
    name: id,
    engine,
    file,
    format,
    template,
    contextTokens,
    maxReplyTokens: Math.min(Math.floor(contextTokens / 4), 1024),
    ...engineOf(own)?.own?.spec?.(own),
    sampling: { temperature: 0.3, topP: 0.9 },
    isOwn: true,
    languages: [],
    licence: '',
  };
}

type OwnModelForm = Record<'modelUrl' | 'id' | 'libraryUrl' | 'overrides', string>;

const Overrides = z.record(z.string(), z.unknown());
/** A record of web-llm's model list, with our own `family` field added. */
const ModelRecord = z.object({
  model: z.string(),
  model_id: z.string(),
  model_lib: z.optional(z.string()),
  overrides: z.optional(Overrides),
  family: z.optional(ModelFamily),
});

export function readModelForm(form: OwnModelForm, known: readonly string[]): AddModelResult {
  const text = form.overrides.trim();
  const overrides = text === '' ? {} : parseJson(text);
  const checked = read(Overrides, overrides);
  if (!checked.ok || Array.isArray(overrides)) return { ok: false, problem: 'overrides' };
  const model_lib = form.libraryUrl.trim();
  const record = { model: form.modelUrl.trim(), model_id: form.id.trim(), model_lib };
  return checkModelRecord({ ...record, overrides: checked.value }, known);
}

export function readModelRecord(text: string, known: readonly string[]): AddModelResult {
  const checked = read(ModelRecord, parseJson(text));
  return checked.ok ? checkModelRecord(checked.value, known) : { ok: false, problem: 'json' };
}

function checkModelRecord(record: z.infer<typeof ModelRecord>, known: readonly string[]): AddModelResult {
  const { model, model_id: id, model_lib: library = '', overrides = {}, family } = record;
  if (!isWebAddress(model)) return { ok: false, problem: 'model-url' };
  const entry = { modelUrl: model, libraryUrl: library };
  const kind = engines.find(({ own }) => own?.claims?.(entry));
  // No engine recognizes the two addresses, so this is a WebLLM model and the address of its library is missing.
  if (!kind) return { ok: false, problem: 'library-url' };
  const problem = kind.own?.problem?.(entry);
  if (problem) return { ok: false, problem };
  if (id === '') return { ok: false, problem: 'id' };
  if (known.includes(id)) return { ok: false, problem: 'known' };
  const rest = { ...(library !== '' && { libraryUrl: library }), ...(family && { family }) };
  return { ok: true, id, model: { id, engine: kind.id, modelUrl: model, overrides, ...rest } };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

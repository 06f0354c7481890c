/** The models that may replace another one: its variant in 32-bit numbers, and smaller ones on this device. */
import type { ModelSpec } from '../../contracts/model';
import type { DeviceFacts } from '../../platform/webgpu';
import { engineOf } from '../registry';
import { catalog } from './catalog';

export interface Alternatives {
  /** Missing if the model is that variant itself, or has none. */
  twin?: { spec: ModelSpec; isKept: boolean };
  smaller: readonly ModelSpec[];
}

export interface AlternativesOptions {
  /** Ids of all known models, except those that ship with the app. */
  ids: readonly string[];
  find: (id: string) => Promise<ModelSpec | undefined>;
  isKept: (id: string) => Promise<boolean>;
  device: DeviceFacts;
}

export async function alternativesTo(
  { id, file }: ModelSpec,
  { ids, find, isKept, device }: AlternativesOptions,
): Promise<Alternatives> {
  const twin = twinOf(id);
  const others = await Promise.all(ids.filter((other) => other !== id && other !== twin).map(find));
  const lighter = others
    .filter((spec) => spec !== undefined)
    .filter((spec) => spec.file.bytes > 0 && spec.file.bytes < file.bytes && canRun(spec, device))
    .sort((one, other) => other.file.bytes - one.file.bytes);
  const kept = await Promise.all(lighter.map((spec) => isKept(spec.id)));
  const spec = twin === undefined ? undefined : await find(twin);
  return {
    ...(spec && { twin: { spec, isKept: await isKept(spec.id) } }),
    smaller: lighter.filter((_, at) => kept[at]),
  };
}

function twinOf(id: string): string | undefined {
  const entry = catalog.find(({ variants }) =>
    variants.some((variant) => variant.id === id && variant.precision === 'f16'),
  );
  return entry?.variants.find(({ precision }) => precision === 'f32')?.id;
}

function canRun(spec: ModelSpec, device: DeviceFacts): boolean {
  return engineOf(spec)?.canRun(spec, device) ?? false;
}

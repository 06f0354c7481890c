/**
 * The only way into `src/ember`, the small model that ships with the app. The folder may be missing: then the app has no built-in model
 * and no last resort, and a chat asks the user to choose a model. (Its dialect is found the same way in `protocol/dialects.ts`.)
 * The build for end-to-end tests replaces this file (scripts/use-doubles.js).
 */
import type { ModelSpec } from '../contracts/model';
import type { ModelName } from '../contracts/model-library';
import type { CreateSmallModelPolicy } from '../contracts/small-model-policy';

/** Part of the first paint, so this loads only the spec. */
const [spec] = Object.values(
  import.meta.glob<ModelSpec>('../ember/spec.ts', { eager: true, import: 'ember' }),
);
const [loadPolicy] = Object.values(
  import.meta.glob<CreateSmallModelPolicy>('../ember/index.ts', { import: 'createPolicy' }),
);

/** Undefined in a build without a small model. */
export const smallModelSpec: ModelSpec | undefined = spec;

/** The models that ship with the build. The first one answers chats that chose none. */
export const builtInModels: readonly ModelSpec[] = spec ? [spec] : [];

/** Undefined in a build without a small model. It is loaded together with the agent runtime (see scripts/start-parts.js). */
export async function loadSmallModelPolicy(): Promise<CreateSmallModelPolicy | undefined> {
  return loadPolicy?.();
}

/** Shown as the model of a chat that chose none, in a build without a built-in model. No engine can load it. */
export const noModel: ModelName = { id: 'none', name: '–', engine: '', bytes: 0 };

/** A built-in model as the screen shows it before the registry of engines has been loaded. */
export function builtInName({ id, name, engine, file, isSmall }: ModelSpec): ModelName {
  return { id, name, engine, place: 'processor', bytes: file.bytes, ...(isSmall && { isSmall }) };
}

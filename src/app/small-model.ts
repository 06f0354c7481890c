/**
 * The only import of `src/ember`, the small model that ships with the app. Without that folder, each chat asks the user to choose a model.
 * In the build for end-to-end tests, scripts/use-doubles.js replaces this file.
 */
import type { ModelSpec } from '../contracts/model';
import type { ModelName } from '../contracts/model-library';
import type { CreateSmallModelPolicy } from '../contracts/small-model-policy';

/** Load only the spec at startup, because the first paint waits for this file. */
const [spec] = Object.values(
  import.meta.glob<ModelSpec>('../ember/spec.ts', { eager: true, import: 'ember' }),
);
const [loadPolicy] = Object.values(
  import.meta.glob<CreateSmallModelPolicy>('../ember/index.ts', { import: 'createPolicy' }),
);

export const smallModelSpec: ModelSpec | undefined = spec;

/** The models that ship with this build. A chat without a chosen model uses the first one. */
export const builtInModels: readonly ModelSpec[] = spec ? [spec] : [];

/** Undefined in a build without a small model. The policy loads together with the agent runtime (see scripts/start-parts.js). */
export async function loadSmallModelPolicy(): Promise<CreateSmallModelPolicy | undefined> {
  return loadPolicy?.();
}

/** Placeholder for chats without a chosen model, in a build without a built-in model. No engine can load it. */
export const noModel: ModelName = { id: 'none', name: '–', engine: '', bytes: 0 };

export function toBuiltInModelName({ id, name, engine, file, isSmall }: ModelSpec): ModelName {
  return { id, name, engine, place: 'processor', bytes: file.bytes, ...(isSmall && { isSmall }) };
}

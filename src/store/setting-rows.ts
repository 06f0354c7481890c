/** PURE: the settings as rows, a row a field: whether one can be read, and one without the keys that are in it. */
import type { OwnModel } from '../contracts/model-library';
import { z } from '../contracts/schema';
import { Settings } from '../contracts/settings';
import { isSame } from './is-same';

/** One field of the settings. */
export const SettingRow = z
  .object({ key: z.string(), value: z.unknown() })
  .check(z.refine(({ key, value }) => isSetting(key, value), 'No setting, or not a value of it'));
export type SettingRow = z.infer<typeof SettingRow>;

/** A field falls back to its default where it cannot be read: here that counts as unreadable. */
function isSetting(key: string, value: unknown): boolean {
  const schema = Object.entries(Settings.shape).find(([name]) => name === key)?.[1];
  const parsed = schema?.safeParse(value);
  return parsed !== undefined && parsed.success && isSame(parsed.data, value);
}

/** Keys of search providers and of models on servers stand in the settings themselves: this is the row without them. */
export function withoutKeys({ key, value }: SettingRow): SettingRow {
  if (key === 'providers') {
    const providers = Object.entries(Settings.shape.providers.parse(value));
    const bare = providers.map(([id, setting]) => [id, withoutKey(setting)]);
    return { key, value: Object.fromEntries(bare) as unknown };
  }
  if (key === 'ownModels') {
    const models = Settings.shape.ownModels.parse(value);
    return { key, value: models.map(bareModel) };
  }
  if (key === 'binnedModels') {
    const binned = Settings.shape.binnedModels.parse(value) ?? [];
    return { key, value: binned.map((entry) => ({ ...entry, model: bareModel(entry.model) })) };
  }
  return { key, value };
}

function bareModel(model: OwnModel): OwnModel {
  return model.endpoint ? { ...model, endpoint: withoutKey(model.endpoint) } : model;
}

function withoutKey<Value extends { key?: string | undefined }>(value: Value): Omit<Value, 'key'> {
  const rest = { ...value };
  delete rest.key;
  return rest;
}

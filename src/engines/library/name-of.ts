import type { ModelSpec } from '../../contracts/model';
import type { ModelName } from '../../contracts/model-library';
import { engineOf } from '../registry';

export function nameOf(spec: ModelSpec): ModelName {
  const { id, name, engine, file, isSmall } = spec;
  const kind = engineOf(spec);
  const place = kind?.placeOf?.(spec) ?? kind?.place;
  return { id, name, engine, place, bytes: file.bytes, ...(isSmall && { isSmall }) };
}

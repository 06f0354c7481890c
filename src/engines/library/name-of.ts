/** A model as chats and settings remember it. */
import type { ModelSpec } from '../../contracts/model';
import type { ModelName } from '../../contracts/model-name';
import { engineOf } from '../registry';

export function nameOf({ id, name, engine, file, isSmall }: ModelSpec): ModelName {
  const place = engineOf({ engine })?.place;
  return { id, name, engine, place, bytes: file.bytes, ...(isSmall && { isSmall }) };
}

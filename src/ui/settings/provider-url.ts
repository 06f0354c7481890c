import type { ProviderInfo } from '../../contracts/settings';

/** Whether a text has the form of a provider's address. Whether Hearth may request it is decided by the gate. */
export function isProviderUrl(text: string, { fields }: Pick<ProviderInfo, 'fields'>): boolean {
  if (fields.paths && !text.includes('{query}')) return false;
  return isWebUrl(text.replaceAll(/\{\w+\}/g, 'x'));
}

export function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

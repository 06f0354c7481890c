/** Whether what was typed can be the address of a search provider. */
import type { ProviderInfo } from '../../contracts/settings';

/** What the gate lets through is decided when it is asked. */
export function isProviderUrl(text: string, { fields }: Pick<ProviderInfo, 'fields'>): boolean {
  if (fields.paths && !text.includes('{query}')) return false;
  return isWebUrl(text.replaceAll(/\{\w+\}/g, 'x'));
}

export function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

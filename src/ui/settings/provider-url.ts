import type { ProviderInfo } from '../../contracts/settings';

/** True if `text` has the form of a provider's address. The egress gate decides whether Hearth may request it. */
export function isProviderUrl(text: string, { fields }: Pick<ProviderInfo, 'fields'>): boolean {
  if (fields.paths && !text.includes('{query}')) return false;
  return isWebUrl(text.replaceAll(/\{\w+\}/g, 'x'));
}

export function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

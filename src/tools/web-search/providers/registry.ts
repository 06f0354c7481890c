/** Lists every search provider, in the order in which Settings shows them and searches query them. */
import type { ProviderInfo, ProviderSetting, Settings } from '../../../contracts/settings';
import type { SearchProvider } from '../provider';
import { searxng } from './searxng';
import { tavily } from './tavily';
import { template } from './template';
import { wikipedia } from './wikipedia';

export const providers: readonly SearchProvider[] = [wikipedia, tavily, searxng, template];

export const providerInfos: readonly ProviderInfo[] = providers.map(
  ({ id, name, fields, isOnByDefault }) => ({ id, name, fields, isOnByDefault }),
);

export function settingOf(provider: SearchProvider, settings: Pick<Settings, 'providers'>): ProviderSetting {
  return settings.providers[provider.id] ?? { isOn: provider.isOnByDefault };
}

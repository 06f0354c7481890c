/** Every search provider: one line each, in the order in which they are shown and asked. */
import type { ProviderInfo, ProviderSetting, Settings } from '../../../contracts/settings';
import type { SearchProvider } from '../provider';
import { searxng } from './searxng';
import { tavily } from './tavily';
import { template } from './template';
import { wikipedia } from './wikipedia';

export const providers: readonly SearchProvider[] = [wikipedia, tavily, searxng, template];

/** What Settings shows of each. */
export const providerInfos: readonly ProviderInfo[] = providers.map(
  ({ id, name, fields, isOnByDefault }) => ({ id, name, fields, isOnByDefault }),
);

/** As the person set it, or as it is until then. */
export function settingOf(provider: SearchProvider, settings: Pick<Settings, 'providers'>): ProviderSetting {
  return settings.providers[provider.id] ?? { isOn: provider.isOnByDefault };
}

/** The sections of the settings screen: their ids in the address and their titles. */
import type { Language } from '../i18n/language.svelte';

const sectionNames = [
  'language',
  'appearance',
  'rounds',
  'answers',
  'dictation',
  'web-search',
  'proxy',
  'mirrors',
  'permissions',
  'addresses',
  'requests',
  'backup',
  'storage',
  'about',
] as const;
export type SettingSection = (typeof sectionNames)[number];

export function settingSections({
  late,
}: Pick<Language, 'late'>): { section: SettingSection; name: string }[] {
  const { settings } = late;
  const names: Readonly<Record<SettingSection, string>> = {
    language: settings.language,
    appearance: settings.appearance,
    rounds: settings.rounds,
    answers: settings.answers.title,
    dictation: late.dictation.title,
    'web-search': settings.search.title,
    proxy: settings.proxy,
    mirrors: late.models.mirrors.title,
    permissions: settings.permissions.title,
    addresses: settings.addresses.title,
    requests: settings.requests.title,
    backup: late.backup.title,
    storage: settings.storage,
    about: settings.about,
  };
  return sectionNames.map((section) => ({ section, name: names[section] }));
}

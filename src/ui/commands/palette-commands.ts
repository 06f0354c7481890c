/** All commands of the palette. `Palette.svelte` adds search hits in messages. */
import type { OwnPrompt } from '../../contracts/own-prompt';
import type { App } from '../../state/app.svelte';
import { nameOf } from '../../state/models.svelte';
import { choosePersona } from '../../state/persona-changes';
import { hashOf } from '../../state/route';
import type { Language } from '../i18n/language.svelte';
import type { RestWords } from '../i18n/words';
import type { Actions } from './actions';
import type { Command } from './choose';
import { actionNames } from './keys';

export function commandsOf(
  app: App,
  language: Language,
  actions: Actions,
  { prompts, onPrompt }: { prompts: readonly OwnPrompt[]; onPrompt: (prompt: OwnPrompt) => void },
): readonly Command[] {
  return [
    ...createActionCommands(language, actions),
    ...createChatCommands(app, language),
    ...prompts.map((prompt) => ({
      id: `prompt:${prompt.id}`,
      group: 'prompts' as const,
      name: prompt.name,
      detail: prompt.text.slice(0, 80),
      run: () => onPrompt(prompt),
    })),
    ...createPersonaCommands(app, language),
    ...createModelCommands(app, language),
    ...createToolCommands(app, language),
    ...settingSectionsOf(language).map(({ section, name }) => ({
      id: `settings:${section}`,
      group: 'settings' as const,
      name,
      synonyms: searchSynonymsOf(section, language),
      run: () => app.services.setHash(hashOf({ screen: 'settings', section }), false),
    })),
  ];
}

export type SettingSection = keyof ReturnType<typeof sectionNamesOf>;

export function settingSectionsOf({ rest }: Pick<Language, 'rest'>) {
  const names = sectionNamesOf(rest);
  return (Object.keys(names) as SettingSection[]).map((section) => ({ section, name: names[section] }));
}

function sectionNamesOf({ common, settings, dictation, models, backup }: RestWords) {
  return {
    language: common.language,
    appearance: settings.appearance,
    rounds: settings.rounds,
    answers: settings.answers.title,
    dictation: dictation.title,
    'web-search': settings.search.title,
    proxy: settings.proxy,
    mirrors: models.mirrors.title,
    permissions: settings.permissions.title,
    addresses: settings.addresses.title,
    requests: settings.requests.title,
    backup: backup.title,
    storage: settings.storage,
    about: settings.about,
  };
}

function searchSynonymsOf(section: SettingSection, { rest }: Language): string {
  const { contrast, textSize } = rest.settings;
  const synonyms = rest.findSettings.also[section];
  return section === 'appearance' ? `${synonyms} ${contrast} ${textSize}` : synonyms;
}

function createActionCommands(language: Language, actions: Actions): Command[] {
  const { names, also } = language.rest.command;
  return actionNames.flatMap((action) => {
    const run = actions[action];
    if (!run || action === 'palette') return [];
    return [{ id: action, group: 'actions' as const, name: names[action], synonyms: also[action], run }];
  });
}

function createChatCommands(app: App, language: Language): Command[] {
  const { archived } = language.rest.command.palette;
  return (app.chats ?? []).map(({ id, title, archivedAt }) => ({
    id: `chat:${id}`,
    group: 'chats' as const,
    name: title,
    detail: archivedAt === undefined ? undefined : archived,
    run: () => app.services.setHash(hashOf({ screen: 'chat', chatId: id }), false),
  }));
}

/** Commands that set the persona of the open chat. None while a turn runs. */
function createPersonaCommands(app: App, language: Language): Command[] {
  const { session } = app;
  if (!session || session.isRunning) return [];
  const { palette } = language.rest.command;
  const all = (app.personas.list?.personas ?? []).map(({ id, content }) => ({ id, name: content.name }));
  const current = app.persona?.id;
  return [{ id: undefined, name: language.words.persona.none }, ...all].map(({ id, name }) => ({
    id: `persona:${id ?? ''}`,
    group: 'personas' as const,
    name,
    detail: id === current ? palette.current : undefined,
    async run() {
      await choosePersona(app, session, id);
      app.lastAction = { type: 'personaChanged' };
    },
  }));
}

function createModelCommands(app: App, language: Language): Command[] {
  const { palette } = language.rest.command;
  const downloaded = (app.models.view?.cards ?? []).filter(({ kept }) => kept.isWhole).map(nameOf);
  return downloaded.map((model) => ({
    id: `model:${model.id}`,
    group: 'models' as const,
    name: language.modelName(model),
    detail: model.id === app.chosen.id ? palette.current : undefined,
    run: () => (model.id === app.chosen.id ? undefined : app.switchModel(model)),
  }));
}

function createToolCommands(app: App, language: Language): Command[] {
  const { session } = app;
  if (!session) return [];
  const { palette } = language.rest.command;
  const { titles } = language.rest.tools;
  return app.offeredTools.map(({ name, title }) => {
    const isOn = !session.settings.toolsOff.includes(name);
    const label = titles[name] ?? title;
    return {
      id: `tool:${name}`,
      group: 'tools' as const,
      name: isOn ? palette.switchOff(label) : palette.switchOn(label),
      synonyms: name,
      async run() {
        await session.setTool(name, !isOn);
        app.lastAction = { type: isOn ? 'switchedOff' : 'switchedOn' };
      },
    };
  });
}

/** Part of the composition root: actions of the screens on personas. They need no model, and load the checker when it is first used. */
import checkToolWorkerUrl from '../../workers/check-tool.worker?worker&url';
import { toolNameOf } from '../contracts/persona';
import { startWorker } from '../platform/start-worker';
import type { App } from '../state/app.svelte';
import type { PersonaFunctions } from '../state/personas.svelte';
import type { OpenStore } from '../store/open-store';
import type { AgentRuntime } from './agent-runtime';
import { late, type LoadedOnce, loadOnce } from './load-once';

interface PersonaParts {
  app: () => App;
  store: Promise<Pick<OpenStore, 'customTools' | 'personas'>>;
  runtime: LoadedOnce<Pick<AgentRuntime, 'listTools'>>;
}

export function createPersonaFunctions({ app, store, runtime }: PersonaParts): PersonaFunctions {
  const load = async () => (await store).personas;
  const { signal } = new AbortController();
  const checker = loadOnce(async () => {
    const { createToolChecker } = await import('../tools/custom/remote-checker');
    return createToolChecker(() => startWorker(checkToolWorkerUrl));
  });

  /** Names of all other tools, on or off. */
  async function takenFor(personaId: string): Promise<string[]> {
    const { customTools, personas } = await store;
    const [tools, { personas: kept }, own] = await Promise.all([
      runtime.load().then(({ listTools }) => listTools()),
      personas.list(),
      customTools.list(),
    ]);
    const agents = kept.filter(({ content }) => content.isTool);
    const agentNames = new Set(agents.map(({ content }) => toolNameOf(content)));
    return [
      ...tools.map(({ name }) => name).filter((name) => !agentNames.has(name)),
      ...own.tools.map(({ content }) => content.name),
      ...agents.filter(({ id }) => id !== personaId).map(({ content }) => toolNameOf(content)),
    ];
  }

  return {
    ...late(load, ['list', 'save', 'loadDraft', 'saveDraft', 'removeDraft']),
    async watch(onList) {
      const onError = (error: Error) => (app().fault = String(error));
      (await load()).watch((list) => {
        onList(list);
        // Personas that are tools are in the tool list. A runtime that loads later lists them by itself.
        void runtime.begun
          ?.then(async ({ listTools }) => (app().tools = await listTools()))
          .catch(() => undefined);
      }, onError);
    },
    async check(personaId, content) {
      const taken = content.isTool ? await takenFor(personaId) : [];
      return (await checker.load()).checkPersona(content, taken, signal);
    },
    readFile: async (file) => (await checker.load()).readPersonaFile(file),
    writeFile: async (content) => (await import('../tools/personas/persona-file')).writePersonaFile(content),
    gallery: async () => (await import('../tools/personas/gallery')).gallery,
    newId: () => crypto.randomUUID(),
    date: Date.now,
  };
}

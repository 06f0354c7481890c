/** The functions of personas with the real checks and a store in memory. */
import checkToolWorkerUrl from '../../workers/check-tool.worker?worker&url';
import { toolNameOf } from '../../src/contracts/persona';
import type { PersonaStore } from '../../src/contracts/store';
import { startWorker } from '../../src/platform/start-worker';
import type { PersonaFunctions } from '../../src/state/personas.svelte';
import { createToolChecker } from '../../src/tools/custom/remote-checker';
import { galleryPersonas } from '../../src/tools/personas/gallery';
import { writePersonaFile } from '../../src/tools/personas/persona-file';

export function personaFunctions(store: PersonaStore): PersonaFunctions {
  const checker = createToolChecker(() => startWorker(checkToolWorkerUrl));
  const { signal } = new AbortController();
  return {
    ...store,
    watch: async (onList) => void store.watch(onList, () => undefined),
    async check(personaId, content) {
      const { personas } = await store.list();
      const others = personas.filter((persona) => persona.id !== personaId && persona.content.isTool);
      const taken = ['calculator', 'clock', ...others.map((persona) => toolNameOf(persona.content))];
      return checker.checkPersona(content, taken, signal);
    },
    readFile: checker.readPersonaFile,
    writeFile: async (content) => writePersonaFile(content),
    gallery: async () => galleryPersonas,
    newId: () => crypto.randomUUID(),
    date: Date.now,
  };
}

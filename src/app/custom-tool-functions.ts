/** Part of the composition root: actions of the screens on custom tools. */
import type { CustomToolContent } from '../contracts/custom-tool';
import type { CustomToolFunctions } from '../state/custom-tools.svelte';
import type { OpenStore } from '../store/open-store';
import type { CustomToolRuntime } from './custom-tool-runtime';
import { late } from './load-once';

export function createCustomToolFunctions(
  store: Promise<Pick<OpenStore, 'customTools' | 'grants'>>,
  loadRuntime: () => Promise<CustomToolRuntime>,
): Omit<CustomToolFunctions, 'newId' | 'date'> {
  /** Revokes the permissions of earlier code with this name. */
  async function forgetGrants(name: string): Promise<void> {
    const { grants } = await store;
    const stale = (await grants.list()).filter(({ tool, revision }) => tool === name && revision !== '');
    await Promise.all(stale.map(({ id }) => grants.remove(id)));
  }

  return {
    ...late(
      async () => (await store).customTools,
      ['list', 'loadDraft', 'saveDraft', 'removeDraft', 'setSecret', 'keptSecrets'],
    ),
    async save(tool) {
      const { customTools } = await store;
      const { tools } = await customTools.list();
      const before = tools.find(({ id }) => id === tool.id)?.content;
      await customTools.save(tool);
      if (before && permitted(before) !== permitted(tool.content)) await forgetGrants(before.name);
    },
    ...late(loadRuntime, ['check', 'run', 'readFile']),
    writeFile: async (content) => (await import('../tools/custom/tool-file')).writeToolFile(content),
    gallery: async () => (await import('../tools/custom/gallery/registry')).gallery,
  };
}

/** The parts of a tool that a permission is bound to: its name, and the fields that make up the revision in `tools/custom/custom-tool.ts`. */
function permitted({ name, code, class: kind, hosts, secrets }: CustomToolContent): string {
  return JSON.stringify([name, code, kind, hosts, secrets]);
}

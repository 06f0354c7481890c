/** A part of the composition root: what the screens do with the person's own tools. */
import type { CustomToolContent } from '../contracts/custom-tool';
import type { AgentRuntime } from './agent-runtime';
import type { CustomToolFunctions } from '../state/custom-tools.svelte';
import type { OpenStore } from '../store/open-store';

export function createCustomToolFunctions(
  opening: Promise<OpenStore>,
  loadRuntime: () => Promise<AgentRuntime>,
): CustomToolFunctions {
  /** What was allowed to other code, or under a name that is free again, is allowed to nobody. */
  async function forgetGrants(name: string): Promise<void> {
    const { grants } = await opening;
    const stale = (await grants.list()).filter(({ tool, revision }) => tool === name && revision !== '');
    await Promise.all(stale.map(({ id }) => grants.remove(id)));
  }

  return {
    list: async () => (await opening).customTools.list(),
    async save(tool) {
      const { customTools } = await opening;
      const { tools } = await customTools.list();
      const before = tools.find(({ id }) => id === tool.id)?.content;
      await customTools.save(tool);
      if (before && permitted(before) !== permitted(tool.content)) await forgetGrants(before.name);
    },
    async remove({ id }, name) {
      await (await opening).customTools.remove(id);
      if (name !== '') await forgetGrants(name);
    },
    loadDraft: async (id) => (await opening).customTools.loadDraft(id),
    saveDraft: async (draft) => (await opening).customTools.saveDraft(draft),
    removeDraft: async (id) => (await opening).customTools.removeDraft(id),
    setSecret: async (...secret) => (await opening).customTools.setSecret(...secret),
    keptSecrets: async (toolId) => (await opening).customTools.keptSecrets(toolId),
    check: async (...tool) => (await loadRuntime()).own.check(...tool),
    run: async (...run) => (await loadRuntime()).own.run(...run),
    readFile: async (file) => (await loadRuntime()).own.readFile(file),
    writeFile: async (content) => (await import('../tools/custom/tool-file')).writeToolFile(content),
    gallery: async () => (await import('../tools/custom/gallery/registry')).gallery,
    newId: () => crypto.randomUUID(),
    date: Date.now,
  };
}

/** What a person allowed something to: the revision of `tools/custom/custom-tool.ts`, and the name. */
function permitted({ name, code, class: kind, hosts, secrets }: CustomToolContent): string {
  return JSON.stringify([name, code, kind, hosts, secrets]);
}

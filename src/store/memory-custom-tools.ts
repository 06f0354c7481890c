/** Custom tools, for a visit in which nothing can be kept. */
import type { CustomTool, CustomToolDraft, CustomToolList, SecretRecord } from '../contracts/custom-tool';
import { isGrantOfTool, secretId } from './custom-tools';
import { type MarkedRows, marksOn } from './memory-marks';
import { shownOf } from './tree';
import type { CustomToolStore, GrantStore } from '../contracts/store';

export function createMemoryCustomTools(grants: GrantStore): CustomToolStore & { marks: MarkedRows } {
  const tools = new Map<string, CustomTool>();
  const drafts = new Map<string, CustomToolDraft>();
  const secrets = new Map<string, SecretRecord>();
  const watchers = new Set<() => void>();
  const list = (): CustomToolList => ({
    tools: shownOf([...tools.values()]).sort((a, b) => a.createdAt - b.createdAt),
    damaged: [],
  });
  const changed = () => {
    for (const tell of watchers) tell();
  };

  return {
    marks: marksOn('tool', tools, changed),
    list: () => Promise.resolve(list()),
    watch(onList) {
      const tell = () => onList(list());
      watchers.add(tell);
      queueMicrotask(tell);
      return () => watchers.delete(tell);
    },
    save(tool) {
      tools.set(tool.id, structuredClone(tool));
      changed();
      return Promise.resolve();
    },
    async remove(id) {
      const name = tools.get(id)?.content.name ?? '';
      tools.delete(id);
      for (const [key, draft] of drafts) if (draft.toolId === id) drafts.delete(key);
      for (const [key, secret] of secrets) if (secret.toolId === id) secrets.delete(key);
      changed();
      if ([...tools.values()].some(({ content }) => content.name === name)) return;
      const ofTool = (await grants.list()).filter((grant) => isGrantOfTool(name, grant));
      await Promise.all(ofTool.map((grant) => grants.remove(grant.id)));
    },
    loadDraft: (id) => Promise.resolve(drafts.get(id)),
    saveDraft(draft) {
      drafts.set(draft.id, structuredClone(draft));
      return Promise.resolve();
    },
    removeDraft(id) {
      drafts.delete(id);
      return Promise.resolve();
    },
    setSecret(toolId, { name, host }, value) {
      const id = secretId(toolId, { name, host });
      if (value === '') secrets.delete(id);
      else secrets.set(id, { id, toolId, name, host, value });
      return Promise.resolve();
    },
    keptSecrets: (toolId) =>
      Promise.resolve(
        [...secrets.values()]
          .filter((secret) => secret.toolId === toolId)
          .map(({ name, host }) => ({ name, host })),
      ),
    secretOf: (toolId, secret) => Promise.resolve(secrets.get(secretId(toolId, secret))?.value),
  };
}

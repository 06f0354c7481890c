/** Keeps custom tools, their drafts, and the values of their secrets. */
import { CustomTool, CustomToolDraft, type KeptSecret, SecretRecord } from '../contracts/custom-tool';
import type { Grant } from '../contracts/permission';
import { read } from '../contracts/schema';
import type { CustomToolStore } from '../contracts/store';
import { createCollection, readDraft } from './collection';
import { nameInContent } from './personas';
import { attempt } from './storage-error';
import type { Tables } from './tables';

export function createCustomTools(tables: Tables): CustomToolStore {
  return {
    ...createCollection(tables, {
      name: 'customTools',
      schema: CustomTool,
      order: (one, other) => one.createdAt - other.createdAt,
      nameOf: nameInContent,
      toList: (tools, damaged) => ({ tools, damaged }),
    }),

    async save(tool: CustomTool): Promise<void> {
      await attempt(() => tables.customTools.put(tool));
    },

    remove(id: string): Promise<void> {
      return tables.write(['customTools', 'toolDrafts', 'toolSecrets', 'grants'], (within) =>
        removeTool(within, id),
      );
    },

    loadDraft(id: string): Promise<CustomToolDraft | undefined> {
      return readDraft(tables, 'toolDrafts', id, CustomToolDraft);
    },

    async saveDraft(draft: CustomToolDraft): Promise<void> {
      await attempt(() => tables.toolDrafts.put(draft));
    },

    removeDraft(id: string): Promise<void> {
      return attempt(() => tables.toolDrafts.delete(id));
    },

    async setSecret(toolId: string, { name, host }: KeptSecret, value: string): Promise<void> {
      const { toolSecrets } = tables;
      const id = secretId(toolId, { name, host });
      await attempt<unknown>(() =>
        value === '' ? toolSecrets.delete(id) : toolSecrets.put({ id, toolId, name, host, value }),
      );
    },

    async keptSecrets(toolId: string): Promise<KeptSecret[]> {
      const ofTool = tables.toolSecrets.where('toolId').equals(toolId);
      const rows: unknown[] = await attempt(() => ofTool.toArray());
      // Without the values: a screen only has to say that there is one.
      return rows.flatMap(readSecret).map(({ name, host }) => ({ name, host }));
    },

    async secretOf(toolId: string, secret: KeptSecret): Promise<string | undefined> {
      const row: unknown = await attempt(() => tables.toolSecrets.get(secretId(toolId, secret)));
      return readSecret(row)[0]?.value;
    },
  };
}

/** With its drafts, its secrets and its permissions. Within a transaction. */
export async function removeTool(tables: Tables, id: string): Promise<void> {
  const { customTools, toolDrafts, toolSecrets, grants } = tables;
  const name = nameInContent((await customTools.get(id)) ?? {});
  await customTools.delete(id);
  // If another tool has this name by now, the permissions are its own.
  const isTaken = (await customTools.toArray()).some((other) => nameInContent(other) === name);
  if (!isTaken) await grants.filter((grant) => isGrantOfTool(name, grant)).delete();
  await toolDrafts.where('toolId').equals(id).delete();
  await toolSecrets.where('toolId').equals(id).delete();
}

/** Whether a permission is for custom code of this name. A permission for a built-in tool has no revision. */
export function isGrantOfTool(name: string, { tool, revision }: Partial<Grant>): boolean {
  return name !== '' && tool === name && revision !== undefined && revision !== '';
}

/** A secret that is bound to another host, or belongs to another tool, has another id. */
function secretId(toolId: string, { name, host }: KeptSecret): string {
  return JSON.stringify([toolId, name, host]);
}

/** A secret that cannot be read counts as missing: the person is asked for it again. */
function readSecret(row: unknown): SecretRecord[] {
  const secret = read(SecretRecord, row);
  return secret.ok ? [secret.value] : [];
}

/** Keeps what a person allowed for longer than one call. */
import { Grant } from '../contracts/permission';
import { read } from '../contracts/schema';
import type { GrantStore } from '../contracts/store';
import { isGrantOfTool } from './custom-tools';
import { isGrantOf } from './mcp-servers';
import { nameInContent } from './personas';
import { attempt } from './storage-error';
import type { Tables } from './tables';
import { shownOf } from './tree';

export function createGrants(tables: Tables): GrantStore {
  return {
    list: () => attempt(() => listGrants(tables)),
    watch: (onList, onError) => tables.watch(listGrants, onList, onError),
    add: (grant) =>
      tables.write(['grants', 'chats'], async ({ grants, chats }) => {
        // The chat may have been deleted meanwhile: no permission for it may stay behind.
        if (grant.chatId !== null && !(await chats.get(grant.chatId))) return;
        await grants.put(grant);
      }),
    remove: (id) => attempt(() => tables.grants.delete(id)),
  };
}

async function listGrants(tables: Tables): Promise<Grant[]> {
  const [rows, isOfBin]: [unknown[], (grant: Grant) => boolean] = await Promise.all([
    tables.grants.toArray(),
    readBin(tables),
  ]);
  // A row that cannot be read allows nothing.
  const grants = rows.map((row) => read(Grant, row)).flatMap((grant) => (grant.ok ? [grant.value] : []));
  return grants.filter((grant) => !isOfBin(grant)).sort((a, b) => b.createdAt - a.createdAt);
}

/** Tells which permissions are for something in the bin, or for a chat in it. They count again when it is restored. */
async function readBin(tables: Tables): Promise<(grant: Grant) => boolean> {
  const { chats, mcpServers, customTools } = tables;
  const [ofChats, servers, tools] = await Promise.all([
    chats.where('deletedAt').above(0).primaryKeys(),
    mcpServers.where('deletedAt').above(0).primaryKeys(),
    customTools.where('deletedAt').above(0).toArray(),
  ]);
  const shown = tools.length === 0 ? [] : shownOf(await customTools.toArray());
  const taken = new Set(shown.map(nameInContent));
  const names = tools.map(nameInContent).filter((name) => !taken.has(name));
  return (grant) =>
    ofChats.some((id) => id === grant.chatId) ||
    servers.some((id) => isGrantOf(id, grant)) ||
    names.some((name) => isGrantOfTool(name, grant));
}

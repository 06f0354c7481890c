/** PURE: merges a server's new tool list into the known one. A changed tool stays off until the user reviews it. */
import type { McpServer, RemoteTool } from '../../contracts/mcp-server';
import type { ListedTool } from './worker-api';

/** `isTaken`: true if a name is reserved or belongs to another tool. */
export function mergeTools(
  known: readonly RemoteTool[],
  listed: readonly ListedTool[],
  serverName: string,
  isTaken: (name: string) => boolean,
): RemoteTool[] {
  const before = new Map(known.map((tool) => [tool.name, tool]));
  const used = new Map<string, string>();
  // Reserve known aliases first, so no other tool in the list takes them.
  for (const { name } of listed) {
    const alias = before.get(name)?.alias;
    if (alias !== undefined && !isTaken(alias) && !used.has(alias)) used.set(alias, name);
  }
  return listed.map((tool) => {
    const { name } = tool;
    const old = before.get(name);
    const isFree = (alias: string) => !isTaken(alias) && (used.get(alias) ?? name) === name;
    const alias = chooseAlias(name, old?.alias, serverName, isFree);
    used.set(alias, name);
    return mergeTool(old, tool, alias);
  });
}

function mergeTool(old: RemoteTool | undefined, tool: ListedTool, alias: string): RemoteTool {
  const { name, definition, hash, unfit } = tool;
  const isSame = old?.hash === hash;
  // The definition that the user saw last, even if the tool has changed twice since.
  const last = isSame ? old.before : old?.isOn ? old.definition : old?.before;
  // If the tool has changed back to what the user saw, report no change.
  const before = last && JSON.stringify(last) !== JSON.stringify(definition) ? last : undefined;
  return {
    name,
    alias,
    definition,
    hash,
    isOn: isSame && old.isOn && unfit === undefined,
    ...(before && { before }),
    ...(unfit && { unfit }),
  };
}

/** Switching a tool on accepts its current definition. */
export function switchTool(server: McpServer, name: string, isOn: boolean): McpServer {
  const tools = server.tools.map((tool) => {
    if (tool.name !== name || (isOn && tool.unfit)) return tool;
    const { before, ...rest } = tool;
    return { ...rest, isOn, ...(before && !isOn && { before }) };
  });
  return { ...server, tools };
}

const maxNameCharacters = 64;

/** Keeps the old alias if it is free. Otherwise uses the tool's own name, with the server's name as prefix and a number if necessary. */
function chooseAlias(
  name: string,
  old: string | undefined,
  serverName: string,
  isFree: (name: string) => boolean,
): string {
  if (old !== undefined && isFree(old)) return old;
  const own = toSnakeCase(name) || 'tool';
  const server = toSnakeCase(serverName).slice(0, 24) || 'server';
  const both = `${server}_${own}`;
  let alias = isFree(own) ? own : both.slice(0, maxNameCharacters);
  for (let count = 2; !isFree(alias); count++) alias = `${both.slice(0, maxNameCharacters - 5)}_${count}`;
  return alias;
}

function toSnakeCase(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .replace(/^[\d_]+|_+$/g, '');
  return words.slice(0, maxNameCharacters);
}

/** PURE: what a server lists now, beside what was known of it: what has changed is off, until a person has seen how. */
import type { McpServer, RemoteTool } from '../../contracts/mcp-server';
import type { ReadTool } from './worker-api';

/** `isTaken`: a name that another tool of this device has, or that means something else to models. */
export function mergeTools(
  known: readonly RemoteTool[],
  listed: readonly ReadTool[],
  serverName: string,
  isTaken: (name: string) => boolean,
): RemoteTool[] {
  const before = new Map(known.map((tool) => [tool.name, tool]));
  const used = new Map<string, string>();
  // First of all: what is listed before a tool does not take the alias that this one had.
  for (const { name } of listed) {
    const alias = before.get(name)?.alias;
    if (alias !== undefined && !isTaken(alias) && !used.has(alias)) used.set(alias, name);
  }
  return listed.map((tool) => {
    const { name } = tool;
    const old = before.get(name);
    const isFree = (alias: string) => !isTaken(alias) && (used.get(alias) ?? name) === name;
    const alias = aliasOf(name, old?.alias, serverName, isFree);
    used.set(alias, name);
    return mergeTool(old, tool, alias);
  });
}

function mergeTool(old: RemoteTool | undefined, tool: ReadTool, alias: string): RemoteTool {
  const { name, definition, hash, unfit } = tool;
  const isSame = old?.hash === hash;
  // Seen last when it was on: what it became twice since then is one difference.
  const last = isSame ? old.before : old?.isOn ? old.definition : old?.before;
  // It may have become again what it was.
  const before = last && JSON.stringify(last) !== JSON.stringify(definition) ? last : undefined;
  return {
    ...{ name, alias, definition, hash },
    isOn: isSame && old.isOn && unfit === undefined,
    ...(before && { before }),
    ...(unfit && { unfit }),
  };
}

/** Switched on, a tool is what the person saw. */
export function switchTool(server: McpServer, name: string, isOn: boolean): McpServer {
  const tools = server.tools.map((tool) => {
    if (tool.name !== name || (isOn && tool.unfit)) return tool;
    const { before, ...rest } = tool;
    return { ...rest, isOn, ...(before && !isOn && { before }) };
  });
  return { ...server, tools };
}

/** Letters that models write in the name of a call; at most so many. */
const longest = 64;

/** The one that it had, else its own name, else with the server's before it. */
function aliasOf(
  name: string,
  old: string | undefined,
  serverName: string,
  isFree: (name: string) => boolean,
): string {
  if (old !== undefined && isFree(old)) return old;
  const own = snake(name) || 'tool';
  const server = snake(serverName).slice(0, 24) || 'server';
  const names = [own, `${server}_${own}`.slice(0, longest)];
  const free = names.find(isFree);
  if (free !== undefined) return free;
  for (let count = 2; ; count++) {
    const numbered = `${`${server}_${own}`.slice(0, longest - 5)}_${count}`;
    if (isFree(numbered)) return numbered;
  }
}

function snake(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .replace(/^[\d_]+|_+$/g, '');
  return words.slice(0, longest);
}

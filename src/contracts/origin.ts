/**
 * Where a text comes from. Every text that can reach a prompt carries its origins from the moment it enters Hearth, and permissions depend on
 * them: nothing that a stranger wrote counts as the user's own words. A new way in needs a row in `isOutsideByDoor`.
 */

/** The ways by which text enters Hearth, and whether a stranger may have written what comes in that way. */
const isOutsideByDoor = {
  /** Typed or pasted into the message box by the user. */
  typed: false,
  /** Spoken by the user, and recognized by the browser. */
  dictation: false,
  /** Written by Hearth: results of built-in tools that contact no host, and error messages. */
  hearth: false,
  /** Written by a model on this device, as when it asks a sub-agent. */
  model: false,
  /** An answer of a model that runs on a server. */
  endpoint: true,
  /** The answer of a sub-agent. The origins of what the sub-agent has read follow it. */
  agent: false,
  /** A summary of earlier messages. The origins of these messages follow it. */
  summary: false,
  /** A note that the user keeps. The origins of what a model had read when it wrote the note follow it. */
  note: false,
  /** The result of a custom tool. The hosts that the tool contacted follow it. */
  'custom-tool': false,
  file: true,
  page: true,
  /** The result of a tool on an MCP server. */
  server: true,
  /** The description of a tool on an MCP server, or of a custom tool from a file. */
  'tool-description': true,
  'server-prompt': true,
  /** A file or record that the user attached from an MCP server. */
  resource: true,
  /** The instructions of a persona from a file. */
  persona: true,
  /** The instructions of a skill. */
  skill: true,
  /** A chat, note, prompt or other text from a file that was imported. */
  import: true,
  /** Shared with Hearth by another app. */
  shared: true,
} as const;

export type Door = keyof typeof isOutsideByDoor;
export const doors = Object.keys(isOutsideByDoor) as readonly Door[];

export interface Origin {
  door: Door;
  /** For `page`, `server` and `endpoint` the host, with its port if the address has one. Otherwise a file name or title. */
  name?: string | undefined;
  /** Tells two MCP servers on the same host apart. */
  serverId?: string | undefined;
}

export function isOutside({ door }: Origin): boolean {
  return isOutsideByDoor[door];
}

export function originOfFile({ name }: { name: string }): Origin {
  return { door: 'file', name };
}

export function withoutRepeats(origins: readonly Origin[]): Origin[] {
  return [...new Map(origins.map((origin) => [keyOf(origin), origin])).values()];
}

function keyOf({ door, name, serverId }: Origin): string {
  return JSON.stringify([door, name, serverId]);
}

/** `id` of an MCP server. Absent for a server that runs a persona's model. */
export interface Server {
  id: string | undefined;
  host: string;
}

/**
 * Whether the text comes from this server. A page on the host is the host's own text, and older chats stored no server ids. A file can have
 * the name of a host, so only names that are hosts count.
 */
export function isFromServer({ door, name, serverId }: Origin, server: Server): boolean {
  if (serverId !== undefined) return serverId === server.id;
  return (door === 'page' || door === 'endpoint') && name === server.host;
}

/**
 * Adds the origins to a row of an earlier version, which listed hosts and files in `sources`. `own`: where the text comes from if it came from
 * no host.
 */
export function addOrigins(row: unknown, own: Door): unknown {
  if (typeof row !== 'object' || row === null || 'origins' in row) return row;
  const { sources, ...others } = row as { sources?: unknown };
  const names = Array.isArray(sources) ? sources.filter((source) => typeof source === 'string') : [];
  return { ...others, origins: [{ door: own }, ...names.map(toOrigin)] };
}

function toOrigin(source: string): Origin {
  const file = /^file: ([^]*)$/.exec(source)?.[1];
  if (file === undefined) return { door: 'page', name: source };
  return file === 'shared' ? { door: 'shared' } : { door: 'file', name: file };
}

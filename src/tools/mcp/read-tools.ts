/** For the MCP worker: what a server lists, as the page keeps it: cut to what a person can read, and named by its hash. */
import type { Tool } from '@modelcontextprotocol/client';
import { mostDescription, type RemoteDefinition, type RemoteUnfit } from '../../contracts/mcp-server';
import { isDeeperThan } from '../../contracts/schema';
import type { ReadTool } from './worker-api';

/** Of one server: more are left out, and a person could not choose among them. */
const mostTools = 500;
/** Characters of a schema as JSON. */
const mostSchema = 64_000;
const deepestSchema = 24;
const longestName = 128;

export async function readTools(tools: readonly Tool[]): Promise<ReadTool[]> {
  const names = new Set<string>();
  const read: ReadTool[] = [];
  for (const tool of tools) {
    // Of two with one name nobody could say which a call means.
    const name = tool.name.slice(0, longestName);
    if (names.has(name) || read.length === mostTools) continue;
    names.add(name);
    read.push(await readTool(tool));
  }
  return read;
}

async function readTool(tool: Tool): Promise<ReadTool> {
  const { name, title, description = '', inputSchema, outputSchema, annotations = {} } = tool;
  const hints = isDeeperThan(2, annotations) ? {} : annotations;
  const unfit = unfitness(tool);
  const isKept = unfit === undefined;
  const definition: RemoteDefinition = {
    title: (title ?? annotations.title ?? '').slice(0, longestName),
    description: description.slice(0, mostDescription),
    inputSchema: isKept ? inputSchema : {},
    ...(isKept && outputSchema && { outputSchema }),
    hints: JSON.stringify(hints).length > 2_000 ? {} : hints,
  };
  const hash = await hashOf([name, title ?? '', description, inputSchema, outputSchema ?? null, annotations]);
  return { name: name.slice(0, longestName), definition, hash, ...(unfit && { unfit }) };
}

/** A person who cannot be shown all of it cannot allow it. */
function unfitness({ name, description = '', inputSchema, outputSchema }: Tool): RemoteUnfit | undefined {
  if (name.trim() === '' || name.length > longestName || /\p{C}/u.test(name)) return 'name';
  if (description.length > mostDescription) return 'too-long';
  for (const schema of [inputSchema, outputSchema]) {
    if (schema === undefined) continue;
    if (isDeeperThan(deepestSchema, schema)) return 'schema';
    if (JSON.stringify(schema).length > mostSchema) return 'too-long';
  }
  return undefined;
}

/** 64 hex digits. By the content alone: in which order a server names the fields of an object means nothing. */
async function hashOf(value: unknown): Promise<string> {
  const digest = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(JSON.stringify(sorted(value, 0))),
  );
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What lies below counts for nothing: a schema that is so deep makes its tool unfit, and hints that are so are not shown. */
const deepestSorted = 64;

/** An object is told apart from a list of its fields. */
function sorted(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === deepestSorted) return null;
  if (Array.isArray(value)) return value.map((item: unknown) => sorted(item, depth + 1));
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { fields: entries.map(([key, item]) => [key, sorted(item, depth + 1)]) };
}

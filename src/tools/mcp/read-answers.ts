/** For the MCP worker: converts a server's results and tool list into our types, and limits their size. */
import type { CallToolResult, ContentBlock, ReadResourceResult, Tool } from '@modelcontextprotocol/client';
import { createFailedOutput, type UnmarkedOutput } from '../../contracts/tool';
import { maxDescriptionLength, type RemoteToolDefinition } from '../../contracts/mcp-server';
import { isDeeperThan } from '../../contracts/schema';
import type { ListedTool } from './worker-api';

/** Maximum characters of all text in a result. We later cut the text further for the model. */
const maxTextCharacters = 2_000_000;
const maxTexts = 500;
const maxPictures = 8;
/** Base64 characters of one picture (3 MB). */
const maxPictureCharacters = 4_000_000;
const maxLinks = 100;
const maxTitleCharacters = 200;
const maxAddressCharacters = 4_000;

type Part = UnmarkedOutput['content'][number];

export function readCallResult({ content, structuredContent, isError }: CallToolResult): UnmarkedOutput {
  const parts = toResultParts(content);
  const hasText = content.some((block) => block.type === 'text' && block.text.trim() !== '');
  // Structured content repeats the text, so use it only if there is no text.
  if (structuredContent !== undefined && !hasText) {
    parts.unshift({ type: 'text', text: JSON.stringify(structuredContent).slice(0, maxTextCharacters) });
  }
  if (parts.length === 0) parts.push({ type: 'text', text: 'The server answered with nothing.' });
  return { content: parts, ...(isError ? { isError: true, failure: 'server' } : { isError: false }) };
}

export function readResourceResult({ contents }: ReadResourceResult): UnmarkedOutput {
  const content = toResultParts(contents.map((resource) => ({ type: 'resource', resource })));
  if (content.length > 0) return { content, isError: false };
  return createFailedOutput('no-text', 'There is nothing in it.');
}

export function toResultParts(blocks: readonly ContentBlock[]): Part[] {
  const parts: Part[] = [];
  const room = { characters: maxTextCharacters, text: maxTexts, image: maxPictures, link: maxLinks };
  let omitted = 0;
  for (const block of blocks) {
    const part = toResultPart(block);
    const isFull = room[part.type] === 0;
    if (part.type !== 'text') {
      if (isFull) omitted += 1;
      else parts.push(part);
    } else {
      const text = isFull ? '' : part.text.slice(0, room.characters);
      if (text.length < part.text.length) omitted += 1;
      if (text === '') continue;
      parts.push({ type: 'text', text });
      room.characters -= text.length;
    }
    if (!isFull) room[part.type] -= 1;
  }
  if (omitted > 0)
    parts.push({ type: 'text', text: `[${omitted} more parts of the result were left out, or cut.]` });
  return parts;
}

function toResultPart(block: ContentBlock): Part {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return toPicturePart(block.data, block.mimeType);
    case 'audio':
      return noteOmission(`A sound, ${block.mimeType}`);
    case 'resource_link': {
      if (block.uri.length > maxAddressCharacters) return noteOmission('A link that is too long');
      const title = (block.title ?? block.name).slice(0, maxTitleCharacters);
      return { type: 'link', uri: block.uri, title };
    }
    case 'resource':
      if ('text' in block.resource) return { type: 'text', text: block.resource.text };
      return toPicturePart(block.resource.blob, block.resource.mimeType ?? '');
  }
}

function toPicturePart(data: string, mimeType: string): Part {
  if (!Object.hasOwn(pictureSignatures, mimeType))
    return noteOmission(`A file, ${mimeType === '' ? 'of no known type' : mimeType}`);
  if (data.length > maxPictureCharacters) return noteOmission('A picture that is too large');
  if (!hasPictureBytes(data, mimeType)) return noteOmission(`A picture that is no ${mimeType}`);
  return { type: 'image', data, mimeType };
}

const noteOmission = (what: string): Part => ({ type: 'text', text: `[${what.slice(0, 100)}: not shown.]` });

const pictureSignatures: Readonly<Record<string, readonly (readonly [number, string])[]>> = {
  'image/png': [[0, '\x89PNG\r\n\x1a\n']],
  'image/jpeg': [[0, '\xff\xd8\xff']],
  'image/gif': [[0, 'GIF8']],
  'image/webp': [
    [0, 'RIFF'],
    [8, 'WEBP'],
  ],
};

export function hasPictureBytes(base64: string, mimeType: string): boolean {
  const marks = Object.hasOwn(pictureSignatures, mimeType) ? pictureSignatures[mimeType] : undefined;
  if (!marks || !/^[A-Za-z\d+/]+={0,2}$/.test(base64)) return false;
  try {
    const start = atob(base64.slice(0, 24));
    return marks.every(([at, mark]) => start.startsWith(mark, at));
  } catch {
    return false;
  }
}

const maxTools = 500;
const maxSchemaCharacters = 64_000;
const maxSchemaDepth = 24;
const maxNameCharacters = 128;

export async function readTools(tools: readonly Tool[]): Promise<ListedTool[]> {
  const names = new Set<string>();
  const read: ListedTool[] = [];
  for (const tool of tools) {
    // Skip duplicate names: calls could not tell the tools apart.
    const name = tool.name.slice(0, maxNameCharacters);
    if (names.has(name) || read.length === maxTools) continue;
    names.add(name);
    read.push(await readTool(tool));
  }
  return read;
}

async function readTool(tool: Tool): Promise<ListedTool> {
  const { name, title, description = '', inputSchema, outputSchema, annotations = {} } = tool;
  const hints = isDeeperThan(2, annotations) ? {} : annotations;
  const unfit = findProblem(tool);
  const isKept = unfit === undefined;
  const definition: RemoteToolDefinition = {
    title: (title ?? annotations.title ?? '').slice(0, maxNameCharacters),
    description: description.slice(0, maxDescriptionLength),
    inputSchema: isKept ? inputSchema : {},
    ...(isKept && outputSchema && { outputSchema }),
    hints: JSON.stringify(hints).length > 2_000 ? {} : hints,
  };
  const hash = await hashOf([name, title ?? '', description, inputSchema, outputSchema ?? null, annotations]);
  return { name: name.slice(0, maxNameCharacters), definition, hash, ...(unfit && { unfit }) };
}

/** Returns why we cannot use a tool. The user could not review a tool that is too large to show in full. */
function findProblem({ name, description = '', inputSchema, outputSchema }: Tool) {
  if (name.trim() === '' || name.length > maxNameCharacters || /\p{C}/u.test(name)) return 'name';
  if (description.length > maxDescriptionLength) return 'too-long';
  for (const schema of [inputSchema, outputSchema]) {
    if (schema === undefined) continue;
    if (isDeeperThan(maxSchemaDepth, schema)) return 'schema';
    if (JSON.stringify(schema).length > maxSchemaCharacters) return 'too-long';
  }
  return undefined;
}

/** SHA-256 in hexadecimal, independent of the order of object keys. */
async function hashOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(sortKeys(value, 0)));
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Maximum depth that the hash covers. We cannot use a deeper schema anyway. */
const maxSortedDepth = 64;

/** Sorts object keys. Wraps objects so they differ from lists. */
function sortKeys(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxSortedDepth) return null;
  if (Array.isArray(value)) return value.map((item: unknown) => sortKeys(item, depth + 1));
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { fields: entries.map(([key, item]) => [key, sortKeys(item, depth + 1)]) };
}

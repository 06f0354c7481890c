/** For the MCP worker: the result of a call, as the chat keeps it: texts, pictures that can be shown, links. */
import type { CallToolResult, ContentBlock, ReadResourceResult } from '@modelcontextprotocol/client';
import type { ToolOutput } from '../../contracts/tool';
import { hasPictureBytes } from './picture-bytes';

/** Characters of all texts together. What a model is given of them is cut further, by the question. */
const mostText = 2_000_000;
const mostTexts = 500;
const mostPictures = 8;
/** Characters of base64 of one picture: 3 MB. */
const mostPicture = 4_000_000;
const mostLinks = 100;
/** Characters. */
const longestTitle = 200;
const longestAddress = 4_000;
const pictureTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

type Part = ToolOutput['content'][number];

export function readCallResult({ content, structuredContent, isError }: CallToolResult): ToolOutput {
  const parts = partsOf(content);
  const hasText = content.some((block) => block.type === 'text' && block.text.trim() !== '');
  // A server that gives both says the same twice; the text is what it means a model to read.
  if (structuredContent !== undefined && !hasText) {
    parts.unshift({ type: 'text', text: JSON.stringify(structuredContent).slice(0, mostText) });
  }
  const said =
    parts.length === 0 ? [{ type: 'text' as const, text: 'The server answered with nothing.' }] : parts;
  return isError ? { content: said, isError: true, failure: 'server' } : { content: said, isError: false };
}

export function readResourceResult({ contents }: ReadResourceResult): ToolOutput {
  const content = partsOf(contents.map((resource) => ({ type: 'resource', resource })));
  if (content.length > 0) return { content, isError: false };
  return { content: [{ type: 'text', text: 'There is nothing in it.' }], isError: true, failure: 'no-text' };
}

/** In their order, as many as can be shown; what is left out is said. */
export function partsOf(blocks: readonly ContentBlock[]): Part[] {
  const parts: Part[] = [];
  const room = { text: mostText, texts: mostTexts, pictures: mostPictures, links: mostLinks };
  let left = 0;
  for (const block of blocks) {
    const part = partOf(block);
    if (part.type === 'text') {
      if (part.text === '') continue;
      if (part.text.length > room.text || room.texts === 0) left += 1;
      if (room.text > 0 && room.texts > 0) {
        parts.push({ type: 'text', text: part.text.slice(0, room.text) });
        room.texts -= 1;
        room.text = Math.max(0, room.text - part.text.length);
      }
      continue;
    }
    const kind = part.type === 'image' ? 'pictures' : 'links';
    if (room[kind] === 0) left += 1;
    else parts.push(part);
    room[kind] = Math.max(0, room[kind] - 1);
  }
  if (left > 0)
    parts.push({ type: 'text', text: `[${left} more parts of the result were left out, or cut.]` });
  return parts;
}

function partOf(block: ContentBlock): Part {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return pictureOf(block.data, block.mimeType);
    case 'audio':
      return left(`A sound, ${block.mimeType}`);
    case 'resource_link':
      if (block.uri.length > longestAddress) return left('A link that is too long');
      return { type: 'link', uri: block.uri, title: (block.title ?? block.name).slice(0, longestTitle) };
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return { type: 'text', text: resource.text };
      return pictureOf(resource.blob, resource.mimeType ?? '');
    }
  }
}

function pictureOf(data: string, mimeType: string): Part {
  if (!pictureTypes.has(mimeType)) return left(`A file, ${mimeType === '' ? 'of no known type' : mimeType}`);
  if (data.length > mostPicture) return left('A picture that is too large');
  // Its type says what it is; its bytes must say the same.
  if (!hasPictureBytes(data, mimeType)) return left(`A picture that is no ${mimeType}`);
  return { type: 'image', data, mimeType };
}

const left = (what: string): Part => ({ type: 'text', text: `[${what.slice(0, 100)}: not shown.]` });

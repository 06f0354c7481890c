/** A tool as a file, to be passed on: docs/how-to/write-a-tool.md has its format. No value of a secret is ever in it. */
import { CustomToolContent } from '../../contracts/custom-tool';
import { isDeeperThan } from '../../contracts/json-depth';
import { type Read, read, z } from '../../contracts/schema';
import { findTooLarge } from './tool-size';

/** What this Hearth writes, and the newest it reads. */
const version = 1;
/** Characters, in a file bytes. The code alone may have 100,000. */
export const maxLength = 1_000_000;
const maxDepth = 32;

const ToolFile = z.object({
  kind: z.literal('hearth-tool'),
  version: z.int().check(z.minimum(1)),
  tool: CustomToolContent,
});

export function writeToolFile(tool: CustomToolContent): string {
  return `${JSON.stringify({ kind: 'hearth-tool', version, tool }, undefined, 2)}\n`;
}

export const tooLong: Read<never> = {
  ok: false,
  reason: `It is longer than ${maxLength} characters: no tool is.`,
};

/** Reads what a stranger may have written. It runs nothing, and says nothing of whether the tool is any good. */
export function readToolFile(text: string): Read<CustomToolContent> {
  if (text.length > maxLength) return tooLong;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { ok: false, reason: `It is not JSON: ${String(error).slice(0, 200)}` };
  }
  if (isDeeperThan(maxDepth, json)) {
    return { ok: false, reason: `It is nested deeper than ${maxDepth}: no tool is.` };
  }
  const head = read(z.object({ kind: z.literal('hearth-tool'), version: z.number() }), json);
  if (head.ok && head.value.version > version) {
    const { version: found } = head.value;
    return {
      ok: false,
      reason: `It is of version ${found}; this Hearth reads ${version}. Reload for a newer Hearth.`,
    };
  }
  const file = read(ToolFile, json);
  if (!file.ok) return file;
  const { tool } = file.value;
  const large = findTooLarge(tool);
  if (large) return { ok: false, reason: `It is too large: of ${large.field}, ${large.detail} characters.` };
  return { ok: true, value: tool };
}

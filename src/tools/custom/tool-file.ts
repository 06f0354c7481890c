/** A tool as a file, to be passed on: docs/how-to/write-a-tool.md has its format. No value of a secret is ever in it. */
import { CustomToolContent, type ReadToolFile } from '../../contracts/custom-tool';
import { z } from '../../contracts/schema';
import { readSharedFile, refuse } from '../shared-file';
import { findTooLarge } from './tool-size';

const kind = 'hearth-tool';
/** What this Hearth writes, and the newest it reads. */
const version = 1;
/** Characters, in a file bytes. The code alone may have 100,000. */
export const maxLength = 1_000_000;

const schema = z.object({
  kind: z.literal(kind),
  version: z.int().check(z.minimum(1)),
  tool: CustomToolContent,
});

export function writeToolFile(tool: CustomToolContent): string {
  return `${JSON.stringify({ kind, version, tool }, undefined, 2)}\n`;
}

/** It runs nothing, and says nothing of whether the tool is any good. */
export function readToolFile(text: string): ReadToolFile {
  const file = readSharedFile(text, { kind, version, maxLength, schema });
  if (!file.ok) return file;
  const { tool } = file.value;
  const large = findTooLarge(tool);
  if (large) return refuse('too-large', `${large.field}: ${large.detail} characters`);
  return { ok: true, value: tool };
}

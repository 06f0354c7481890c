/** A tool as a file, to be passed on: docs/how-to/write-a-tool.md has its format. No value of a secret is ever in it. */
import { CustomToolContent, type ReadToolFile, type ToolFileProblem } from '../../contracts/custom-tool';
import { isDeeperThan } from '../../contracts/json-depth';
import { read, z } from '../../contracts/schema';
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

export const tooLong = refuse('too-large', `more than ${maxLength} characters`);

/** Reads what a stranger may have written. It runs nothing, and says nothing of whether the tool is any good. */
export function readToolFile(text: string): ReadToolFile {
  if (text.length > maxLength) return tooLong;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return refuse('not-json', String(error).slice(0, 200));
  }
  if (isDeeperThan(maxDepth, json)) return refuse('too-large', `nested deeper than ${maxDepth}`);
  const head = read(z.object({ kind: z.literal('hearth-tool'), version: z.unknown() }), json);
  if (!head.ok) return refuse('other-kind', head.reason);
  const { version: found } = head.value;
  if (typeof found === 'number' && found > version)
    return refuse('newer', `version ${found} instead of ${version}`);
  const file = read(ToolFile, json);
  if (!file.ok) return refuse('damaged', file.reason);
  const { tool } = file.value;
  const large = findTooLarge(tool);
  if (large) return refuse('too-large', `${large.field}: ${large.detail} characters`);
  return { ok: true, value: tool };
}

function refuse(problem: ToolFileProblem, reason: string): ReadToolFile {
  return { ok: false, problem, reason };
}

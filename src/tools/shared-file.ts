/** PURE: reads JSON files that users share. Each kind of file has a name and a version. A stranger may have written the file. */
import type { SharedFileResult, RefusedFile, ToolFileProblem } from '../contracts/custom-tool';
import { isDeeperThan, read, z } from '../contracts/schema';

const maxDepth = 32;

/** Accepts at most `maxLength` characters. Never throws. */
export function readSharedFile<Schema extends z.ZodMiniType>(
  text: string,
  { kind, version, maxLength, schema }: { kind: string; version: number; maxLength: number; schema: Schema },
): SharedFileResult<z.infer<Schema>> {
  if (text.length > maxLength) return refuseTooLong(maxLength);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return refuseFile('not-json', String(error).slice(0, 200));
  }
  if (isDeeperThan(maxDepth, json)) return refuseFile('too-large', `nested deeper than ${maxDepth}`);
  const head = read(z.object({ kind: z.literal(kind), version: z.unknown() }), json);
  if (!head.ok) return refuseFile('other-kind', head.reason);
  const { version: found } = head.value;
  if (typeof found === 'number' && found > version)
    return refuseFile('newer', `version ${found} instead of ${version}`);
  const file = read(schema, json);
  return file.ok ? file : refuseFile('damaged', file.reason);
}

export function refuseTooLong(maxLength: number): RefusedFile {
  return refuseFile('too-large', `more than ${maxLength} characters`);
}

export function refuseFile(problem: ToolFileProblem, reason: string): RefusedFile {
  return { ok: false, problem, reason };
}

/** Reads and writes tools as files, never with a secret's value. Format: docs/how-to/write-a-tool.md. */
import { CustomToolContent, type DefinitionProblem, type ToolFileResult } from '../../contracts/custom-tool';
import { z } from '../../contracts/schema';
import { readSharedFile, refuseFile } from '../shared-file';

const fileFormat = { kind: 'hearth-tool', version: 1 };
/** Characters of text, or bytes of a blob. */
export const maxToolFileLength = 1_000_000;
const fileSchema = z.object({ version: z.int().check(z.minimum(1)), tool: CustomToolContent });

export function writeToolFile(tool: CustomToolContent): string {
  return `${JSON.stringify({ ...fileFormat, tool }, undefined, 2)}\n`;
}

/** Only checks format and size. Does not validate or run the tool. */
export function readToolFile(text: string): ToolFileResult {
  const file = readSharedFile(text, { ...fileFormat, maxLength: maxToolFileLength, schema: fileSchema });
  if (!file.ok) return file;
  const { tool } = file.value;
  const large = findTooLargeField(tool);
  if (large) return refuseFile('too-large', `${large.field}: ${large.detail} characters`);
  return { ok: true, value: tool };
}

/** Limits of the fields: characters of a text, or items of a list. `others`: everything but the code, as JSON. */
export const maxFieldSizes = {
  title: 60,
  description: 1_000,
  keywords: 60,
  keyword: 40,
  code: 100_000,
  others: 100_000,
  hosts: 20,
  secrets: 10,
  examples: 20,
};

/** Reports the tool's largest field if the tool is too large. */
export function findTooLargeField({ code, ...others }: CustomToolContent): DefinitionProblem | undefined {
  if (code.length > maxFieldSizes.code) return toLengthProblem('code', maxFieldSizes.code);
  const lengths = Object.entries(others).map(([field, value]) => ({
    field: field as keyof typeof others,
    length: JSON.stringify(value).length,
  }));
  if (lengths.reduce((sum, { length }) => sum + length, 0) <= maxFieldSizes.others) return undefined;
  const [longest = { field: 'examples' as const }] = lengths.sort((a, b) => b.length - a.length);
  return toLengthProblem(longest.field, maxFieldSizes.others);
}

export const toLengthProblem = <Field extends string>(field: Field, max: number) =>
  ({ field, code: 'too-long', detail: `more than ${max}` }) as const;

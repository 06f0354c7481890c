/** A persona as a file, to be passed on: docs/how-to/make-a-persona.md has its format. */
import type { ToolFileProblem } from '../../contracts/custom-tool';
import { isDeeperThan } from '../../contracts/json-depth';
import { PersonaContent, type ReadPersonaFile } from '../../contracts/persona';
import { read, z } from '../../contracts/schema';
import { checkShape } from './check-persona';

/** What this Hearth writes, and the newest it reads. */
const version = 1;
/** Characters, in a file bytes. */
export const maxLength = 500_000;
const maxDepth = 32;

const PersonaFile = z.object({
  kind: z.literal('hearth-persona'),
  version: z.int().check(z.minimum(1)),
  persona: PersonaContent,
});

export function writePersonaFile(persona: PersonaContent): string {
  return `${JSON.stringify({ kind: 'hearth-persona', version, persona }, undefined, 2)}\n`;
}

export const tooLong = refuse('too-large', `more than ${maxLength} characters`);

/** Reads what a stranger may have written, never throws, and says nothing of whether the persona is any good. */
export function readPersonaFile(text: string): ReadPersonaFile {
  if (text.length > maxLength) return tooLong;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return refuse('not-json', String(error).slice(0, 200));
  }
  if (isDeeperThan(maxDepth, json)) return refuse('too-large', `nested deeper than ${maxDepth}`);
  const head = read(z.object({ kind: z.literal('hearth-persona'), version: z.unknown() }), json);
  if (!head.ok) return refuse('other-kind', head.reason);
  const { version: found } = head.value;
  if (typeof found === 'number' && found > version)
    return refuse('newer', `version ${found} instead of ${version}`);
  const file = read(PersonaFile, json);
  if (!file.ok) return refuse('damaged', file.reason);
  const { persona } = file.value;
  // The form of BCP 47: it stands in prompts.
  if (persona.language !== null && !/^[a-z]{2,3}(-[A-Za-z\d]{1,8}){0,3}$/.test(persona.language))
    return refuse('damaged', 'persona.language: no code of a language');
  const problems = checkShape(persona);
  const large = problems.find(({ code }) => code === 'too-long');
  if (large) return refuse('too-large', `${large.field}: ${large.detail}`);
  if (problems.length > 0) return refuse('damaged', problems.map(line).join('\n'));
  return { ok: true, value: persona };
}

function line({ field, place = '', detail }: { field: string; place?: string | undefined; detail: string }) {
  return `${field}${place === '' ? '' : `.${place}`}: ${detail}`;
}

function refuse(problem: ToolFileProblem, reason: string): ReadPersonaFile {
  return { ok: false, problem, reason };
}

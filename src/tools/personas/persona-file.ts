/** A persona as a file, to be passed on: docs/how-to/make-a-persona.md has its format. */
import { PersonaContent, type ReadPersonaFile } from '../../contracts/persona';
import { z } from '../../contracts/schema';
import { readSharedFile, refuse } from '../shared-file';
import { checkShape } from './check-persona';

const kind = 'hearth-persona';
/** What this Hearth writes, and the newest it reads. */
const version = 1;
/** Characters, in a file bytes. */
export const maxLength = 500_000;

const schema = z.object({
  kind: z.literal(kind),
  version: z.int().check(z.minimum(1)),
  persona: PersonaContent,
});

export function writePersonaFile(persona: PersonaContent): string {
  return `${JSON.stringify({ kind, version, persona }, undefined, 2)}\n`;
}

/** It says nothing of whether the persona is any good. */
export function readPersonaFile(text: string): ReadPersonaFile {
  const file = readSharedFile(text, { kind, version, maxLength, schema });
  if (!file.ok) return file;
  const { persona } = file.value;
  // The form of BCP 47: it stands in prompts.
  if (persona.language !== null && !/^[a-z]{2,3}(-[A-Za-z\d]{1,8}){0,3}$/.test(persona.language))
    return refuse('damaged', 'persona.language: no code of a language');
  // They are sent at a press, as they are seen.
  if (persona.questions?.some((question) => /[\p{Cc}\p{Zl}\p{Zp}]|(?!\u200d)\p{Cf}/u.test(question)))
    return refuse('damaged', 'persona.questions: characters that are not seen');
  const problems = checkShape(persona);
  const large = problems.find(({ code }) => code === 'too-long');
  if (large) return refuse('too-large', `${large.field}: ${large.detail}`);
  if (problems.length > 0) return refuse('damaged', problems.map(line).join('\n'));
  return { ok: true, value: persona };
}

function line({ field, place = '', detail }: { field: string; place?: string | undefined; detail: string }) {
  return `${field}${place === '' ? '' : `.${place}`}: ${detail}`;
}

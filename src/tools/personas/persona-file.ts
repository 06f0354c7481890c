/** Reads, writes and validates personas. File format: docs/how-to/make-a-persona.md. */
import {
  PersonaContent,
  type PersonaProblem,
  type PersonaFileResult,
  toolNameOf,
} from '../../contracts/persona';
import { z } from '../../contracts/schema';
import { readSharedFile, refuseFile } from '../shared-file';
import { checkSchemas } from '../custom/check-definition';
import { reservedToolNames } from '../../contracts/tool-names';
import { toLengthProblem } from '../custom/tool-file';

const fileFormat = { kind: 'hearth-persona', version: 1 };
/** Characters of text, or bytes of a blob. */
export const maxPersonaFileLength = 500_000;
const fileSchema = z.object({ version: z.int().check(z.minimum(1)), persona: PersonaContent });

export function writePersonaFile(persona: PersonaContent): string {
  return `${JSON.stringify({ ...fileFormat, persona }, undefined, 2)}\n`;
}

export function readPersonaFile(text: string): PersonaFileResult {
  const file = readSharedFile(text, { ...fileFormat, maxLength: maxPersonaFileLength, schema: fileSchema });
  if (!file.ok) return file;
  const { persona } = file.value;
  // Accept only a BCP 47 tag, because the language becomes part of the prompt.
  if (persona.language !== null && !/^[a-z]{2,3}(-[A-Za-z\d]{1,8}){0,3}$/.test(persona.language))
    return refuseFile('damaged', 'persona.language: no code of a language');
  // Refuse invisible characters: a click sends the question, so the user must see all of it.
  if (persona.questions?.some((question) => /[\p{Cc}\p{Zl}\p{Zp}]|(?!\u200d)\p{Cf}/u.test(question)))
    return refuseFile('damaged', 'persona.questions: characters that are not seen');
  // Do not run `checkTool`: models can call an imported persona as a tool only after the user allows that.
  const found = [...checkTexts(persona), ...checkSampling(persona)];
  const problems = [...found, ...checkSchemas(persona, maxFieldSizes.schema)].slice(0, maxProblems);
  const large = problems.find(({ code }) => code === 'too-long');
  if (large) return refuseFile('too-large', `${large.field}: ${large.detail}`);
  if (problems.length > 0) return refuseFile('damaged', problems.map(writeProblem).join('\n'));
  return { ok: true, value: persona };
}

function writeProblem({ field, place = '', detail }: PersonaProblem): string {
  return `${field}${place === '' ? '' : `.${place}`}: ${detail}`;
}

/** Limits of the fields: characters of a text, or items of a list. */
const maxFieldSizes = {
  name: 60,
  description: 1_000,
  instructions: 20_000,
  model: 2_000,
  tools: 500,
  tool: 64,
  questions: 4,
  question: 300,
  schema: 50_000,
};
const samplingRanges = { temperature: [0, 2], topP: [0.05, 1] } as const;
const maxProblems = 20;

/** Empty if the persona is valid. `takenNames`: names of all other tools. Runs in a worker. */
export function checkPersona(content: PersonaContent, takenNames: readonly string[]): PersonaProblem[] {
  const problems = [...checkTexts(content), ...checkSampling(content)];
  if (content.isTool)
    problems.push(...checkTool(content, takenNames), ...checkSchemas(content, maxFieldSizes.schema));
  return problems.slice(0, maxProblems);
}

function* checkTexts(content: PersonaContent): Generator<PersonaProblem> {
  const { name, model, tools, questions = [] } = content;
  if (name.trim() === '') yield { field: 'name', code: 'name-missing', detail: 'it is empty' };
  for (const field of ['name', 'description', 'instructions'] as const)
    if (content[field].length > maxFieldSizes[field]) yield toLengthProblem(field, maxFieldSizes[field]);
  if (JSON.stringify(model).length > maxFieldSizes.model) yield toLengthProblem('model', maxFieldSizes.model);
  if (questions.length > maxFieldSizes.questions) yield toLengthProblem('questions', maxFieldSizes.questions);
  else if (questions.some((question) => question.length > maxFieldSizes.question))
    yield toLengthProblem('questions', maxFieldSizes.question);
  if (tools === 'all') return;
  if (tools.length > maxFieldSizes.tools) yield toLengthProblem('tools', maxFieldSizes.tools);
  else if (tools.some((tool) => tool.length > maxFieldSizes.tool))
    yield toLengthProblem('tools', maxFieldSizes.tool);
}

function* checkSampling({ sampling }: PersonaContent): Generator<PersonaProblem> {
  for (const field of ['temperature', 'topP'] as const) {
    const value = sampling[field];
    const [low, high] = samplingRanges[field];
    if (value !== undefined && !(value >= low && value <= high)) {
      yield { field, code: 'range', detail: `${low} – ${high}` };
    }
  }
}

function* checkTool(content: PersonaContent, takenNames: readonly string[]): Generator<PersonaProblem> {
  const name = toolNameOf(content);
  if (name === '') {
    if (content.name.trim() !== '')
      yield { field: 'name', code: 'tool-name-missing', detail: 'no letter or digit in it' };
  } else if (takenNames.includes(name)) {
    yield { field: 'name', code: 'tool-name-taken', detail: name };
  } else if (reservedToolNames.has(name)) {
    yield { field: 'name', code: 'tool-name-reserved', detail: name };
  }
  if (content.description.trim().length < 10) {
    const detail = 'say what it does and when to ask it, in a sentence';
    yield { field: 'description', code: 'description-short', detail };
  }
}

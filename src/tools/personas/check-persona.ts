/** PURE: whether a persona may be saved, and if not, where what is wrong. */
import { type PersonaContent, type PersonaProblem, toolNameOf } from '../../contracts/persona';
import { reservedNames } from '../custom/check-definition';
import { checkPatterns, checkSchema } from '../custom/check-schema';

/** Characters of texts, and how many of the others: what is read, shown and checked of a persona takes time that grows with it. */
const most = {
  name: 60,
  description: 1_000,
  instructions: 20_000,
  /** Of its name in JSON. */
  model: 2_000,
  tools: 500,
  tool: 64,
  questions: 4,
  question: 300,
  /** Of one, as JSON. */
  schema: 50_000,
};
const ranges = { temperature: [0, 2], topP: [0.05, 1] } as const;
const maxProblems = 20;

/**
 * An empty list when all is well. `takenNames`: of all tools that are no personas, and of the other personas that are
 * offered as tools. Made for a worker: a stranger may have written the schemas.
 */
export function checkPersona(content: PersonaContent, takenNames: readonly string[]): PersonaProblem[] {
  const problems = [...checkWords(content), ...checkSampling(content)];
  if (content.isTool) problems.push(...checkTool(content, takenNames), ...checkSchemas(content));
  return problems.slice(0, maxProblems);
}

/** What cannot be mended by switching things off: of a file this is all that matters, for it arrives as no tool. */
export function checkShape(content: PersonaContent): PersonaProblem[] {
  return [...checkWords(content), ...checkSampling(content), ...checkSchemas(content)].slice(0, maxProblems);
}

function* checkWords(content: PersonaContent): Generator<PersonaProblem> {
  const { name, description, instructions, model, tools } = content;
  if (name.trim() === '') yield { field: 'name', code: 'name-missing', detail: 'it is empty' };
  if (name.length > most.name) yield tooLong('name', most.name);
  if (description.length > most.description) yield tooLong('description', most.description);
  if (instructions.length > most.instructions) yield tooLong('instructions', most.instructions);
  if (JSON.stringify(model).length > most.model) yield tooLong('model', most.model);
  const { questions = [] } = content;
  if (questions.length > most.questions) yield tooLong('questions', most.questions);
  else if (questions.some((question) => question.length > most.question))
    yield tooLong('questions', most.question);
  if (tools === 'all') return;
  if (tools.length > most.tools) yield tooLong('tools', most.tools);
  else if (tools.some((tool) => tool.length > most.tool)) yield tooLong('tools', most.tool);
}

function* checkSampling({ sampling }: PersonaContent): Generator<PersonaProblem> {
  for (const field of ['temperature', 'topP'] as const) {
    const value = sampling[field];
    const [low, high] = ranges[field];
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
  } else if (reservedNames.has(name)) {
    yield { field: 'name', code: 'tool-name-reserved', detail: name };
  }
  if (content.description.trim().length < 10) {
    const detail = 'say what it does and when to ask it, in a sentence';
    yield { field: 'description', code: 'description-short', detail };
  }
}

function* checkSchemas(content: PersonaContent): Generator<PersonaProblem> {
  for (const field of ['inputSchema', 'outputSchema'] as const) {
    const schema = content[field];
    if (!schema) continue;
    if (JSON.stringify(schema).length > most.schema) {
      yield tooLong(field, most.schema);
      continue;
    }
    const problems = checkSchema(schema, field === 'outputSchema');
    for (const problem of problems.length > 0 ? problems : checkPatterns(schema)) {
      const code = problem.code === 'pattern' ? 'pattern' : 'schema';
      yield { field, code, place: problem.place, detail: problem.detail };
    }
  }
}

function tooLong(field: PersonaProblem['field'], length: number): PersonaProblem {
  return { field, code: 'too-long', detail: `more than ${length}` };
}

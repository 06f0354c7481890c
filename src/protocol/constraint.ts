/** Holds a reply to one call of one tool, or to JSON of a schema: the schema as a grammar, for each kind of engine. */
import type { Constraint, ToolChoice } from '../contracts/model';
import type { JsonSchema } from '../contracts/schema';
import type { ToolSpec } from '../contracts/tool';
import type { Dialect } from './format';
import {
  literal,
  type SchemaRules,
  type TextOptions,
  textsIn,
  writeGrammar,
  writeSchema,
} from './schema-grammar';

/** One call that may be written: what stands around its arguments, and what these may be. */
interface AllowedCall extends SchemaRules {
  before: string;
  after: string;
}

/** Above it, xgrammar takes seconds to compile a grammar for a full vocabulary: it looks at all tokens for each repetition. */
const widestBound = 20;

/**
 * Undefined where the reply is free. For llama.cpp `maxTokens` of the reply bounds its texts: a character may take a token, and a
 * call that does not end is none. For WebLLM texts have no bound: the tokens of the reply are what ends it.
 */
export function constrain(
  toolChoice: ToolChoice,
  tools: readonly ToolSpec[],
  dialect: Dialect,
  maxTokens: number,
  /** Stands before the call: what closes a thought that the header of the reply has opened. */
  opening = '',
): Constraint | undefined {
  if (toolChoice === 'auto' || toolChoice === 'none') return undefined;
  const chosen =
    typeof toolChoice === 'string' ? tools : tools.filter(({ name }) => name === toolChoice.name);
  if (chosen.length === 0) return undefined;

  const calls = chosen.map(({ name, inputSchema }, index) => {
    const { before: mark, after } = dialect.frame(name);
    const before = opening + mark;
    const texts = Math.max(1, textsIn(inputSchema));
    const mostCharacters = Math.max(8, Math.floor((maxTokens - before.length - after.length) / texts));
    const write = (options: TextOptions) => ({
      ...{ before, after },
      ...writeSchema(inputSchema, `tool${index}`, options),
    });
    return {
      bounded: write({ mostCharacters: Math.min(mostCharacters, 400) }),
      unbounded: write({ mostCharacters: Infinity, widestBound }),
    };
  });
  return {
    jsonSchema: asJsonSchema(chosen),
    grammar: asGrammar(calls.map(({ bounded }) => bounded)),
    structuralTag: asStructuralTag(calls.map(({ unbounded }) => unbounded)),
  };
}

/** llama.cpp takes no repetition above it. */
const mostRepetitions = 2000;

/**
 * The whole reply is JSON that the schema allows. For llama.cpp its texts share `room`, the tokens of all that may be written; for
 * WebLLM they have no bound.
 */
export function constrainAnswer(schema: JsonSchema, room: number, opening = ''): Constraint {
  const texts = Math.max(1, textsIn(schema));
  const mostCharacters = Math.min(Math.max(8, Math.floor(room / texts)), mostRepetitions);
  const write = (options: TextOptions) => {
    const { value, rules } = writeSchema(schema, 'answer', options);
    return writeGrammar(opening === '' ? value : `${literal(opening)} ${value}`, rules);
  };
  const grammar = write({ mostCharacters: Infinity, widestBound });
  return {
    jsonSchema: schema,
    grammar: write({ mostCharacters, widestBound: mostRepetitions }),
    structuralTag: { type: 'structural_tag', format: { type: 'grammar', grammar } },
  };
}

/** A call without what stands around it: the reader knows it by its name and arguments. */
function asJsonSchema(tools: readonly ToolSpec[]): JsonSchema {
  const calls = tools.map(({ name, inputSchema }) => ({
    type: 'object',
    properties: { name: { const: name }, arguments: inputSchema },
    required: ['name', 'arguments'],
    additionalProperties: false,
  }));
  return calls.length === 1 && calls[0] ? calls[0] : { anyOf: calls };
}

function asGrammar(calls: readonly AllowedCall[]): string {
  const root = calls.map(({ before, value, after }) => `${literal(before)} ${value} ${literal(after)}`);
  return writeGrammar(root.join(' | '), new Map(calls.flatMap(({ rules }) => [...rules])));
}

/** The bodies as grammars too: as `json_schema` they could be filled with blanks for ever. */
function asStructuralTag(calls: readonly AllowedCall[]): Constraint['structuralTag'] {
  const elements = calls.map(({ before, value, rules, after }) => ({
    type: 'tag' as const,
    begin: before,
    content: { type: 'grammar' as const, grammar: writeGrammar(value, rules) },
    end: after,
  }));
  return { type: 'structural_tag', format: { type: 'or', elements } };
}

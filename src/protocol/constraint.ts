/** Holds a reply to one call of one tool: the tool's schema as a grammar, in the dialect of the model and for each kind of engine. */
import type { Constraint, ToolChoice } from '../contracts/model';
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
    grammar: asGrammar(calls.map(({ bounded }) => bounded)),
    structuralTag: asStructuralTag(calls.map(({ unbounded }) => unbounded)),
  };
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

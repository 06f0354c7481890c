/** Personas as tests want them. */
import type { PersonaContent } from '../../src/contracts/persona';

/** One that may use all tools and is offered as none. */
export function personaContent(name: string, changed: Partial<PersonaContent> = {}): PersonaContent {
  return {
    name,
    description: `Does what ${name} does.`,
    instructions: `You are ${name}.`,
    model: null,
    sampling: {},
    language: null,
    tools: 'all',
    areCardsFolded: true,
    isTool: false,
    ...changed,
  };
}

/** Personas as tests want them. */
import type { PersonaContent, PersonaForm } from '../../src/contracts/persona';
import { personaFormOf } from '../../src/state/persona-editor.svelte';

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

/** The same as its editor has it. */
export function personaForm(name: string, changed: Partial<PersonaForm> = {}): PersonaForm {
  return { ...personaFormOf(personaContent(name)), ...changed };
}

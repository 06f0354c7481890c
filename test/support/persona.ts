/** Creates personas for tests. */
import type { PersonaContent, PersonaForm } from '../../src/contracts/persona';
import { personaFormOf } from '../../src/state/persona-editor.svelte';

/** A persona that may use all tools and is not offered as a tool itself. */
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

/** The same persona as its editor shows it. */
export function personaForm(name: string, changed: Partial<PersonaForm> = {}): PersonaForm {
  return { ...personaFormOf(personaContent(name)), ...changed };
}

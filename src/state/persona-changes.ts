/** What is done with whole personas: taken, copied, let in from a file. */
import { type Persona, type PersonaContent, toolNameOf } from '../contracts/persona';
import type { App } from './app.svelte';
import type { ChatSession } from './chat-session.svelte';
import { nameOf } from './models.svelte';
import type { PersonaFunctions, Personas } from './personas.svelte';

/** Saves a persona that was made elsewhere as a new one. As a tool it must be right. */
export async function addPersona(functions: PersonaFunctions, content: PersonaContent): Promise<Persona> {
  const at = functions.date();
  const persona = { id: functions.newId(), content, createdAt: at, updatedAt: at };
  await functions.save(persona);
  return persona;
}

/** A copy under the next number. It is no tool where it would be one that nobody can tell from another. */
export async function duplicatePersona(
  functions: PersonaFunctions,
  content: PersonaContent,
): Promise<Persona> {
  const { personas } = await functions.list();
  const names = new Set(personas.map((persona) => toolNameOf(persona.content)));
  const stem = content.name.replace(/ \d+$/, '');
  let count = 2;
  while (names.has(toolNameOf({ name: `${stem} ${count}` }))) count++;
  const copy = { ...content, name: `${stem} ${count}` };
  const isRight = !copy.isTool || (await functions.check('', copy)).length === 0;
  return addPersona(functions, isRight ? copy : { ...copy, isTool: false });
}

/** From a file: what acts is off until the person switches it on, and is remembered, to be told. */
export async function importPersona(personas: Personas, content: PersonaContent): Promise<Persona> {
  const { tools, isTool } = content;
  const persona = await addPersona(await personas.load(), { ...content, tools: [], isTool: false });
  const isPlain = !isTool && tools !== 'all' && tools.length === 0;
  personas.arrived = isPlain ? undefined : { id: persona.id, tools, isTool };
  return persona;
}

/** For the chat shown: who answers from its next turn on; undefined for nobody in particular. */
export async function choosePersona(app: App, session: ChatSession, id: string | undefined): Promise<void> {
  await session.set({ persona: id });
  const model = app.personas.find(id)?.content.model;
  if (!model || model.id === app.chosen.id) return;
  await app.models.refresh();
  // Nothing is downloaded by this: one that is not here is said to be missing, and the chat keeps its own.
  if (app.session !== session || session.settings.persona !== id || !isHere(app, model.id)) return;
  // Of this chat alone, also where it has not begun: the next one begins with the model of all.
  await session.set({ model });
  app.model.retry();
}

/** Whether a model is on this device. True while that is not known. */
export function isHere({ models, model }: App, id: string): boolean {
  const here = models.view?.cards.filter(({ kept }) => kept.isWhole).map(nameOf);
  return here === undefined || id === model.first.id || here.some((other) => other.id === id);
}

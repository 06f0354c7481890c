import { type Persona, type PersonaContent, toolNameOf } from '../contracts/persona';
import type { Origin } from '../contracts/origin';
import type { App } from './app.svelte';
import type { ChatSession } from './chat-session.svelte';
import type { PersonaFunctions } from './personas.svelte';

/** Saves a new persona. If the persona is offered as a tool, it must be valid. `origin`: where it came from, if from a file. */
export async function addPersona(
  functions: PersonaFunctions,
  content: PersonaContent,
  origin?: Origin,
): Promise<Persona> {
  const at = functions.date();
  const persona = { id: functions.newId(), content, origin, createdAt: at, updatedAt: at };
  await functions.save(persona);
  return persona;
}

/** Copies a persona and gives the copy the next free number. Does not offer the copy as a tool if that would be invalid. */
export async function duplicatePersona(
  functions: PersonaFunctions,
  { content, origin }: Pick<Persona, 'content' | 'origin'>,
) {
  const { personas } = await functions.list();
  const names = new Set(personas.map((persona) => toolNameOf(persona.content)));
  const stem = content.name.replace(/ \d+$/, '');
  let count = 2;
  while (names.has(toolNameOf({ name: `${stem} ${count}` }))) count++;
  const copy = { ...content, name: `${stem} ${count}` };
  const isRight = !copy.isTool || (await functions.check('', copy)).length === 0;
  return addPersona(functions, isRight ? copy : { ...copy, isTool: false }, origin);
}

/** Imports a persona from a file. Its tools stay off until the user switches them on. */
export async function importPersona(
  { personas, services }: App,
  content: PersonaContent,
  fileName: string,
): Promise<Persona> {
  const { tools, isTool } = content;
  const persona = await addPersona(
    services.personas,
    { ...content, tools: [], isTool: false },
    { door: 'import', name: fileName },
  );
  const isPlain = !isTool && tools !== 'all' && tools.length === 0;
  personas.imported = isPlain ? undefined : { id: persona.id, tools, isTool };
  return persona;
}

/** Sets the open chat's persona, starting with the next turn. Undefined removes it. */
export async function choosePersona(app: App, session: ChatSession, id: string | undefined): Promise<void> {
  await session.set({ persona: id });
  const model = app.personas.find(id)?.content.model;
  if (!model || model.id === app.chosen.id) return;
  await app.models.refresh();
  // Never download a model here. If it is missing, the chat keeps its own model and the screen says so.
  if (app.session !== session || session.settings.persona !== id || !isModelUsable(app, model.id)) return;
  // Change only this chat, even if it is new. The next chat starts with the default model.
  await session.set({ model });
  app.model.retry();
}

export function isModelUsable({ models, model }: App, id: string): boolean {
  const cards = models.view?.cards;
  return !cards || id === model.defaultModel.id || cards.some((card) => card.kept.isWhole && card.id === id);
}

/** Stores personas as if an earlier visit had, and writes replies of a scripted model that calls them as agents. */
import type { Locator, Page } from 'playwright';
import type { Persona, PersonaContent } from '../../src/contracts/persona';
import { personaContent } from '../support/persona';
import { databaseIsMade } from './site';

type Written = Partial<PersonaContent> & { name: string };

/** Writes personas into the database and reloads the page. */
export async function keepPersonas(page: Page, written: readonly Written[]): Promise<void> {
  const personas = written.map(({ name, ...changed }, at): Persona => ({
    id: `persona-${name}`,
    createdAt: at + 1,
    updatedAt: at + 1,
    content: personaContent(name, { isTool: true, tools: [], ...changed }),
  }));
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await databaseIsMade(page);
  await page.evaluate(async (rows) => {
    const open = indexedDB.open('hearth');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const change = open.result.transaction('personas', 'readwrite');
    for (const row of rows) change.objectStore('personas').put(row);
    await new Promise((resolve) => (change.oncomplete = resolve));
    open.result.close();
  }, personas);
  await page.reload();
}

/** Writes a script of replies for the scripted model, one per round: as a question, or as the request to an agent. */
export function script(...rounds: string[]): string {
  return `script\n${rounds.join('\n---\n')}`;
}

/** Placeholders such as `{{obey}}` stay as they are, so that the agent expands them and not the caller. */
export function calling(name: string, input: object): string {
  const json = JSON.stringify({ name, arguments: input }).replaceAll('{{', '\\u007b\\u007b');
  return `<tool_call>${json}</tool_call>`;
}

/** Returns the card of a call: the first one of that tool within `place`. */
export function cardOf(place: Locator, name: string): Locator {
  return place.getByRole('group', { name: new RegExp(`^${name}:`) }).first();
}

/** Returns the result of a card, folded or not, without those of cards inside it. */
export async function resultIn(card: Locator): Promise<string> {
  return (await card.getByLabel('Result', { exact: true }).last().textContent()) ?? '';
}

/** Personas as an earlier visit left them, and replies of a scripted model that ask them as agents. */
import type { Locator, Page } from 'playwright';
import type { Persona, PersonaContent } from '../../src/contracts/persona';
import { personaContent } from '../support/persona';
import { databaseIsMade } from './site';

type Written = Partial<PersonaContent> & { name: string };

/** Writes them into the database, and opens the page anew. */
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

/** What a scripted model is told to say, one reply a round: as a question, or as the request to an agent. */
export function script(...rounds: string[]): string {
  return `script\n${rounds.join('\n---\n')}`;
}

/** What an agent is to say stands in it as it is: `{{obey}}` is for whoever reads it, and not for whoever makes the call. */
export function calling(name: string, input: object): string {
  const json = JSON.stringify({ name, arguments: input }).replaceAll('{{', '\\u007b\\u007b');
  return `<tool_call>${json}</tool_call>`;
}

/** The card of a call: the first of that tool within `place`. */
export function cardOf(place: Locator, name: string): Locator {
  return place.getByRole('group', { name: new RegExp(`^${name}:`) }).first();
}

/** What a card holds itself, and not one within it: folded or not. */
export async function resultIn(card: Locator): Promise<string> {
  return (await card.getByLabel('Result', { exact: true }).last().textContent()) ?? '';
}

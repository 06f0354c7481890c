/** What is done with prompts of one's own, wherever they are shown. */
import { fillTemplate, type OwnPrompt, templateOf } from '../contracts/own-prompt';
import type { App } from './app.svelte';
import type { ChatSession } from './chat-session.svelte';
import { hashOf } from './route';

/** Puts it into the box, to be changed and sent: in the place of the `/` it was chosen by, or below what stands there. */
export function insertPrompt(
  session: Pick<ChatSession, 'draft' | 'setDraft'>,
  { text }: Pick<OwnPrompt, 'text'>,
  values: ReadonlyMap<string, string>,
): void {
  const { draft } = session;
  const before = draft.startsWith('/') || draft.trim() === '' ? '' : `${draft.trimEnd()}\n\n`;
  session.setDraft(before + fillTemplate(text, values));
}

/** The ids in their order, one of them moved up or down by one. */
export function movedBy(step: -1 | 1, id: string, ids: readonly string[]): readonly string[] {
  const from = ids.indexOf(id);
  const to = from + step;
  if (from < 0 || to < 0 || to >= ids.length) return ids;
  const moved = ids.filter((other) => other !== id);
  moved.splice(to, 0, id);
  return moved;
}

/** Characters of its text that a new prompt is called by, until the person calls it otherwise. */
const shortName = 40;

/** Keeps a text as a prompt, and shows it where it is named and changed. */
export async function makePrompt(app: App, text: string): Promise<void> {
  const functions = await app.functions.loadPrompts();
  const [line = ''] = text.trim().split('\n');
  // Where there is no room for it, the screen says so.
  const promptId = await functions
    .add(Array.from(line).slice(0, shortName).join('').trim(), templateOf(text))
    .catch(() => undefined);
  app.functions.setHash(hashOf({ screen: 'prompts', ...(promptId !== undefined && { promptId }) }), false);
}

import { fillTemplate, type OwnPrompt, escapeTemplate } from '../contracts/own-prompt';
import type { Origin } from '../contracts/origin';
import type { App } from './app.svelte';
import type { ChatSession } from './chat-session.svelte';
import { hashOf } from './route';

/** Puts a filled-in prompt into the draft: in place of the `/` command, or else after the draft. */
export function insertPrompt(
  session: ChatSession,
  { text, origin }: OwnPrompt,
  values: ReadonlyMap<string, string>,
) {
  const { draft } = session;
  const before = draft.startsWith('/') || draft.trim() === '' ? '' : `${draft.trimEnd()}\n\n`;
  const filled = fillTemplate(text, values);
  if (origin) session.insertIntoDraft({ text: filled, origin }, before + filled);
  else session.setDraft(before + filled);
}

export function moveId(step: -1 | 1, id: string, ids: readonly string[]): readonly string[] {
  const from = ids.indexOf(id);
  const to = from + step;
  if (from < 0 || to < 0 || to >= ids.length) return ids;
  const moved = ids.filter((other) => other !== id);
  moved.splice(to, 0, id);
  return moved;
}

const maxDefaultNameCharacters = 40;

/** `origin`: the stranger who wrote some of the text, if one did. */
export async function makePrompt(app: App, text: string, origin?: Origin): Promise<void> {
  const [line = ''] = text.trim().split('\n');
  const promptId = await app.services.prompts
    .add(Array.from(line).slice(0, maxDefaultNameCharacters).join('').trim(), escapeTemplate(text), origin)
    .catch(() => undefined);
  app.services.setHash(hashOf({ screen: 'prompts', ...(promptId !== undefined && { promptId }) }), false);
}

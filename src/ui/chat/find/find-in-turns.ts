import { type AgentChats, type ShownText, shownTexts, type Turn } from '../../../state/turns';
import { drawMarkdown } from '../../markdown/stream-renderer';
import { readDrawnText, findMatches } from './drawn-text';

export interface FoundMatch {
  turnId: string;
  /** Index of the matching text in its turn. */
  text: number;
  /** Index of this match among all matches in the text. */
  nth: number;
}

const maxSliceMs = 12;

/** Finds text in all turns, drawn or not. Works in slices, so a long chat does not block the page. */
export class ChatFinder {
  readonly #rendered = new Map<string, string>();

  async *find(
    turns: readonly Turn[],
    agents: AgentChats,
    query: string,
  ): AsyncGenerator<readonly FoundMatch[]> {
    const found: FoundMatch[] = [];
    let began = performance.now();
    for (const turn of turns) {
      for (const [text, shown] of shownTexts(turn, agents).entries()) {
        const count = findMatches(await this.#textOf(shown, query), query).length;
        for (let nth = 0; nth < count; nth++) found.push({ turnId: turn.id, text, nth });
      }
      if (performance.now() - began < maxSliceMs) continue;
      yield [...found];
      await new Promise((resolve) => setTimeout(resolve));
      began = performance.now();
    }
    yield found;
  }

  async #textOf({ text, isMarkdown }: ShownText, query: string): Promise<string> {
    if (!isMarkdown) return text;
    const known = this.#rendered.get(text);
    if (known !== undefined) return known;
    // Rendering is slow, so skip texts that cannot match.
    if (!mayContainQuery(text, query)) return '';
    const target = document.createElement('div');
    await drawMarkdown(target, text);
    const rendered = readDrawnText(target).text;
    this.#rendered.set(text, rendered);
    return rendered;
  }
}

/** Compares loosely, because Markdown marks, entities or escapes may split the query in the source. */
function mayContainQuery(text: string, query: string): boolean {
  if (text.includes('&') || findMatches(text, query).length > 0) return true;
  return findMatches(text.replace(/[*_~`\\[\]]/g, ''), query).length > 0;
}

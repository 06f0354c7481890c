/** Finds letters in all turns of a chat, drawn or not, a piece at a time: ten thousand messages must not hold up the page. */
import { type AgentChats, type ShownText, shownTexts, type Turn } from '../../../state/turns';
import { createMarkdownRenderer } from '../../markdown/stream-renderer';
import { drawnText } from './drawn-text';
import { placesOf } from './places-of';

export interface FoundPlace {
  turnId: string;
  /** Which of the texts of its turn, and which of the places in that. */
  text: number;
  nth: number;
}

/** Milliseconds that are worked on at once. */
const slice = 12;

export class ChatFinder {
  /** Markdown as it is read, by how it is written. */
  readonly #read = new Map<string, string>();

  /** What was found so far, again and again, until all is looked through. */
  async *find(
    turns: readonly Turn[],
    agents: AgentChats,
    query: string,
  ): AsyncGenerator<readonly FoundPlace[]> {
    const found: FoundPlace[] = [];
    let began = performance.now();
    for (const turn of turns) {
      for (const [text, shown] of shownTexts(turn, agents).entries()) {
        const count = placesOf(this.#textOf(shown, query), query).length;
        for (let nth = 0; nth < count; nth++) found.push({ turnId: turn.id, text, nth });
      }
      if (performance.now() - began < slice) continue;
      yield [...found];
      await new Promise((resolve) => setTimeout(resolve));
      began = performance.now();
    }
    yield found;
  }

  #textOf({ text, isMarkdown }: ShownText, query: string): string {
    if (!isMarkdown) return text;
    const known = this.#read.get(text);
    if (known !== undefined) return known;
    // Most have not even the letters: they need not be drawn to know that.
    if (!mayHave(text, query)) return '';
    const target = document.createElement('div');
    const renderer = createMarkdownRenderer(target);
    renderer.update(text);
    renderer.end();
    const read = drawnText(target).text;
    this.#read.set(text, read);
    return read;
  }
}

/** Marks, entities and escapes may stand within what is read as one word. */
function mayHave(text: string, query: string): boolean {
  if (text.includes('&') || placesOf(text, query).length > 0) return true;
  return placesOf(text.replace(/[*_~`\\[\]]/g, ''), query).length > 0;
}

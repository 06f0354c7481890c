/** Link definitions (`[label]: address`). If a definition follows the text that uses it, we parse that text again. */
import type { Links, Token } from 'marked';
import { appendInline } from './build-nodes';
import { asReplyTokens, findLinkLabels, type Dialect } from './dialect';
import { syncTree } from './open-block';

interface TextAwaitingDefinitions {
  element: Element;
  text: string;
  /** Labels that had no definition when we last parsed the text. */
  missing: string[];
  knownCount: number;
  foundCount: number;
}

/** Minimum ratio of new to known link definitions before we parse a text again. Parsing for each one is slow. */
const minNewDefinitionRatio = 1 / 8;

export class LinkReferences {
  readonly #dialect: Dialect;
  readonly #target: HTMLElement;
  readonly #onReadAgain: (element: Element) => void;
  // Without a prototype, because a label may be `constructor`.
  readonly #links = Object.create(null) as Links;
  #linkCount = 0;
  readonly #waiting = new Map<Element, TextAwaitingDefinitions>();
  readonly #byLabel = new Map<string, Set<TextAwaitingDefinitions>>();
  readonly #due = new Set<TextAwaitingDefinitions>();

  constructor(dialect: Dialect, target: HTMLElement, onReadAgain: (element: Element) => void) {
    this.#dialect = dialect;
    this.#target = target;
    this.#onReadAgain = onReadAgain;
  }

  fillInline(element: HTMLElement, text: string): void {
    appendInline(element, this.#dialect.readInline(text, this.#links, this.#linkCount));
    if (!text.includes('[')) return;
    const labels = [...new Set(findLinkLabels(text))];
    const missing = labels.filter((label) => !(label in this.#links));
    if (missing.length === 0) return;
    const waiting = { element, text, missing, knownCount: labels.length - missing.length, foundCount: 0 };
    this.#waiting.set(element, waiting);
    for (const label of missing) {
      const all = this.#byLabel.get(label) ?? new Set();
      this.#byLabel.set(label, all.add(waiting));
    }
  }

  /** Call this after copying `fresh` into `old`. A later definition for a link in `fresh` then updates `old`. */
  readonly transferWaitingText = (old: Element, fresh: Element): void => {
    if (this.#waiting.size === 0) return;
    const before = this.#waiting.get(old);
    if (before) this.#forget(before);
    const waiting = this.#waiting.get(fresh);
    if (!waiting) return;
    this.#waiting.delete(fresh);
    waiting.element = old;
    this.#waiting.set(old, waiting);
  };

  /** Adds the definitions in `tokens`, which must be final. Of several definitions of a label, the first counts. */
  addDefinitions(tokens: readonly Token[]): void {
    const touched = new Set<TextAwaitingDefinitions>();
    for (const label of this.#collect(tokens)) {
      for (const waiting of this.#byLabel.get(label) ?? []) {
        waiting.foundCount++;
        touched.add(waiting);
      }
      this.#byLabel.delete(label);
    }
    for (const waiting of touched) {
      const { foundCount, knownCount, missing } = waiting;
      if (foundCount >= knownCount * minNewDefinitionRatio || foundCount === missing.length)
        this.#due.add(waiting);
    }
  }

  /** Call this when the reply is complete. Texts with too few new definitions for `minNewDefinitionRatio` become due too. */
  reparseWaitingTexts(): void {
    for (const waiting of this.#waiting.values()) if (waiting.foundCount > 0) this.#due.add(waiting);
  }

  get hasDueTexts(): boolean {
    return this.#due.size > 0;
  }

  /** Parses texts again that have new definitions, until `maxCharacters` are parsed. */
  fillDueTexts(maxCharacters: number): void {
    let left = maxCharacters;
    for (const waiting of this.#due) {
      if (left <= 0) return;
      left -= waiting.text.length;
      this.#readAgain(waiting);
    }
  }

  #collect(tokens: readonly Token[]): string[] {
    return asReplyTokens([...tokens]).flatMap((token) => {
      if (token.type === 'blockquote') return this.#collect(token.tokens);
      if (token.type === 'list') return token.items.flatMap((item) => this.#collect(item.tokens));
      if (token.type !== 'def' || token.tag in this.#links) return [];
      this.#linkCount++;
      this.#links[token.tag] = { href: token.href, title: token.title };
      return [token.tag];
    });
  }

  #readAgain(waiting: TextAwaitingDefinitions): void {
    const { element, text } = waiting;
    this.#forget(waiting);
    if (!this.#target.contains(element)) return;
    const fresh = element.cloneNode(false) as HTMLElement;
    this.fillInline(fresh, text);
    syncTree(element, fresh, this.transferWaitingText);
    this.#onReadAgain(element);
  }

  #forget(waiting: TextAwaitingDefinitions): void {
    this.#due.delete(waiting);
    this.#waiting.delete(waiting.element);
    for (const label of waiting.missing) this.#byLabel.get(label)?.delete(waiting);
  }
}

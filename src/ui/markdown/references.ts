/**
 * Link definitions (`[label]: address`), and the places that wait for one.
 *
 * A definition may come long after the text that needs it. That text is then read again, in the element it stands
 * in: the one case in which settled content changes.
 */
import type { Links, Token } from 'marked';
import { appendInline } from './build-inline';
import { known, labelsIn, type Dialect } from './dialect';
import { morph } from './morph';

interface Waiting {
  text: string;
  labels: string[];
}

export class References {
  readonly #dialect: Dialect;
  readonly #target: HTMLElement;
  // Without a prototype, or a label such as `constructor` would be found.
  readonly #links = Object.create(null) as Links;
  readonly #waiting = new Map<Element, Waiting>();

  constructor(dialect: Dialect, target: HTMLElement) {
    this.#dialect = dialect;
    this.#target = target;
  }

  /** Fills an empty element with inline content. It must hold nothing else. */
  fill(element: HTMLElement, text: string): void {
    appendInline(element, this.#dialect.readInline(text, this.#links));
    if (!text.includes('[')) return;
    const labels = labelsIn(text).filter((label) => !(label in this.#links));
    if (labels.length > 0) this.#waiting.set(element, { text, labels });
  }

  /** `old` now has the content of `fresh`, and waits for what that waited for. */
  readonly move = (old: Element, fresh: Element): void => {
    if (this.#waiting.size === 0) return;
    const waiting = this.#waiting.get(fresh);
    this.#waiting.delete(fresh);
    if (waiting) this.#waiting.set(old, waiting);
    else this.#waiting.delete(old);
  };

  /** Takes in the definitions among tokens that no longer change. The first one of a label holds. */
  learn(tokens: readonly Token[]): void {
    if (this.#collect(tokens)) this.#readAgain();
  }

  #collect(tokens: readonly Token[]): boolean {
    let hasNew = false;
    for (const token of known([...tokens])) {
      if (token.type === 'def' && !(token.tag in this.#links)) {
        this.#links[token.tag] = { href: token.href, title: token.title };
        hasNew = true;
      } else if (token.type === 'blockquote') {
        hasNew = this.#collect(token.tokens) || hasNew;
      } else if (token.type === 'list') {
        for (const item of token.items) hasNew = this.#collect(item.tokens) || hasNew;
      }
    }
    return hasNew;
  }

  #readAgain(): void {
    for (const [element, { text, labels }] of [...this.#waiting]) {
      if (!this.#target.contains(element)) {
        this.#waiting.delete(element);
      } else if (labels.some((label) => label in this.#links)) {
        const fresh = element.cloneNode(false) as HTMLElement;
        this.fill(fresh, text);
        morph(element, fresh, this.move);
      }
    }
  }
}

/**
 * A DOM where there is none: what is used of it, and the three libraries that share it. Their types are those of the
 * browser's own DOM, which the code of a worker does not know: hence the casts, all of them here.
 */
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import type Turndown from 'turndown';

export interface PageNode {
  readonly nodeName: string;
  readonly childNodes: Iterable<PageNode>;
  readonly textContent: string | null;
}

export interface PageElement extends PageNode {
  querySelector: (selector: string) => PageElement | null;
  querySelectorAll: (selector: string) => Iterable<PageElement>;
  getAttribute: (name: string) => string | null;
  remove: () => void;
  replaceWith: (other: PageElement) => void;
}

export interface PageDocument extends PageElement {
  readonly body: PageElement;
}

export function parseDocument(html: string): PageDocument {
  const { document } = parseHTML(html) as unknown as { document: PageDocument };
  return document;
}

/** Takes `page` apart. */
export function findArticle(page: PageDocument): { title: string; content: PageElement } | undefined {
  type Input = ConstructorParameters<typeof Readability>[0];
  const readability = new Readability<unknown>(page as unknown as Input, { serializer: (node) => node });
  const article = readability.parse();
  if (!article?.content) return undefined;
  return { title: article.title ?? '', content: article.content as PageElement };
}

export function runTurndown(turndown: Turndown, element: PageElement): string {
  return turndown.turndown(element as unknown as Parameters<Turndown['turndown']>[0]);
}

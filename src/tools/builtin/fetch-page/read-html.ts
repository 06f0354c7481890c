/** Converts an untrusted HTML page to Markdown: only its article, without invisible parts. Runs in a worker. */
import Turndown from 'turndown';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';

export interface PageText {
  title: string;
  /** Markdown without link addresses. '' if the page has no text. */
  text: string;
  links: { label: string; url: string }[];
}

const maxLinks = 20;
const maxLabelCharacters = 80;

/** Elements without visible text. Includes images, whose alt text is not visible. */
const invisibleElements =
  'script, style, noscript, template, iframe, object, embed, svg, canvas, video, audio, img, picture, map, ' +
  'button, select, input, textarea, dialog:not([open]), [hidden], [aria-hidden="true"]';
const hiddenStylePattern =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|font-size\s*:\s*0(?:\.0+)?[a-z%]*\s*(?:;|!|$)|content-visibility\s*:\s*hidden/i;
/** If we find no article, we remove these parts of the page. */
const nonArticleElements =
  'nav, header, footer, aside, [role="navigation"], [role="banner"], [role="contentinfo"]';

/** Minimum characters of an article. A shorter one is usually a caption or a cookie notice. */
const minArticleCharacters = 200;
/** In pages with more elements, we do not look for an article, because Readability takes too long. */
const maxElements = 20_000;

export function readHtml(html: string, url: string): PageText {
  const page = parseVisiblePage(html);
  const heading = page.querySelector('title')?.textContent || page.querySelector('h1')?.textContent;
  const title = cleanText(heading || '');
  const found = findArticle(page);
  const article = found && {
    title: cleanText(found.title) || title,
    text: writeMarkdown(found.element),
    links: listLinks(found.element, url),
  };
  if (article && article.text.length >= minArticleCharacters) return article;
  const whole = parseVisiblePage(html).body;
  for (const element of whole.querySelectorAll(nonArticleElements)) element.remove();
  const text = writeMarkdown(whole);
  // Accept a short article only if it fills most of the page. Otherwise, this is probably a front page.
  if (article && article.text.length * 2 > text.length) return article;
  return { title, text, links: listLinks(whole, url) };
}

function findArticle(page: PageDocument): { title: string; element: PageElement } | undefined {
  if (Array.from(page.querySelectorAll('*')).length > maxElements) return undefined;
  type Input = ConstructorParameters<typeof Readability>[0];
  const readability = new Readability<unknown>(page as unknown as Input, { serializer: (node) => node });
  const article = readability.parse();
  return article?.content
    ? { title: article.title ?? '', element: article.content as PageElement }
    : undefined;
}

/** Adds missing `<html>` and `<body>` tags: unlike a browser, linkedom does not. */
function parseVisiblePage(html: string): PageDocument {
  const document = parseDocument(html);
  const page = document.querySelector('html > body') ? document : parseDocument(wrapInPage(html));
  collapseContainers(page);
  for (const element of page.querySelectorAll(invisibleElements)) element.remove();
  for (const element of page.querySelectorAll('[style]')) {
    if (hiddenStylePattern.test(element.getAttribute('style') ?? '')) element.remove();
  }
  return page;
}

const maxNestedContainers = 50;

/** Removes long chains of nested container elements, because the parsing libraries recurse into each element. Keeps the innermost one. */
function collapseContainers(page: PageDocument): void {
  const visited = new Set<PageNode>();
  for (const container of page.querySelectorAll('div, span, section')) {
    if (visited.has(container)) continue;
    let inner = container;
    let count = 0;
    for (let next = findOnlyChildContainer(inner); next; next = findOnlyChildContainer(inner)) {
      visited.add(next);
      inner = next;
      count += 1;
    }
    if (count > maxNestedContainers) container.replaceWith(inner);
  }
}

function findOnlyChildContainer({ childNodes }: PageElement): PageElement | undefined {
  // Read `textContent` only of text nodes: for an element, it walks the whole subtree.
  const [only, ...others] = Array.from(childNodes).filter(
    (node) => node.nodeName !== '#text' || node.textContent?.trim() !== '',
  );
  const isContainer = others.length === 0 && /^(?:div|span|section)$/i.test(only?.nodeName ?? '');
  return isContainer ? (only as PageElement) : undefined;
}

const titleTagPattern = /<title[^>]*>[^<]*<\/title>/i;

function wrapInPage(html: string): string {
  const [title = ''] = titleTagPattern.exec(html) ?? [];
  const inner = html
    .replace(titleTagPattern, '')
    .replace(/<!doctype[^>]*>|<\/?(?:html|head|body)(?:\s[^>]*)?>/gi, '');
  return `<!doctype html><html><head>${title}</head><body>${inner}</body></html>`;
}

function listLinks(element: PageElement, base: string): PageText['links'] {
  const links = new Map<string, PageText['links'][number]>();
  for (const anchor of element.querySelectorAll('a[href]')) {
    const label = cleanText(anchor.textContent || '');
    const url = resolveLink(anchor.getAttribute('href') ?? '', base);
    if (label === '' || url === undefined || links.has(url)) continue;
    links.set(url, { label: label.slice(0, maxLabelCharacters), url });
    if (links.size === maxLinks) break;
  }
  return [...links.values()];
}

/** Undefined for an anchor on the same page, or a scheme other than http(s). */
function resolveLink(href: string, base: string): string | undefined {
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  const page = new URL(base);
  url.hash = '';
  page.hash = '';
  return /^https?:$/.test(url.protocol) && url.href !== page.href ? url.href : undefined;
}

function cleanText(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const turndown = new Turndown({
  headingStyle: 'atx',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  hr: '---',
});
// Nobody renders this Markdown. Escaping would only add noise.
turndown.escape = (text) => text;
turndown.addRule('content', {
  filter: ['a', 'em', 'i', 'strong', 'b', 'thead', 'tbody', 'tfoot'],
  replacement: (content) => content,
});
turndown.addRule('cell', {
  filter: ['th', 'td'],
  replacement: (content) => ` ${content.replace(/\s+/g, ' ').replaceAll('|', '/').trim()} |`,
});
turndown.addRule('row', {
  filter: 'tr',
  replacement: (content, node) => {
    const { childNodes } = node as unknown as PageNode;
    const cells = Array.from(childNodes).filter(({ nodeName }) => /^T[HD]$/.test(nodeName));
    const isHead = cells.length > 0 && cells.every(({ nodeName }) => nodeName === 'TH');
    return `|${content.replaceAll('\n', '')}\n${isHead ? `|${' --- |'.repeat(cells.length)}\n` : ''}`;
  },
});
turndown.addRule('table', {
  filter: 'table',
  replacement: (content) => `\n\n${content.trim()}\n\n`,
});

function writeMarkdown(element: PageElement): string {
  return turndown
    .turndown(element as unknown as Parameters<Turndown['turndown']>[0])
    .replace(/[ \t]+$/gm, '')
    .replace(/^(\s*(?:-|\d+\.)) {2,}/gm, '$1 ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

interface PageNode {
  readonly nodeName: string;
  readonly childNodes: Iterable<PageNode>;
  readonly textContent: string | null;
}

interface PageElement extends PageNode {
  querySelector: (selector: string) => PageElement | null;
  querySelectorAll: (selector: string) => Iterable<PageElement>;
  getAttribute: (name: string) => string | null;
  remove: () => void;
  replaceWith: (other: PageElement) => void;
}

interface PageDocument extends PageElement {
  readonly body: PageElement;
}

function parseDocument(html: string): PageDocument {
  const { document } = parseHTML(html) as unknown as { document: PageDocument };
  return document;
}

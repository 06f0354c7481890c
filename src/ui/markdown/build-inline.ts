/**
 * Inline content becomes DOM nodes, from a fixed list of elements. Raw HTML, and links to where none may lead, are
 * shown as they were written. No node loads anything.
 */
import type { Tokens } from 'marked';
import { known, type ReplyToken } from './dialect';
import { decodeNames, decodeReferences } from './entities';
import { buildNote } from './footnotes';
import { appendHost } from './link-hosts';
import { fillMath } from './math/math-element';
import { isPictureData } from './picture-data';
import { isMisleading, readLink } from './safe-link';

/** Adds inline content at the end of `parent`. Within a link there are no other links. */
export function appendInline(parent: HTMLElement, tokens: ReplyToken[], isInLink = false): void {
  for (const token of tokens) {
    switch (token.type) {
      case 'text':
        appendText(parent, decodeNames(token.text));
        break;
      case 'escape':
        appendText(parent, token.text);
        break;
      case 'strong':
      case 'em':
      case 'del': {
        const element = document.createElement(token.type);
        appendInline(element, known(token.tokens), isInLink);
        parent.append(element);
        break;
      }
      case 'codespan': {
        const code = document.createElement('code');
        code.textContent = token.text;
        parent.append(code);
        break;
      }
      case 'br':
        parent.append(document.createElement('br'));
        break;
      case 'link':
        appendLink(parent, token, isInLink);
        break;
      case 'image':
        appendImage(parent, token, isInLink);
        break;
      case 'math':
        parent.append(fillMath(document.createElement('span'), token));
        break;
      case 'note':
        parent.append(buildNote(token));
        break;
      case 'checkbox':
        // The item draws its box.
        break;
      case 'html':
      case 'blockquote':
      case 'code':
      case 'def':
      case 'heading':
      case 'hr':
      case 'list_item':
      case 'list':
      case 'paragraph':
      case 'space':
      case 'table':
        appendText(parent, token.raw);
    }
  }
}

function appendLink(parent: HTMLElement, token: Tokens.Link, isInLink: boolean): void {
  const link = readLink(token.autolink ? token.href : decodeReferences(token.href));
  if (!link) {
    appendText(parent, token.raw);
    return;
  }
  const element = isInLink ? document.createElement('span') : buildAnchor(link.href);
  // The text of an address is literal: `&copy` in it is no reference.
  if (token.autolink) element.append(token.text);
  else appendInline(element, known(token.tokens), true);
  const label = element.textContent;
  if (isMisleading(label, link)) appendHost(element, ` (${link.host})`);
  if (token.title) element.title = `${decodeReferences(token.title)}\n${link.href}`;
  else if (label !== link.href) element.title = link.href;
  parent.append(element);
}

/**
 * A picture would tell its server that it is seen, and when. So it is a link, by its description and its host, and the address for a
 * press that shows it (`picture-places.ts`). One whose bytes stand in the text is its description.
 */
function appendImage(parent: HTMLElement, token: Tokens.Image, isInLink: boolean): void {
  const isData = isPictureData(token.href);
  const link = isData ? undefined : readLink(decodeReferences(token.href));
  if (!isData && !link) {
    appendText(parent, token.raw);
    return;
  }
  const element = link && !isInLink ? buildAnchor(link.href) : document.createElement('span');
  element.className = 'image';
  const description = document.createElement('span');
  appendInline(description, known(token.tokens), true);
  const text = description.textContent;
  if (link) {
    element.title = link.href;
    if (text !== '') appendText(element, `${text} `);
    appendHost(element, `(${link.host})`);
  } else appendText(element, text);
  if (!link || /^https?:/.test(link.href)) element.dataset['picture'] = link?.href ?? token.href;
  parent.append(element);
}

function buildAnchor(href: string): HTMLAnchorElement {
  const anchor = document.createElement('a');
  anchor.href = href;
  anchor.rel = 'noopener noreferrer nofollow';
  anchor.target = '_blank';
  return anchor;
}

/** One text node for what stands together, however many tokens it came in. */
function appendText(parent: HTMLElement, text: string): void {
  if (text === '') return;
  if (parent.lastChild instanceof Text) parent.lastChild.appendData(text);
  else parent.append(text);
}

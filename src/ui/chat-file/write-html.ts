/**
 * A chat as one HTML page that runs nothing and fetches nothing. It is built as nodes and written down by the browser: no text of a
 * chat is ever taken for markup.
 */
import type { ChatRecord, MessageNode } from '../../contracts/chat';
import type { UserMessage } from '../../contracts/message';
import { textOf } from '../../contracts/message-parts';
import { type CallView, type ReplyPart, turnsOf } from '../../state/turns';
import { attachedNames } from './attached-names';
import { drawPlainly } from './draw-plainly';
import type { ChatFileWords } from './words';

/** Nothing but what is in the page: its one style sheet, and pictures that are written out. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const style = `
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
h2 { margin: 2rem 0 0.5rem; font-size: 1rem; opacity: 0.7; }
.question { white-space: pre-wrap; }
pre { padding: 0.75rem; overflow: auto; border: 1px solid #8884; border-radius: 0.5rem; white-space: pre-wrap; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.875rem; }
details { margin: 0.75rem 0; padding: 0.5rem 0.75rem; border: 1px solid #8884; border-radius: 0.5rem; }
table { border-collapse: collapse; }
th, td { padding: 0.25rem 0.5rem; border: 1px solid #8884; text-align: left; }
blockquote { margin-left: 0; padding-left: 1rem; border-left: 3px solid #8886; }
img { max-width: 100%; }
footer { margin-top: 3rem; font-size: 0.8125rem; opacity: 0.7; }
`;

export interface HtmlOptions {
  words: ChatFileWords;
  /** BCP 47. */
  language: string;
  /** As a person reads it. */
  when: string;
}

export function writeHtml(
  chat: Pick<ChatRecord, 'title'>,
  branch: readonly MessageNode[],
  { words, language, when }: HtmlOptions,
): string {
  const page = document.implementation.createHTMLDocument(chat.title);
  page.documentElement.lang = language;
  page.head.prepend(
    meta(page, { charset: 'utf-8' }),
    meta(page, { 'http-equiv': 'Content-Security-Policy', content: policy }),
  );
  page.head.append(meta(page, { name: 'viewport', content: 'width=device-width' }), styleSheet());
  page.body.append(element('h1', chat.title));
  for (const turn of turnsOf(branch)) {
    if (turn.question?.message.role === 'user')
      page.body.append(...drawQuestion(turn.question.message, words));
    const parts = turn.parts.flatMap((part) => drawPart(part, words));
    if (parts.length > 0) page.body.append(element('h2', words.hearth), ...parts);
  }
  page.body.append(element('footer', words.written(when)));
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`;
}

function drawQuestion(asked: UserMessage, words: ChatFileWords): HTMLElement[] {
  const question = element('div', textOf(asked.content));
  question.className = 'question';
  const files = attachedNames(asked);
  const pictures = asked.content.flatMap((part) => (part.type === 'image' ? [part] : []));
  return [
    ...[element('h2', words.you), question],
    ...(files === '' ? [] : [element('p', words.files(files))]),
    ...pictures.map(drawPicture),
  ];
}

/** What the model thought aloud is no part of the answer. */
function drawPart(part: ReplyPart, words: ChatFileWords): HTMLElement[] {
  if (part.type === 'text') return [drawPlainly(part.text)];
  return part.type === 'call' ? [drawCall(part, words)] : [];
}

function drawCall({ name, argumentsText, result, images = [] }: CallView, words: ChatFileWords): HTMLElement {
  const details = document.createElement('details');
  details.append(element('summary', words.called(name)), element('pre', argumentsText));
  if (result !== undefined) details.append(element('pre', result));
  details.append(...images.map(drawPicture));
  return details;
}

function drawPicture({ data, mimeType }: { data: string; mimeType: string }): HTMLElement {
  const image = document.createElement('img');
  // An SVG would be a page of its own; those that a browser only draws are let through.
  if (/^image\/(png|jpeg|gif|webp)$/.test(mimeType))
    image.setAttribute('src', `data:${mimeType};base64,${data}`);
  image.alt = '';
  return image;
}

/** Of no namespace: a real one would be applied, and refused, by the policy of the page that writes it. It is written down the same. */
function styleSheet(): Element {
  const made = document.createElementNS(null, 'style');
  made.textContent = style;
  return made;
}

function element(name: keyof HTMLElementTagNameMap, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function meta(page: Document, attributes: Readonly<Record<string, string>>): HTMLElement {
  const made = page.createElement('meta');
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** Exports a chat as a Markdown, HTML or JSON file, and copies an answer as formatted text. */
import type { ChatRecord, MessageNode } from '../../contracts/chat';
import type { UserMessage } from '../../contracts/message';
import type { LoadedChat } from '../../contracts/store';
import { textOf } from '../../contracts/message-parts';
import { type CallView, type ReplyPart, type Turn, turnsOf } from '../../state/turns';
import { saveFile } from '../parts/save-file';
import type { RestWords } from '../i18n/words';
import { createElement } from '../markdown/create-element';
import { drawMarkdown } from '../markdown/stream-renderer';

const mimeTypes = { md: 'text/markdown', html: 'text/html', json: 'application/json' } as const;

export function saveTextFile(title: string, ending: keyof typeof mimeTypes, text: string): void {
  saveFile(`${toFileName(title)}.${ending}`, text, mimeTypes[ending]);
}

function toFileName(title: string): string {
  const plain = title.replace(/[\p{Cc}\\/:*?"<>|\s]+/gu, ' ').trim();
  return plain.replace(/^\.+|\.+$/g, '').slice(0, 80) || 'chat';
}

type ChatFileWords = RestWords['chatFile']['inFile'] & Pick<RestWords['turn'], 'you' | 'hearth'>;

/** Exports all branches of a chat and the chats of its sub-agents. `createdAt` is in milliseconds since the epoch. */
export function writeChatJson({ chat, nodes, agents }: LoadedChat, createdAt: number): string {
  const whole = { format: 'hearth-chat', version: 1, createdAt, chat, messages: nodes, agents };
  return JSON.stringify(whole, null, 2);
}

/** Exports the questions, answers and tool calls of a branch, without the model's thinking. */
export function writeMarkdown(
  chat: Pick<ChatRecord, 'title'>,
  branch: readonly MessageNode[],
  words: ChatFileWords,
): string {
  const turns = turnsOf(branch).map((turn) => writeTurn(turn, words));
  return [`# ${toOneLine(chat.title)}`, ...turns].join('\n\n') + '\n';
}

/** Exports a branch as a static HTML page. The browser serialises DOM nodes, so text never becomes markup. */
export async function writeHtml(
  chat: Pick<ChatRecord, 'title'>,
  branch: readonly MessageNode[],
  /** `language` is the BCP 47 tag of `words`. */
  { words, language, when }: { words: ChatFileWords; language: string; when: string },
): Promise<string> {
  const page = document.implementation.createHTMLDocument(chat.title);
  page.documentElement.lang = language;
  page.head.prepend(
    createMeta(page, { charset: 'utf-8' }),
    createMeta(page, { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy }),
  );
  page.head.append(createMeta(page, { name: 'viewport', content: 'width=device-width' }), createStyle());
  page.body.append(createElement('h1', { textContent: chat.title }));
  for (const turn of turnsOf(branch)) {
    if (turn.question?.message.role === 'user')
      page.body.append(...drawQuestion(turn.question.message, words));
    const parts: HTMLElement[] = [];
    for (const part of turn.parts) parts.push(...(await drawReplyPart(part, words)));
    if (parts.length > 0) page.body.append(createElement('h2', { textContent: words.hearth }), ...parts);
  }
  page.body.append(createElement('footer', { textContent: words.written(when) }));
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`;
}

/** Copies Markdown as formatted HTML and as source text. Rejects if the browser denies access to the clipboard. */
export async function copyFormatted(text: string): Promise<void> {
  const html = renderPortableMarkdown(text).then(
    ({ innerHTML }) => new Blob([innerHTML], { type: 'text/html' }),
  );
  // Browsers allow this only right after the click, so pass on a promise instead of waiting for the HTML.
  const item = new ClipboardItem({
    'text/html': html,
    'text/plain': new Blob([text], { type: 'text/plain' }),
  });
  await navigator.clipboard.write([item]);
}

function joinFileNames({ attached = [] }: UserMessage): string {
  return attached.map((file) => ('fileId' in file ? file.name : file.title)).join(', ');
}

function writeTurn(turn: Turn, words: ChatFileWords): string {
  const { question } = turn;
  const asked = question?.message.role === 'user' ? question.message : undefined;
  const files = asked ? joinFileNames(asked) : '';
  const parts = turn.parts.map((part) => writeReplyPart(part, words)).filter((text) => text !== '');
  return [
    ...(asked === undefined ? [] : [`## ${words.you}`, textOf(asked.content)]),
    ...(files === '' ? [] : [writeQuote(toOneLine(words.files(files)))]),
    ...(parts.length > 0 ? [`## ${words.hearth}`, ...parts] : []),
  ].join('\n\n');
}

function writeReplyPart(part: ReplyPart, words: ChatFileWords): string {
  if (part.type === 'text') return part.text.trim();
  return part.type === 'call' ? writeCall(part, words) : '';
}

function writeCall({ name, argumentsText, result }: CallView, words: ChatFileWords): string {
  const lines = [`**${words.called(name)}**`, writeCodeBlock(argumentsText, 'json')];
  if (result !== undefined) lines.push(writeCodeBlock(result));
  return writeQuote(lines.join('\n\n'));
}

function writeCodeBlock(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

const writeQuote = (text: string) => text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
const toOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The exported page may use only its own style sheet and pictures in data URLs. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const exportedPageStyles = `
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

function drawQuestion(asked: UserMessage, words: ChatFileWords): HTMLElement[] {
  const question = createElement('div', { className: 'question', textContent: textOf(asked.content) });
  const files = joinFileNames(asked);
  const pictures = asked.content.flatMap((part) => (part.type === 'image' ? [part] : []));
  return [
    createElement('h2', { textContent: words.you }),
    question,
    ...(files === '' ? [] : [createElement('p', { textContent: words.files(files) })]),
    ...pictures.map(createImage),
  ];
}

async function drawReplyPart(part: ReplyPart, words: ChatFileWords): Promise<HTMLElement[]> {
  if (part.type === 'text') return [await renderPortableMarkdown(part.text)];
  return part.type === 'call' ? [drawCall(part, words)] : [];
}

function drawCall({ name, argumentsText, result, images = [] }: CallView, words: ChatFileWords): HTMLElement {
  const details = createElement('details', {});
  details.append(createElement('summary', { textContent: words.called(name) }));
  details.append(createElement('pre', { textContent: argumentsText }));
  if (result !== undefined) details.append(createElement('pre', { textContent: result }));
  details.append(...images.map(createImage));
  return details;
}

function createImage({ data, mimeType }: { data: string; mimeType: string }): HTMLElement {
  const image = createElement('img', { alt: '' });
  // We leave out SVG pictures, because they could contain scripts.
  if (/^image\/(png|jpeg|gif|webp)$/.test(mimeType))
    image.setAttribute('src', `data:${mimeType};base64,${data}`);
  return image;
}

/** Hearth's CSP blocks a real `style` element. An element without a namespace is allowed and serialises the same way. */
function createStyle(): Element {
  const element = document.createElementNS(null, 'style');
  element.textContent = exportedPageStyles;
  return element;
}

function createMeta(page: Document, attributes: Readonly<Record<string, string>>): HTMLElement {
  const element = page.createElement('meta');
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const portableAttributes = new Set(['href', 'start', 'align', 'colspan', 'type', 'checked', 'disabled']);

/** Renders Markdown for other programs, without the classes and attributes that only our screens use. */
async function renderPortableMarkdown(text: string): Promise<HTMLElement> {
  const target = document.createElement('div');
  await drawMarkdown(target, text);
  for (const node of target.querySelectorAll('*')) {
    for (const name of node.getAttributeNames())
      if (!portableAttributes.has(name)) node.removeAttribute(name);
  }
  return target;
}

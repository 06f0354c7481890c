/**
 * Blocks become DOM nodes, by hand and from a fixed list of elements: no HTML string, so nothing to sanitise.
 * Raw HTML is shown as it was written.
 */
import type { Token, Tokens } from 'marked';
import { known, type ReplyToken } from './dialect';
import { fillMath } from './math/math-element';

/** Fills an element with the inline content of a block; how is the renderer's, which knows the definitions. */
export type Fill = (element: HTMLElement, content: Token[]) => void;

/** Lines of code a text node holds: a new line then costs the layout of its node, not of the whole block. */
export const linesPerNode = 64;
/** Rows beyond which columns are equally wide, since measuring them takes every cell. */
const rowsBeforeFixed = 50;

/** The element of a block, or nothing for one that shows nothing. */
export function buildBlock(token: ReplyToken, fill: Fill): HTMLElement | undefined {
  switch (token.type) {
    case 'paragraph':
      return filled('p', token.tokens, fill);
    // The line of a list item. Always a paragraph: a list that turns loose then only changes a class.
    case 'text':
      return filled('p', token.tokens ?? [], fill);
    case 'heading':
      return filled(`h${Math.min(6, token.depth) as 1 | 2 | 3 | 4 | 5 | 6}`, token.tokens, fill);
    case 'code':
      return buildCode(token);
    case 'blockquote': {
      const quote = document.createElement('blockquote');
      quote.append(...buildBlocks(token.tokens, fill));
      return quote;
    }
    case 'list': {
      const list = buildList(token);
      list.append(...token.items.map((item) => buildItem(item, fill)));
      return list;
    }
    case 'table': {
      const { frame, head, body } = buildTable();
      head.append(buildRow('th', token.header, fill));
      body.append(...token.rows.map((row) => buildRow('td', row, fill)));
      setRowCount(frame, token.rows.length);
      return frame;
    }
    case 'hr':
      return document.createElement('hr');
    case 'html': {
      const paragraph = document.createElement('p');
      paragraph.className = 'verbatim';
      paragraph.textContent = token.raw.trimEnd();
      return paragraph;
    }
    case 'math':
      return fillMath(document.createElement('div'), token);
    case 'space':
    case 'def':
    case 'list_item':
    case 'checkbox':
    case 'br':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'image':
    case 'link':
    case 'note':
    case 'strong':
      return undefined;
  }
}

function buildBlocks(tokens: Token[], fill: Fill): HTMLElement[] {
  return known(tokens).flatMap((token) => buildBlock(token, fill) ?? []);
}

/** Without its items. */
export function buildList(token: Tokens.List): HTMLElement {
  const list = document.createElement(token.ordered ? 'ol' : 'ul');
  if (list instanceof HTMLOListElement && typeof token.start === 'number' && token.start !== 1) {
    list.start = token.start;
  }
  setLoose(list, token.loose);
  return list;
}

/** Whether there is room between the items, as there is when the text has a blank line between any two. */
export function setLoose(list: HTMLElement, isLoose: boolean): void {
  if (isLoose === list.classList.contains('loose')) return;
  if (isLoose) list.className = 'loose';
  else list.removeAttribute('class');
}

export function buildItem(item: Tokens.ListItem, fill: Fill): HTMLElement {
  const element = document.createElement('li');
  const [first, ...rest] = known(item.tokens).filter(({ type }) => type !== 'checkbox');
  if (item.task && first && (first.type === 'text' || first.type === 'paragraph')) {
    element.className = 'task';
    element.append(buildTask(first.tokens ?? [], item.checked === true, fill), ...buildBlocks(rest, fill));
  } else {
    element.append(...buildBlocks(item.tokens, fill));
  }
  return element;
}

function buildTask(content: Token[], isDone: boolean, fill: Fill): HTMLElement {
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.disabled = true;
  box.toggleAttribute('checked', isDone);
  label.append(box, filled('span', content, fill));
  return label;
}

/** A table without rows, in the frame it scrolls in. */
export function buildTable(): { frame: HTMLElement; head: HTMLElement; body: HTMLElement } {
  const frame = document.createElement('div');
  const table = document.createElement('table');
  const head = document.createElement('thead');
  const body = document.createElement('tbody');
  table.append(head, body);
  frame.append(table);
  return { frame, head, body };
}

export function setRowCount(frame: HTMLElement, rows: number): void {
  const name = rows > rowsBeforeFixed ? 'table fixed' : 'table';
  if (frame.className !== name) frame.className = name;
}

export function buildRow(tag: 'th' | 'td', cells: Tokens.TableCell[], fill: Fill): HTMLElement {
  const row = document.createElement('tr');
  for (const { tokens, align } of cells) {
    const cell = filled(tag, tokens, fill);
    if (align) cell.dataset['align'] = align;
    row.append(cell);
  }
  return row;
}

function buildCode(token: Tokens.Code): HTMLElement {
  const block = document.createElement('pre');
  const code = document.createElement('code');
  const language = /^[\w+#.-]{1,32}/.exec(token.lang ?? '')?.[0];
  if (language !== undefined) code.className = `language-${language}`;
  block.append(code);
  const lines = token.text.replace(/\n$/, '').split('\n');
  for (let at = 0; at < lines.length; at += linesPerNode) {
    const text = lines.slice(at, at + linesPerNode).join('\n');
    const end = at + linesPerNode < lines.length ? '\n' : '';
    if (text + end !== '') code.append(text + end);
  }
  return block;
}

function filled<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  content: Token[],
  fill: Fill,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  fill(element, content);
  return element;
}

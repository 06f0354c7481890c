/** A block on the screen that may still change: a list by its items, a table by its rows, any other as a whole. */
import type { Tokens } from 'marked';
import type { ReplyToken } from './dialect';
import {
  buildBlock,
  buildItem,
  buildList,
  buildRow,
  buildTable,
  setLoose,
  setRowCount,
  type Fill,
} from './build-blocks';
import { morph } from './morph';
import { areLoose } from './settled';

export interface DrawContext {
  fill: Fill;
  /** Told of each element that took over the content of a fresh one. */
  move: (old: Element, fresh: Element) => void;
}

/** What is drawn, and the text it was drawn from: the same text is not drawn again. */
interface Drawn {
  key: string;
  element: HTMLElement;
}

export interface OpenBlock extends Drawn {
  /** Brings the element up to the token. False when another kind of block is needed. */
  draw(token: ReplyToken, context: DrawContext): boolean;
  /** Its end was changed by another hand: it is drawn anew next time, whatever its text. */
  touch(): void;
}

/** Not yet in the document. Nothing for a token that shows nothing. */
export function openBlock(token: ReplyToken, context: DrawContext): OpenBlock | undefined {
  if (token.type === 'list') return new OpenList(token, context);
  if (token.type === 'table') return new OpenTable(token, context);
  const element = buildBlock(token, context.fill);
  return element && new WholeBlock(element);
}

class WholeBlock implements OpenBlock {
  key = '';
  element: HTMLElement;

  constructor(element: HTMLElement) {
    this.element = element;
  }

  draw(token: ReplyToken, { fill, move }: DrawContext): boolean {
    if (token.type === 'list' || token.type === 'table') return false;
    const fresh = buildBlock(token, fill);
    if (!fresh) return false;
    this.element = drawOver(this.element, fresh, move);
    return true;
  }

  touch(): void {
    this.key = '';
  }
}

export class OpenList implements OpenBlock {
  key = '';
  readonly element: HTMLElement;
  #items: Drawn[] = [];
  #isLoose = false;
  #hasSettled = false;
  #start: number | '';

  constructor(token: Tokens.List, context: DrawContext) {
    this.element = buildList(token);
    this.#start = token.start;
    this.draw(token, context);
  }

  draw(token: ReplyToken, context: DrawContext): boolean {
    if (token.type !== 'list') return false;
    // What is left of a list begins with a later number.
    if (!this.#hasSettled && token.start !== this.#start) return false;
    const wanted = token.items.map((item) => ({
      key: item.raw.replace(/\n$/, ''),
      build: () => buildItem(item, context.fill),
    }));
    this.#items = drawAll(this.element, this.#items, wanted, context);
    setLoose(this.element, this.#isLoose || token.loose);
    return true;
  }

  touch(): void {
    this.key = '';
    const last = this.#items.at(-1);
    if (last) last.key = '';
  }

  /** Lets go of these items, the first of those drawn: another item follows them. */
  settle(items: readonly Tokens.ListItem[]): void {
    this.#items.splice(0, items.length);
    this.#isLoose ||= areLoose(items);
    this.#hasSettled = true;
    this.key = '';
  }
}

export class OpenTable implements OpenBlock {
  key = '';
  readonly element: HTMLElement;
  readonly #head: HTMLElement;
  readonly #body: HTMLElement;
  #headRow: Drawn[] = [];
  #rows: Drawn[] = [];
  #settled = 0;

  constructor(token: Tokens.Table, context: DrawContext) {
    const { frame, head, body } = buildTable();
    this.element = frame;
    this.#head = head;
    this.#body = body;
    this.draw(token, context);
  }

  draw(token: ReplyToken, context: DrawContext): boolean {
    if (token.type !== 'table') return false;
    const wanted = (tag: 'th' | 'td', cells: Tokens.TableCell[]) => ({
      // A line end is in no cell.
      key: [...token.align, ...cells.map(({ text }) => text)].join('\n'),
      build: () => buildRow(tag, cells, context.fill),
    });
    this.#headRow = drawAll(this.#head, this.#headRow, [wanted('th', token.header)], context);
    const rows = token.rows.map((row) => wanted('td', row));
    this.#rows = drawAll(this.#body, this.#rows, rows, context);
    setRowCount(this.element, this.#settled + token.rows.length);
    return true;
  }

  touch(): void {
    this.key = '';
    const last = this.#rows.at(-1);
    if (last) last.key = '';
  }

  /** Lets go of the first `count` rows of those drawn. */
  settle(count: number): void {
    this.#rows.splice(0, count);
    this.#settled += count;
    this.key = '';
  }
}

interface Wanted {
  key: string;
  build: () => HTMLElement;
}

/** The last children of `parent`, which are `drawn`, become what is wanted; the others are not touched. */
function drawAll(parent: HTMLElement, drawn: Drawn[], wanted: Wanted[], { move }: DrawContext): Drawn[] {
  const now = wanted.map(({ key, build }, index): Drawn => {
    const old = drawn[index];
    if (old?.key === key) return old;
    const fresh = build();
    if (old) return { key, element: drawOver(old.element, fresh, move) };
    parent.append(fresh);
    return { key, element: fresh };
  });
  for (const { element } of drawn.slice(wanted.length)) element.remove();
  return now;
}

function drawOver(old: HTMLElement, fresh: HTMLElement, move: DrawContext['move']): HTMLElement {
  if (old.tagName !== fresh.tagName) {
    old.replaceWith(fresh);
    return fresh;
  }
  morph(old, fresh, move);
  return old;
}

/** Draws blocks that may still change. Redrawing keeps unchanged nodes, so a selection in them survives. */
import type { Tokens } from 'marked';
import type { ReplyToken } from './dialect';
import {
  buildBlock,
  buildListItem,
  buildList,
  buildRow,
  buildTable,
  linesPerTextNode,
  setListLoose,
  setRowCount,
  type FillInline,
} from './build-nodes';
import { areItemsLoose } from './settled';

export interface DrawContext {
  fill: FillInline;
  /** Called when we copy the content of the new element `fresh` into the drawn element `old`. */
  move: (old: Element, fresh: Element) => void;
}

/** We drew `element` from the text in `sourceKey`, and redraw it only if that text changes. */
interface DrawnElement {
  sourceKey: string;
  element: HTMLElement;
}

export abstract class OpenBlock implements DrawnElement {
  sourceKey = '';
  abstract readonly element: HTMLElement;
  protected drawnParts: DrawnElement[] = [];

  /** Updates the element to match the token. Returns false if the token needs another kind of block. */
  abstract draw(token: ReplyToken, context: DrawContext): boolean;

  /** See `countParts`. Leaves out what `stopTracking…` has counted. */
  countTrackedParts(): number {
    return countParts(this.element);
  }

  /** Call this after changing the end of the block without `draw`. Otherwise, the next `draw` would skip that part. */
  invalidate(): void {
    this.sourceKey = '';
    const last = this.drawnParts.at(-1);
    if (last) last.sourceKey = '';
  }
}

/** Builds a block outside the document. Undefined for a token that shows nothing. */
export function createOpenBlock(token: ReplyToken, context: DrawContext): OpenBlock | undefined {
  if (token.type === 'list') return new OpenList(token, context);
  if (token.type === 'table') return new OpenTable(token, context);
  const element = buildBlock(token, context.fill);
  return element && new SimpleBlock(element);
}

class SimpleBlock extends OpenBlock {
  element: HTMLElement;

  constructor(element: HTMLElement) {
    super();
    this.element = element;
  }

  draw(token: ReplyToken, { fill, move }: DrawContext): boolean {
    if (token.type === 'list' || token.type === 'table') return false;
    const fresh = buildBlock(token, fill);
    if (!fresh) return false;
    this.element = redrawElement(this.element, fresh, move);
    return true;
  }
}

export class OpenList extends OpenBlock {
  readonly element: HTMLElement;
  #isLoose = false;
  #hasSettled = false;
  #start: number | '';

  constructor(token: Tokens.List, context: DrawContext) {
    super();
    this.element = buildList(token);
    this.#start = token.start;
    this.draw(token, context);
  }

  draw(token: ReplyToken, context: DrawContext): boolean {
    if (token.type !== 'list') return false;
    // After items have settled, the token begins with a later item, so its start number may differ.
    if (!this.#hasSettled && token.start !== this.#start) return false;
    const parts = token.items.map((item) => ({
      sourceKey: item.raw.replace(/\n$/, ''),
      build: () => buildListItem(item, context.fill),
    }));
    this.drawnParts = redrawParts(this.element, this.drawnParts, parts, context);
    setListLoose(this.element, this.#isLoose || token.loose);
    return true;
  }

  /** Stops tracking the first drawn items. They can no longer change, because another item follows. Returns how many parts they have. */
  stopTrackingItems(items: readonly Tokens.ListItem[]): number {
    const settled = this.drawnParts.splice(0, items.length);
    this.#isLoose ||= areItemsLoose(items);
    this.#hasSettled = true;
    this.sourceKey = '';
    return countAllParts(settled);
  }

  override countTrackedParts(): number {
    return countAllParts(this.drawnParts);
  }
}

export class OpenTable extends OpenBlock {
  readonly element: HTMLElement;
  readonly #head: HTMLElement;
  readonly #body: HTMLElement;
  #headRow: DrawnElement[] = [];
  #settled = 0;

  constructor(token: Tokens.Table, context: DrawContext) {
    super();
    const { frame, head, body } = buildTable();
    this.element = frame;
    this.#head = head;
    this.#body = body;
    this.draw(token, context);
  }

  draw(token: ReplyToken, context: DrawContext): boolean {
    if (token.type !== 'table') return false;
    const partOf = (tag: 'th' | 'td', cells: Tokens.TableCell[]) => ({
      // No cell contains a line feed, so it is a safe separator.
      sourceKey: [...token.align, ...cells.map(({ text }) => text)].join('\n'),
      build: () => buildRow(tag, cells, context.fill),
    });
    this.#headRow = redrawParts(this.#head, this.#headRow, [partOf('th', token.header)], context);
    const rows = token.rows.map((row) => partOf('td', row));
    this.drawnParts = redrawParts(this.#body, this.drawnParts, rows, context);
    setRowCount(this.element, this.#settled + token.rows.length);
    return true;
  }

  /** Stops tracking the first `count` drawn rows, which can no longer change. */
  stopTrackingRows(count: number): void {
    this.drawnParts.splice(0, count);
    this.#settled += count;
    this.sourceKey = '';
  }

  override countTrackedParts(): number {
    return this.drawnParts.length;
  }
}

/** A code block has a head with buttons, so it takes the browser as long as this many list items. */
const partsPerCodeBlock = 3;

/** Counts what takes a browser time to lay out: the element, and the list items, rows, quotes and code blocks in it. */
function countParts(element: Element): number {
  const codeBlocks = element.querySelectorAll('pre').length + (element.tagName === 'PRE' ? 1 : 0);
  return 1 + element.querySelectorAll('li, tr, blockquote').length + codeBlocks * (partsPerCodeBlock - 1);
}

function countAllParts(drawn: readonly DrawnElement[]): number {
  return drawn.reduce((sum, { element }) => sum + countParts(element), 0);
}

/** Updates `drawn`, the last children of `parent`, to match `parts`. Other children stay. */
function redrawParts(
  parent: HTMLElement,
  drawn: DrawnElement[],
  parts: { sourceKey: string; build: () => HTMLElement }[],
  { move }: DrawContext,
): DrawnElement[] {
  const now = parts.map(({ sourceKey, build }, index): DrawnElement => {
    const old = drawn[index];
    if (old?.sourceKey === sourceKey) return old;
    const fresh = build();
    if (old) return { sourceKey, element: redrawElement(old.element, fresh, move) };
    parent.append(fresh);
    return { sourceKey, element: fresh };
  });
  for (const { element } of drawn.slice(parts.length)) element.remove();
  return now;
}

function redrawElement(old: HTMLElement, fresh: HTMLElement, move: DrawContext['move']): HTMLElement {
  if (old.tagName !== fresh.tagName) {
    old.replaceWith(fresh);
    return fresh;
  }
  syncTree(old, fresh, move);
  return old;
}

/** Matches the opening line of a fence, once that line is complete. */
const fenceOpenerPattern = /^( {0,3})(`{3,}(?=[^`\n]*\n)|~{3,})[^\n]*\n/;

/** A fenced code block without its closing fence. Reads each line only once. */
export class OpenCodeFence {
  readonly #code: HTMLElement;
  readonly #closer: RegExp;
  readonly #indent: number;
  #line = '';
  #node: Text | undefined;
  #lines = 0;
  #isLineBegun = false;
  #shown = '';

  /** `source` begins with the fence, and `block` is the element that shows the code. Returns undefined if the opening line is incomplete. */
  static create(block: HTMLElement, source: string): { fence: OpenCodeFence; content: string } | undefined {
    const code = block.querySelector('code');
    const [opening, indent, mark] = fenceOpenerPattern.exec(source) ?? [];
    if (!code || opening === undefined || indent === undefined || mark === undefined) return undefined;
    return { fence: new OpenCodeFence(code, indent, mark), content: source.slice(opening.length) };
  }

  private constructor(code: HTMLElement, indent: string, mark: string) {
    this.#code = code;
    this.#closer = new RegExp(`^ {0,3}${mark}${mark.slice(0, 1)}* *$`);
    // Like marked, keep the indent of lines in a fence of tildes.
    this.#indent = mark.startsWith('`') ? indent.length : 0;
    code.replaceChildren();
  }

  /** Appends text. Returns the text after the closing fence, or undefined if the fence is still open. */
  appendCode(text: string): string | undefined {
    const lines = (this.#line + text).split('\n');
    this.#line = lines.pop() ?? '';
    for (const [index, line] of lines.entries()) {
      if (this.#closer.test(line)) return [...lines.slice(index + 1), this.#line].join('\n');
      this.#write(line, true);
    }
    // The last line may become the closing fence, so don't show it yet.
    const shown = /^ {0,3}(?:`*|~*) *$/.test(this.#line) ? '' : this.#line;
    if (shown !== '') this.#write(shown, false);
    return undefined;
  }

  finishCode(): void {
    if (this.#line !== '' && !this.#closer.test(this.#line)) this.#write(this.#line, true);
  }

  #write(line: string, isWhole: boolean): void {
    if (!this.#isLineBegun) this.#beginLine();
    const text = line.slice(Math.min(this.#indent, line.length - line.trimStart().length));
    if (text.startsWith(this.#shown)) {
      this.#append(text.slice(this.#shown.length));
    } else {
      this.#node?.deleteData(this.#node.length - this.#shown.length, this.#shown.length);
      this.#append(text);
    }
    this.#shown = text;
    this.#isLineBegun = !isWhole;
  }

  #beginLine(): void {
    if (this.#lines > 0) this.#append('\n');
    if (this.#lines % linesPerTextNode === 0) this.#node = undefined;
    this.#lines++;
    this.#shown = '';
  }

  #append(text: string): void {
    if (text === '') return;
    if (this.#node) {
      this.#node.appendData(text);
    } else {
      this.#node = new Text(text);
      this.#code.append(this.#node);
    }
  }
}

/** Makes the tree `old` equal to `fresh`, keeping as many nodes as possible. Calls `onKept` for each kept element. */
export function syncTree(old: Element, fresh: Element, onKept: (old: Element, fresh: Element) => void): void {
  const isSame =
    old.hasAttribute('data-math') && old.getAttribute('data-math') === fresh.getAttribute('data-math');
  updateAttributes(old, fresh);
  if (isSame) {
    onKept(old, fresh);
    return;
  }
  let at = old.firstChild;
  for (const node of [...fresh.childNodes]) {
    const next: ChildNode | null = at?.nextSibling ?? null;
    if (at === null) old.append(node);
    else if (at instanceof Text && node instanceof Text) updateText(at, node.data);
    else if (at instanceof Element && node instanceof Element && at.tagName === node.tagName)
      syncTree(at, node, onKept);
    else at.replaceWith(node);
    at = next;
  }
  while (at) {
    const next: ChildNode | null = at.nextSibling;
    at.remove();
    at = next;
  }
  onKept(old, fresh);
}

function updateText(node: Text, text: string): void {
  if (node.data === text) return;
  // Replacing the text would collapse a selection in it, so append if it only grew.
  if (text.startsWith(node.data)) node.appendData(text.slice(node.data.length));
  else node.data = text;
}

function updateAttributes(old: Element, fresh: Element): void {
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old.attributes.length === fresh.attributes.length) return;
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
}

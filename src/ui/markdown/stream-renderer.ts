/**
 * Renders Markdown while a model writes it. Blocks that can no longer change are "settled". We parse only the text
 * after them again. After `end`, the nodes are the same as from parsing the whole text at once, unless more than
 * `maxUnsettledCharacters` were unsettled: the markup then ends there, and the rest is parsed as a new text.
 */
import { nextTask } from '../../contracts/next-task';
import { createDialect, type ReplyToken } from './dialect';
import {
  createOpenBlock,
  OpenCodeFence,
  OpenList,
  OpenTable,
  type DrawContext,
  type OpenBlock,
} from './open-block';
import { LinkReferences } from './references';
import { findSettledBlocks, findSettledItems, findSettledRows } from './settled';

/**
 * If we parse more characters than this and take over `maxParseMs`, we wait before the next parse, so the page can
 * respond. The wait is `parsePauseFactor` times as long as the parse.
 */
const maxUnthrottledCharacters = 2048;
const maxParseMs = 4;

/**
 * Texts are drawn in slices, so that no text can block the page. Lines and marks make elements, which take longer to
 * lay out than text.
 */
const sliceCharacters = 4_000;
const sliceLines = 30;
const sliceMarks = 30;
const maxUnsettledCharacters = 8_000;
/** If a block is longer than `maxUnsettledCharacters`, we draw the rest in blocks of this length, so that little of it is laid out at once. */
const continuedBlockCharacters = 2_000;
/** After this many blocks, we put the next ones into groups of this size, because a browser visits every sibling of a block that changes. */
const maxSiblings = 50;
/** Of a longer reply, or one with more blocks, we lay out only those near the screen. */
const minLongCharacters = 24_000;
const maxShortBlocks = 40;
/** After this many parts (see `countParts`), text is shown as written: browsers are slow with more elements. */
const maxParts = 700;
const parsePauseFactor = 3;

/** Matches a last line that may briefly look wrong, such as `-` as a heading or `1.` as a list. We hold it back. */
const undecidedLinePattern = /(?:^|\n)([ \t]*(?:[-=]+|[*+_]+|[`~]+|\d{1,9}[.)]?)[ \t]*)$/;
const maxHeldBackCharacters = 32;

/** Matches text that cannot be markup. We append it to a drawn word without parsing it. */
const plainTextPattern = /^[\p{L}\p{N}, ]+$/u;
const lastWordPattern = /[\p{L}\p{N}]+$/u;
const plainTextParentSelector = 'p:not(.verbatim), h1, h2, h3, h4, h5, h6, label > span';

/** `target` must be empty. Calls `onReadAgain` for a finished element that a later link definition has changed. */
export function createMarkdownRenderer(
  target: HTMLElement,
  onReadAgain: (element: Element) => void = () => undefined,
) {
  let stream = new MarkdownStream(target, onReadAgain);
  let seen = '';
  let drawnLength = 0;
  let isComplete = false;
  let isEnded = false;

  function drawSlice(): void {
    const piece = takeSlice(seen, drawnLength);
    drawnLength += piece.length;
    if (piece !== '') stream.appendPiece(piece);
    if (isComplete && !isEnded && drawnLength === seen.length) {
      stream.finishText();
      isEnded = true;
    }
    stream.fillDueTexts();
    const isLong = drawnLength > minLongCharacters || target.childElementCount > maxShortBlocks;
    target.classList.toggle('long', isLong);
  }

  return {
    /** Takes the whole text so far. Cheap if the text only grew. Otherwise, draws everything again. See `hasMore`. */
    update(text: string): void {
      if (text === seen) return;
      // Comparing slices is 20 times faster than `startsWith`.
      if (isComplete || text.slice(0, seen.length) !== seen) {
        target.replaceChildren();
        stream = new MarkdownStream(target, onReadAgain);
        drawnLength = 0;
        isComplete = isEnded = false;
      }
      seen = text;
      // A long text already keeps the page busy, for example when it comes from the disk. Its first slice waits for the next task.
      if (text.length - drawnLength <= sliceCharacters) drawSlice();
    },
    /** Call this when the text is complete. Draws what we held back. */
    end(): void {
      if (isComplete) return;
      isComplete = true;
      if (drawnLength === seen.length) drawSlice();
    },
    /** True if a part of a long text is not drawn yet. Call `drawSlice` again, after the next paint. */
    get hasMore(): boolean {
      return drawnLength < seen.length || isComplete !== isEnded || stream.hasDueTexts;
    },
    drawSlice,
  };
}

function takeSlice(text: string, start: number): string {
  const slice = text.slice(start, start + sliceCharacters);
  let lines = 0;
  let marks = 0;
  for (const { 0: sign, index } of slice.matchAll(/[\n*_~`[<$|]/g)) {
    if (sign === '\n' ? ++lines === sliceLines : ++marks === sliceMarks) return slice.slice(0, index + 1);
  }
  return slice;
}

/** Draws a complete text, with pauses in which the page can respond. */
export async function drawMarkdown(target: HTMLElement, text: string): Promise<void> {
  const renderer = createMarkdownRenderer(target);
  renderer.update(text);
  renderer.end();
  while (renderer.hasMore) {
    await nextTask();
    renderer.drawSlice();
  }
}

class MarkdownStream {
  readonly #target: HTMLElement;
  readonly #dialect = createDialect();
  readonly #references: LinkReferences;
  /** The unsettled text, with `\n` as the only line ending. */
  #tail = '';
  /** The header lines of a table whose first rows are final. We parse each new row together with these lines. */
  #prefix = '';
  #blocks: OpenBlock[] = [];
  #tokens: ReplyToken[] = [];
  #fence: OpenCodeFence | undefined;
  /** Shows the end of the tail as plain text until we parse it. */
  #unread: Text | undefined;
  #plainEnd: Text | undefined;
  #restUntil = 0;
  #isCarriageReturnOpen = false;
  #partCount = 0;
  /** Shows text as written, once there are too many parts. */
  #verbatim: Text | undefined;
  /** True if the block before was cut because it was too long. */
  #isContinued = false;
  /** The parent of new blocks. At first the target, later the last group in it. */
  #group: HTMLElement;

  constructor(target: HTMLElement, onReadAgain: (element: Element) => void) {
    this.#target = target;
    this.#group = target;
    this.#references = new LinkReferences(this.#dialect, target, onReadAgain);
  }

  appendPiece(piece: string): void {
    const text = this.#normalise(piece);
    if (text === '') return;
    if (this.#verbatim) this.#pushVerbatim(this.#verbatim, text);
    else if (this.#fence) this.#pushCode(this.#fence, text);
    else this.#pushText(text);
  }

  finishText(): void {
    if (this.#isCarriageReturnOpen) this.appendPiece('\n');
    if (this.#fence) this.#fence.finishCode();
    else if (!this.#verbatim) this.#read(this.#prefix + this.#tail);
    if (!this.#verbatim) this.#references.addDefinitions(this.#tokens);
    this.#references.reparseWaitingTexts();
    this.#markSettled(this.#blocks.length);
  }

  get hasDueTexts(): boolean {
    return this.#references.hasDueTexts;
  }

  fillDueTexts(): void {
    this.#references.fillDueTexts(sliceCharacters);
  }

  #pushText(text: string): void {
    this.#tail += text;
    const isTailLong = this.#tail.length > this.#maxTailCharacters;
    if (this.#plainEnd && !isTailLong && plainTextPattern.test(text)) {
      this.#plainEnd.appendData(text);
      this.#blocks.at(-1)?.invalidate();
      return;
    }
    if (!isTailLong && performance.now() < this.#restUntil) {
      this.#showUnread(text);
      return;
    }
    const start = performance.now();
    if (isTailLong) this.#settleLongTail();
    const held = undecidedLinePattern.exec(this.#tail.slice(-maxHeldBackCharacters))?.[1]?.length ?? 0;
    const source = this.#prefix + this.#tail.slice(0, this.#tail.length - held);
    this.#read(source);
    this.#settle(source);
    if (this.#verbatim) return;
    if (this.#partCount > maxParts && !this.#fence) {
      this.#endMarkup(held);
      return;
    }
    if (held === 0) this.#plainEnd = this.#findPlainEnd();
    const now = performance.now();
    const isLong = source.length > maxUnthrottledCharacters && now - start > maxParseMs;
    this.#restUntil = isLong ? now + parsePauseFactor * (now - start) : 0;
  }

  #pushCode(fence: OpenCodeFence, text: string): void {
    const rest = fence.appendCode(text);
    if (rest === undefined) return;
    this.#fence = undefined;
    this.#markSettled(1);
    this.#tail = '';
    if (this.#partCount > maxParts) this.#verbatim = this.#addVerbatim(rest);
    else if (rest !== '') this.#pushText(rest);
  }

  #read(source: string): void {
    this.#unread?.remove();
    this.#unread = undefined;
    this.#plainEnd = undefined;
    const { tokens, texts } = this.#dialect.readBlocks(source);
    this.#tokens = tokens;
    this.#draw({
      fill: (element, content) => {
        this.#references.fillInline(element, texts.get(content) ?? '');
      },
      move: this.#references.transferWaitingText,
    });
  }

  #draw(context: DrawContext): void {
    const visible = this.#tokens.filter(isVisible);
    const blocks = visible.flatMap((token, index) => {
      const old = this.#blocks[index];
      // Compare paragraphs by `text`, because a new line may change the indent in `text` but not in `raw`.
      const key = `${token.type} ${token.type === 'paragraph' ? token.text : token.raw}`;
      if (old && (old.sourceKey === key || old.draw(token, context))) {
        old.sourceKey = key;
        return old;
      }
      const block = createOpenBlock(token, context);
      if (!block) return [];
      if (old) old.element.replaceWith(block.element);
      else this.#append(block.element);
      block.sourceKey = key;
      return block;
    });
    for (const { element } of this.#blocks.slice(visible.length)) element.remove();
    this.#blocks = blocks;
  }

  /** Settles as much of the parsed text as possible and removes it from the tail. */
  #settle(source: string): void {
    const { count, length } = findSettledBlocks(this.#tokens, source);
    let rest = source;
    if (count > 0) {
      const settled = this.#tokens.splice(0, count);
      this.#isContinued = false;
      this.#references.addDefinitions(settled);
      this.#markSettled(settled.filter(isVisible).length);
      this.#tail = this.#tail.slice(length - this.#prefix.length);
      this.#prefix = '';
      rest = source.slice(length);
    }
    const [token, ...others] = this.#tokens;
    const [block] = this.#blocks;
    if (!token || !block || others.some(isVisible)) return;
    if (token.type === 'list' && block instanceof OpenList) {
      const items = findSettledItems(token, rest);
      if (items.count === 0) return;
      const settled = token.items.splice(0, items.count);
      this.#tail = this.#tail.slice(items.length);
      this.#partCount += block.stopTrackingItems(settled);
      this.#references.addDefinitions(settled.flatMap((item) => item.tokens));
    } else if (token.type === 'table' && block instanceof OpenTable) {
      const start = this.#prefix.length || rest.indexOf('\n', rest.indexOf('\n') + 1) + 1;
      const rows = findSettledRows(token.rows.length, rest, start);
      if (rows.count === 0) return;
      this.#tail = this.#tail.slice(start + rows.length - this.#prefix.length);
      this.#prefix = rest.slice(0, start);
      block.stopTrackingRows(rows.count);
      this.#partCount += rows.count;
    } else if (token.type === 'code' && token.codeBlockStyle !== 'indented' && others.length === 0) {
      this.#openFence(block);
    }
  }

  /** Shows the rest of the text as written. `held`: how many characters of the tail are not drawn. */
  #endMarkup(held: number): void {
    this.#references.addDefinitions(this.#tokens);
    this.#markSettled(this.#blocks.length);
    this.#verbatim = this.#addVerbatim(this.#tail.slice(this.#tail.length - held));
  }

  #pushVerbatim(node: Text, text: string): void {
    if (node.length > continuedBlockCharacters) this.#verbatim = this.#addVerbatim(text);
    else node.appendData(text);
  }

  #addVerbatim(text: string): Text {
    const node = new Text(text);
    const paragraph = document.createElement('p');
    paragraph.className = 'verbatim settled';
    paragraph.append(node);
    this.#append(paragraph);
    return node;
  }

  #append(block: Element): void {
    if (this.#group.childElementCount >= maxSiblings) {
      this.#group = document.createElement('div');
      this.#group.className = 'blocks';
      this.#target.append(this.#group);
    }
    this.#group.append(block);
  }

  get #maxTailCharacters(): number {
    return this.#isContinued ? continuedBlockCharacters : maxUnsettledCharacters;
  }

  /** Ends the markup of a tail that has become too long, and reads what follows as a new text. */
  #settleLongTail(): void {
    while (this.#tail.length > this.#maxTailCharacters) {
      const cut = findCut(this.#tail.slice(0, this.#maxTailCharacters));
      this.#isContinued = true;
      this.#read(this.#prefix + this.#tail.slice(0, cut));
      this.#references.addDefinitions(this.#tokens);
      this.#markSettled(this.#blocks.length);
      this.#prefix = '';
      this.#tail = this.#tail.slice(cut);
    }
  }

  #openFence(block: OpenBlock): void {
    const opened = OpenCodeFence.create(block.element, this.#tail);
    if (!opened) return;
    this.#fence = opened.fence;
    this.#tokens = [];
    this.#tail = '';
    this.#pushCode(opened.fence, opened.content);
  }

  /** The text node that ends with the last word of the tail, if that word is ordinary text. */
  #findPlainEnd(): Text | undefined {
    const type = this.#tokens.at(-1)?.type;
    if (type !== 'paragraph' && type !== 'list' && type !== 'heading') return undefined;
    const word = lastWordPattern.exec(this.#tail.slice(-maxHeldBackCharacters))?.[0];
    let node: Node | null | undefined = this.#blocks.at(-1)?.element;
    while (node?.lastChild) node = node.lastChild;
    const isPlain = node?.parentElement?.matches(plainTextParentSelector) && word !== undefined;
    return isPlain && node instanceof Text && node.data.endsWith(word) ? node : undefined;
  }

  #markSettled(count: number): void {
    for (const block of this.#blocks.splice(0, count)) {
      block.element.classList.add('settled');
      this.#partCount += block.countTrackedParts();
    }
  }

  #showUnread(text: string): void {
    this.#plainEnd = undefined;
    if (this.#unread) {
      this.#unread.appendData(text);
      return;
    }
    let place: Element = this.#blocks.at(-1)?.element ?? this.#group;
    while (place.lastElementChild?.matches('ul, ol, li, p, blockquote, table, tbody, tr, td, code')) {
      place = place.lastElementChild;
    }
    this.#unread = new Text(text);
    place.append(this.#unread);
  }

  /** Converts line endings to `\n`. A piece of text may end between `\r` and `\n`. */
  #normalise(piece: string): string {
    const text = (this.#isCarriageReturnOpen ? '\r' : '') + piece;
    this.#isCarriageReturnOpen = text.endsWith('\r');
    return (this.#isCarriageReturnOpen ? text.slice(0, -1) : text).replace(/\r\n?/g, '\n');
  }
}

/** Returns the end of the last whole line. If there is none, the end of the last whole word. */
function findCut(start: string): number {
  const ends = ['\n', ' '].map((sign) => start.lastIndexOf(sign) + 1);
  return ends.find((end) => end > 0) ?? start.length;
}

function isVisible({ type }: ReplyToken): boolean {
  return type !== 'space' && type !== 'def';
}

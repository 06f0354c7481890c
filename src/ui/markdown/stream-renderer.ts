/**
 * Renders Markdown while a model writes it. Blocks that can no longer change are "settled". We parse only the text
 * after them again. After `end`, the nodes are the same as from parsing the whole text at once.
 */
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
  let isEnded = false;

  return {
    /** Takes the whole text so far. Cheap if the text only grew. Otherwise, draws everything again. */
    update(text: string): void {
      if (text === seen) return;
      // Comparing slices is 20 times faster than `startsWith`.
      if (isEnded || text.slice(0, seen.length) !== seen) {
        target.replaceChildren();
        stream = new MarkdownStream(target, onReadAgain);
        seen = '';
        isEnded = false;
      }
      stream.appendPiece(text.slice(seen.length));
      seen = text;
    },
    /** Call this when the text is complete. Draws what we held back. */
    end(): void {
      if (!isEnded) stream.finishText();
      isEnded = true;
    },
  };
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

  constructor(target: HTMLElement, onReadAgain: (element: Element) => void) {
    this.#target = target;
    this.#references = new LinkReferences(this.#dialect, target, onReadAgain);
  }

  appendPiece(piece: string): void {
    const text = this.#normalise(piece);
    if (text === '') return;
    if (this.#fence) this.#pushCode(this.#fence, text);
    else this.#pushText(text);
  }

  finishText(): void {
    if (this.#isCarriageReturnOpen) this.appendPiece('\n');
    if (this.#fence) this.#fence.finishCode();
    else this.#read(this.#prefix + this.#tail);
    this.#references.addDefinitions(this.#tokens);
    this.#references.reparseWaitingTexts();
    this.#markSettled(this.#blocks.length);
  }

  #pushText(text: string): void {
    this.#tail += text;
    if (this.#plainEnd && plainTextPattern.test(text)) {
      this.#plainEnd.appendData(text);
      this.#blocks.at(-1)?.invalidate();
      return;
    }
    if (performance.now() < this.#restUntil) {
      this.#showUnread(text);
      return;
    }
    const start = performance.now();
    const held = undecidedLinePattern.exec(this.#tail.slice(-maxHeldBackCharacters))?.[1]?.length ?? 0;
    const source = this.#prefix + this.#tail.slice(0, this.#tail.length - held);
    this.#read(source);
    this.#settle(source);
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
    if (rest !== '') this.#pushText(rest);
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
      else this.#target.append(block.element);
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
      block.stopTrackingItems(settled);
      this.#references.addDefinitions(settled.flatMap((item) => item.tokens));
    } else if (token.type === 'table' && block instanceof OpenTable) {
      const start = this.#prefix.length || rest.indexOf('\n', rest.indexOf('\n') + 1) + 1;
      const rows = findSettledRows(token.rows.length, rest, start);
      if (rows.count === 0) return;
      this.#tail = this.#tail.slice(start + rows.length - this.#prefix.length);
      this.#prefix = rest.slice(0, start);
      block.stopTrackingRows(rows.count);
    } else if (token.type === 'code' && token.codeBlockStyle !== 'indented' && others.length === 0) {
      this.#openFence(block);
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
    for (const { element } of this.#blocks.splice(0, count)) element.classList.add('settled');
  }

  #showUnread(text: string): void {
    this.#plainEnd = undefined;
    if (this.#unread) {
      this.#unread.appendData(text);
      return;
    }
    let place: Element = this.#blocks.at(-1)?.element ?? this.#target;
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

function isVisible({ type }: ReplyToken): boolean {
  return type !== 'space' && type !== 'def';
}

/**
 * Hearth's Markdown: marked's lexer, adapted for streamed and hostile text. The renderer never parses a finished block
 * again. So the text before a block must not change the block. Nor may the text after it, once a blank line and one more
 * complete line have followed.
 */
import {
  Hooks,
  Lexer,
  Tokenizer,
  type Links,
  type MarkedOptions,
  type MarkedToken,
  type Token,
  type Tokens,
} from 'marked';
import { readFootnote, type FootnoteToken } from './footnotes';
import {
  maskMath,
  readInlineFormula,
  readMathBlock,
  type MathToken,
  mayPrecedeFormula,
  findNextMathBlock,
} from './math/math-source';

/** Deeper quotes, lists and emphasis stay plain text, so no text can exhaust the stack. */
const maxNestingDepth = 16;
/** In characters. We split longer inline text, and emphasis ends at each split. */
const maxInlineLength = 4096;
/** We also split inline text with more marks than this, because marked looks for the end of each emphasis in all of it. */
const maxEmphasisMarks = 64;
/** In characters. We split longer block quotes, because marked takes quadratic time for them. */
const maxQuoteLength = 8192;
/** marked pads every row to the width of the header, so the number of columns needs a limit. */
const maxColumns = 32;
/** A table with more columns ends before a row with too few `|`. Otherwise, marked would add many empty cells. */
const maxColumnsWithShortRows = 4;

export type ReplyToken = MarkedToken | MathToken | FootnoteToken;

export interface ParsedBlocks {
  tokens: ReplyToken[];
  /** Maps inline tokens to their source, which we parse only if the block has changed. */
  texts: Map<Token[], string>;
}

export type Dialect = ReturnType<typeof createDialect>;

export function createDialect() {
  const tokenizer = new HearthTokenizer();
  const mask = new EmphasisMask();
  const options = { gfm: true, breaks: false, pedantic: false, tokenizer, extensions: lexerExtensions };
  const inline = new HearthLexer(options, mask);
  /** The pieces of the long text that was read last. It usually grows, so they are read again. */
  let lastPieces = new Map<string, ReplyToken[]>();
  let lastLinks = 0;

  function readPiece(piece: string): ReplyToken[] {
    inline.state.inLink = false;
    return asReplyTokens(inline.inlineTokens(piece, []));
  }

  return {
    /** Parses only blocks. `\n` must be the only line ending. Never throws: invalid text becomes a paragraph. */
    readBlocks(source: string): ParsedBlocks {
      const lexer = new HearthLexer(options, mask);
      try {
        const tokens = asReplyTokens(lexer.blockTokens(source, []));
        return { tokens, texts: new Map(lexer.inlineQueue.map((run) => [run.tokens, run.src])) };
      } catch {
        // marked throws an error instead of looping forever. Show the text anyway.
        const paragraph: Tokens.Paragraph = { type: 'paragraph', raw: source, text: source, tokens: [] };
        return { tokens: [paragraph], texts: new Map([[paragraph.tokens, source]]) };
      }
    },

    /** Parses the text of a paragraph, heading or cell. `links` maps normalised labels to `linkCount` definitions. */
    readInline(text: string, links: Links, linkCount: number): ReplyToken[] {
      inline.tokens.links = links;
      if (linkCount !== lastLinks) lastPieces.clear();
      lastLinks = linkCount;
      const pieces = splitInlineText(text).map((piece) => ({
        piece,
        tokens: lastPieces.get(piece) ?? readPiece(piece),
      }));
      if (pieces.length > 1) lastPieces = new Map(pieces.map(({ piece, tokens }) => [piece, tokens]));
      return pieces.flatMap(({ tokens }) => tokens);
    },
  };
}

/** Narrows the type: marked returns only its own tokens and those of `lexerExtensions`. */
export function asReplyTokens(tokens: Token[]): ReplyToken[] {
  return tokens as ReplyToken[];
}

const lexerExtensions = {
  renderers: {},
  childTokens: {},
  block: [
    function readMath(this: { lexer: Lexer }, source: string): Token | undefined {
      const block = readMathBlock(source);
      if (block?.type !== 'open') return block;
      const text = block.raw.replace(/\n$/, '');
      return { type: 'paragraph', raw: block.raw, text, tokens: this.lexer.inline(text) };
    },
  ],
  startBlock: [findNextMathBlock],
  inline: [readInlineFormula, readFootnote],
};

/** Hides formulas from marked's emphasis rules, so a `*` or `_` in a formula is not read as emphasis. Also hides punctuation beside Chinese. */
class EmphasisMask {
  maskedText = '';
  readonly hooks = Object.assign(new Hooks(), {
    emStrongMask: (masked: string) => hideWidePunctuation(maskMath(this.maskedText, masked)),
  });
}

const widePattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const widePunctuationPattern =
  /[，。、；：！？（）《》〈〉「」『』【】“”‘’…]|[^\s\p{L}\p{N}*_~](?=[*~]+[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/gu;

/**
 * CommonMark ends emphasis after punctuation only before a space. Chinese, Japanese and Korean have none there: `**注意：**请`. Letters in place of the
 * punctuation make the mark an end. Keeps the length.
 */
function hideWidePunctuation(text: string): string {
  return text.replace(widePunctuationPattern, (sign) => 'x'.repeat(sign.length));
}

/** Returns the normalised text of each innermost pair of brackets. Each one may be the label of a link definition. */
export function findLinkLabels(text: string): string[] {
  return Array.from(text.matchAll(/\[((?:\\[^]|[^[\]\\])+)\]/g), ([, label = '']) =>
    label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase().toLowerCase(),
  );
}

function splitInlineText(text: string): string[] {
  const cut: string[] = [];
  let at = 0;
  while (at < text.length) {
    const piece = takeMarks(text.slice(at, at + maxInlineLength));
    if (at + piece.length === text.length) break;
    const space = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n'));
    const isSplitPair = /[\uD800-\uDBFF]$/.test(piece);
    const length = space > piece.length / 2 ? space + 1 : piece.length - (isSplitPair ? 1 : 0);
    cut.push(piece.slice(0, length));
    at += length;
  }
  cut.push(text.slice(at));
  return cut;
}

/** Cuts a text before its first mark of emphasis beyond `maxEmphasisMarks`. */
function takeMarks(text: string): string {
  let count = 0;
  for (const { index } of text.matchAll(/[*_~]+/g))
    if (++count > maxEmphasisMarks) return text.slice(0, index);
  return text;
}

class HearthLexer extends Lexer {
  readonly #mask: EmphasisMask;
  #depth = 0;

  constructor(options: MarkedOptions, mask: EmphasisMask) {
    super(options);
    this.#mask = mask;
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (this.#depth === maxNestingDepth) {
      tokens.push({ type: 'text', raw: source, text: source, escaped: false });
      return tokens;
    }
    this.#depth++;
    const before = this.#mask.maskedText;
    this.#mask.maskedText = source;
    // Masking reads the text again, so mask only if needed.
    const isMasked = /[*_~]/.test(source) && (/[$\\]/.test(source) || widePattern.test(source));
    this.options.hooks = isMasked ? this.#mask.hooks : null;
    try {
      return super.inlineTokens(source, tokens);
    } finally {
      this.#depth--;
      this.#mask.maskedText = before;
    }
  }
}

class HearthTokenizer extends Tokenizer {
  #depth = 0;

  override blockquote(source: string): Tokens.Blockquote | undefined {
    if (!/^ {0,3}>/.test(source)) return undefined;
    if (this.#depth === maxNestingDepth) return this.#plainQuote(source);
    return this.#deeper(() => super.blockquote(cutQuote(source)));
  }

  override list(source: string): Tokens.List | undefined {
    if (this.#depth === maxNestingDepth) return undefined;
    return this.#deeper(() => super.list(source));
  }

  /**
   * Reads a link definition of at most three lines, with its title on one line. marked allows longer titles, so a late
   * closing quote could turn finished blocks into a title.
   */
  override def(source: string): Tokens.Def | undefined {
    if (!/^ {0,3}\[(?!\^)(?:\\.|[^[\]\\\n])+\]:/.test(source)) return undefined;
    for (let lines = 3; lines > 0; lines--) {
      const token = super.def(takeFirstLines(source, lines));
      // The title may be undefined, despite its type.
      const title: string | undefined = token?.title;
      if (token && !title?.includes('\n')) return token;
    }
    return undefined;
  }

  override table(source: string): Tokens.Table | undefined {
    const columns = this.rules.block.table.exec(source)?.[2]?.match(/-+/g)?.length ?? 0;
    if (columns > maxColumns) return undefined;
    return super.table(columns > maxColumnsWithShortRows ? cutTable(source, columns / 4) : source);
  }

  override lheading(source: string): Tokens.Heading | undefined {
    const token = super.lheading(source);
    return token && findNextMathBlock(token.raw) === undefined ? token : undefined;
  }

  /** Ends a text token where a formula may begin. marked then tries to read the formula. */
  override inlineText(source: string): Tokens.Text | undefined {
    const token = super.inlineText(source);
    let at = token ? token.raw.indexOf('$', 1) : -1;
    while (token && at !== -1 && !mayPrecedeFormula(token.raw[at - 1])) at = token.raw.indexOf('$', at + 1);
    if (!token || at === -1) return token;
    const raw = token.raw.slice(0, at);
    return { ...token, raw, text: raw };
  }

  override emStrong(source: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return super.emStrong(source, masked, this.#asEdge(source, before));
  }

  override del(source: string, masked: string, before?: string): Tokens.Del | undefined {
    return super.del(source, masked, this.#asEdge(source, before));
  }

  /** A mark after a Chinese character may begin emphasis, as if nothing stood before it. `_` may not, as within any word. */
  #asEdge(source: string, before = ''): string {
    return widePattern.test(before) && !source.startsWith('_') ? '' : before;
  }

  /** Ends a bare address before the punctuation of Chinese and Japanese, which follows without a space. */
  override url(source: string): Tokens.Link | undefined {
    const token = super.url(source);
    const end = token?.raw.search(/[，。、；：！？（）《》〈〉「」『』【】“”‘’…]/) ?? -1;
    return end === -1 ? token : super.url(source.slice(0, end));
  }

  /** We show tags as text, so `<a>` or `<pre>` must not change the parser state. */
  override tag(source: string): Tokens.Tag | undefined {
    const { inLink, inRawBlock } = this.lexer.state;
    const token = super.tag(source);
    Object.assign(this.lexer.state, { inLink, inRawBlock });
    return token;
  }

  #deeper<Result>(read: () => Result): Result {
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }

  #plainQuote(source: string): Tokens.Blockquote | undefined {
    const raw = this.rules.block.blockquote.exec(source)?.[0].replace(/\n$/, '');
    if (raw === undefined) return undefined;
    const paragraph = { type: 'paragraph', raw, text: raw, tokens: this.lexer.inline(raw) };
    return { type: 'blockquote', raw, text: raw, tokens: [paragraph] };
  }
}

/** Cuts a table before the first row with too few `|`. Keeps the last line, which may be incomplete. */
function cutTable(source: string, edges: number): string {
  let start = takeFirstLines(source, 2).length;
  for (let end = source.indexOf('\n', start); end !== -1; end = source.indexOf('\n', start)) {
    if (source.slice(start, end).split('|').length - 1 < edges) return source.slice(0, start);
    start = end + 1;
  }
  return source;
}

function takeFirstLines(source: string, count: number): string {
  let end = 0;
  for (let line = 0; line < count; line++) {
    end = source.indexOf('\n', end) + 1;
    if (end === 0) return source;
  }
  return source.slice(0, end);
}

/** Cuts a block quote to at most `maxQuoteLength`, before a line with `>`. Without such a line, does not cut. */
function cutQuote(source: string): string {
  if (source.length <= maxQuoteLength) return source;
  const cut = Array.from(source.slice(0, maxQuoteLength).matchAll(/\n(?= {0,3}>)/g)).at(-1);
  return cut ? source.slice(0, cut.index + 1) : source;
}

/** A fenced block of code that is still open: its lines are added as they come, and nothing is read twice. */
import { linesPerNode } from './build-blocks';

/** Where a fence opens, from the start of its line; nothing until that line is whole. */
const opener = /^( {0,3})(`{3,}(?=[^`\n]*\n)|~{3,})[^\n]*\n/;

export class OpenFence {
  readonly #code: HTMLElement;
  readonly #closer: RegExp;
  readonly #indent: number;
  #line = '';
  #node: Text | undefined;
  #lines = 0;
  #isLineBegun = false;
  /** What is on screen of the line that is not whole yet. */
  #shown = '';

  /** `source` begins with the fence; `block` was drawn for it. Nothing if that is no fence, or not a whole line. */
  static open(block: HTMLElement, source: string): { fence: OpenFence; content: string } | undefined {
    const code = block.querySelector('code');
    const [opening, indent, mark] = opener.exec(source) ?? [];
    if (!code || opening === undefined || indent === undefined || mark === undefined) return undefined;
    return { fence: new OpenFence(code, indent, mark), content: source.slice(opening.length) };
  }

  private constructor(code: HTMLElement, indent: string, mark: string) {
    this.#code = code;
    this.#closer = new RegExp(`^ {0,3}${mark}${mark.slice(0, 1)}* *$`);
    // As marked does: a fence of tildes keeps the indent of its lines.
    this.#indent = mark.startsWith('`') ? indent.length : 0;
    code.replaceChildren();
  }

  /** Returns what came after the line that closed the fence, once there is one. */
  push(text: string): string | undefined {
    const lines = (this.#line + text).split('\n');
    this.#line = lines.pop() ?? '';
    for (const [index, line] of lines.entries()) {
      if (this.#closer.test(line)) return [...lines.slice(index + 1), this.#line].join('\n');
      this.#write(line, true);
    }
    // What may become the closing fence is not shown as code.
    const shown = /^ {0,3}(?:`*|~*) *$/.test(this.#line) ? '' : this.#line;
    if (shown !== '') this.#write(shown, false);
    return undefined;
  }

  end(): void {
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
    if (this.#lines % linesPerNode === 0) this.#node = undefined;
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

/**
 * What stands over a block of code or a table: what it is, how long, and buttons. Put in once a block is whole: the renderer knows
 * nothing of it, and the room for it is kept from the beginning.
 */
import type { NoteWords } from './footnotes';
import type { PictureWords } from './picture-places';
import { writeCsv } from './table-csv';

export interface BlockWords extends NoteWords, PictureWords {
  copy: string;
  copied: string;
  failed: string;
  /** Lets long lines go on below. */
  wrap: string;
  lines: (count: number) => string;
  rows: (count: number) => string;
  csv: string;
  copyCsv: string;
  /** Names of what scrolls, for those who come there by keyboard. */
  code: string;
  formula: string;
  table: string;
}

const copiedMs = 2000;

/** Over a `pre` or a `.table`, which is reached by keyboard from now on. */
export function addBlockHead(block: Element, words: BlockWords): void {
  const isCode = block.matches('pre');
  block.setAttribute('tabindex', '0');
  block.setAttribute('role', 'figure');
  block.setAttribute('aria-label', isCode ? nameOf(block, words) : words.table);
  block.before(isCode ? buildCodeHead(block, words) : buildTableHead(block, words));
}

/** Before they are said in another language. */
export function removeBlockHeads(target: Element): void {
  for (const added of target.querySelectorAll('.block-head')) added.remove();
}

/** As the model wrote it; '' where it did not. */
export function languageOf(block: Element): string {
  const [, language = ''] = /(?:^|\s)language-(\S+)/.exec(block.querySelector('code')?.className ?? '') ?? [];
  return language;
}

function nameOf(block: Element, words: BlockWords): string {
  const language = languageOf(block);
  return language === '' ? words.code : `${words.code}: ${language}`;
}

function buildCodeHead(block: Element, words: BlockWords): HTMLElement {
  const text = block.textContent;
  const wrap = buildButton(words.wrap);
  wrap.setAttribute('aria-pressed', String(block.matches('.wrapped')));
  wrap.addEventListener('click', () => {
    wrap.setAttribute('aria-pressed', String(block.classList.toggle('wrapped')));
  });
  const head = buildHead(languageOf(block), words.lines(text === '' ? 0 : text.split('\n').length));
  head.append(wrap, ...buildCopy(words.copy, () => text, words));
  return head;
}

function buildTableHead(block: Element, words: BlockWords): HTMLElement {
  const head = buildHead('', words.rows(block.querySelectorAll('tbody tr').length));
  const [button, told] = buildCopy(words.csv, () => writeCsv(block), words);
  button.title = words.copyCsv;
  head.append(button, told);
  return head;
}

function buildHead(language: string, length: string): HTMLElement {
  const head = document.createElement('div');
  head.className = 'block-head';
  for (const [name, text] of [
    ['language', language],
    ['length', length],
  ] as const) {
    const part = document.createElement('span');
    part.className = name;
    part.textContent = text;
    if (text !== '') head.append(part);
  }
  return head;
}

function buildButton(text: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  return button;
}

function buildCopy(label: string, read: () => string, words: BlockWords): [HTMLButtonElement, HTMLElement] {
  const button = buildButton(label);
  const told = document.createElement('span');
  told.className = 'visually-hidden';
  told.setAttribute('role', 'status');
  const tell = (text: string) => {
    button.textContent = text;
    told.textContent = text;
    setTimeout(() => {
      button.textContent = label;
      told.textContent = '';
    }, copiedMs);
  };
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(read()).then(
      () => tell(words.copied),
      () => tell(words.failed),
    );
  });
  return [button, told];
}

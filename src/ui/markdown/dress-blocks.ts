/** Decorates complete blocks: adds headers, buttons, code colours, hosts of links, and formulas. */
import type { IsFoundLink } from '../../state/found-links';
import type { RestWords } from '../i18n/words';
import { createElement } from './create-element';
import { linkFootnotes } from './footnotes';
import type { buildMath } from './math/build-math';
import { addLinkHosts, labelOf, readLink, removeLinkHosts } from './safe-link';

export type BlockWords = RestWords['reading']['blocks'] & { copied: string };

export interface DecoratorOptions {
  /** Without these texts, blocks get no headers and pictures get no buttons. */
  words?: BlockWords | undefined;
  isFound?: IsFoundLink | undefined;
  isWhole?: boolean;
}

export function createBlockDecorator(target: Element) {
  let options: DecoratorOptions = {};
  let last: Element | undefined;
  let coloring: Promise<void> = Promise.resolve();
  let coloredCount = 0;
  const math = createFormulaRenderer(() => options.words?.formula ?? '');

  function decorateBlock(root: Element): void {
    const found = root.matches('pre, .table') ? [root] : root.querySelectorAll('pre, .table');
    for (const block of found) {
      if (options.words) addBlockHead(block, options.words);
      if (block.matches('pre')) color(block);
    }
    decorateText(root);
  }

  function decorateText(root: Element): void {
    const { isFound, words } = options;
    if (isFound) addLinkHosts(root, isFound);
    if (words) addPictureButtons(root, words);
    math.add(root);
  }

  function color(block: Element): void {
    const code = block.querySelector('code');
    const language = codeLanguageOf(block);
    if (!code || language === '' || code.dataset['colored'] !== undefined) return;
    if (++coloredCount > maxColoredBlocks) return;
    code.dataset['colored'] = '';
    // One block after another, because thousands of idle callbacks would run in one task.
    coloring = coloring
      .then(() => import('./code/highlight-code'))
      .then(({ highlightCode }) => highlightCode(code, language, () => !target.contains(code)))
      .catch(() => undefined);
  }

  return {
    /**
     * Decorates newly settled (final) blocks, or all if `words` or `isFound` changed. Call this after each update. Returns true if
     * there are too many blocks for one task. Call it again then.
     */
    decorate(next: DecoratorOptions): boolean {
      const hasOtherWords = next.words !== options.words;
      const hasOtherSources = next.isFound !== options.isFound;
      if (hasOtherWords) removeHeadsAndButtons(target);
      if (hasOtherSources) removeLinkHosts(target);
      options = next;
      // If the renderer has drawn everything again, `last` has left the page. Start at the first block then.
      if (hasOtherWords || hasOtherSources || !last || !target.contains(last)) last = undefined;
      const nextBlock = () => findNextBlock(target, last);
      let weight = 0;
      for (let block = nextBlock(); block?.matches('.settled, .block-head'); block = nextBlock()) {
        if (weight > maxTaskWeight) return true;
        weight += weightOf(block);
        last = block;
        decorateBlock(block);
      }
      // Draw formulas in unfinished blocks too.
      for (let block = nextBlock(); block; block = findNextBlock(target, block)) math.add(block);
      math.work();
      if (next.isWhole && next.words) linkFootnotes(target, next.words);
      return false;
    },

    redecorate(element: Element): void {
      if (!element.closest('.settled') || !last) return;
      decorateText(element);
      math.work();
    },

    end: math.end,
  };
}

/** Returns the first block of `target`, or the one after `block`. The later blocks of a long text are in groups. */
function findNextBlock(target: Element, block: Element | undefined): Element | null {
  const next = block ? (block.nextElementSibling ?? nextOfGroup(target, block)) : target.firstElementChild;
  return next?.matches('.blocks') ? next.firstElementChild : next;
}

function nextOfGroup(target: Element, { parentElement: group }: Element): Element | null {
  return group === target ? null : (group?.nextElementSibling ?? null);
}

/** Per reply. Each coloured block costs the browser time at every frame. */
const maxColoredBlocks = 200;

/** In nodes. A task decorates blocks until it has seen this many. */
const maxTaskWeight = 500;

const weightOf = (block: Element) => 1 + block.querySelectorAll('*').length;

const copiedNoticeMs = 2000;

function addBlockHead(block: Element, words: BlockWords): void {
  const isCode = block.matches('pre');
  const language = codeLanguageOf(block);
  const codeLabel = language === '' ? words.code : `${words.code}: ${language}`;
  block.setAttribute('tabindex', '0');
  block.setAttribute('role', 'figure');
  block.setAttribute('aria-label', isCode ? codeLabel : words.table);
  block.before(isCode ? buildCodeHead(block, words) : buildTableHead(block, words));
}

function removeHeadsAndButtons(target: Element): void {
  for (const added of target.querySelectorAll('.block-head, .picture')) added.remove();
  for (const image of target.querySelectorAll<HTMLElement>('.image[data-place]'))
    delete image.dataset['place'];
}

function codeLanguageOf(block: Element): string {
  const [, language = ''] = /(?:^|\s)language-(\S+)/.exec(block.querySelector('code')?.className ?? '') ?? [];
  return language;
}

function buildCodeHead(block: Element, words: BlockWords): HTMLElement {
  const text = block.textContent;
  const wrap = buildButton(words.wrap);
  wrap.setAttribute('aria-pressed', String(block.matches('.wrapped')));
  wrap.addEventListener('click', () => {
    wrap.setAttribute('aria-pressed', String(block.classList.toggle('wrapped')));
  });
  const lines = words.lines(text === '' ? 0 : text.split('\n').length);
  const copy = buildCopyButton(words.copy, () => text, words);
  const head = buildHead(codeLanguageOf(block), lines, wrap, ...copy);
  head.classList.add('code-head');
  return head;
}

function buildTableHead(block: Element, words: BlockWords): HTMLElement {
  const [button, status] = buildCopyButton(words.csv, () => writeCsv(block), words);
  button.title = words.copyCsv;
  return buildHead('', words.rows(block.querySelectorAll('tbody tr').length), button, status);
}

function buildHead(language: string, length: string, ...controls: HTMLElement[]): HTMLElement {
  const head = createElement('div', { className: 'block-head' });
  if (language !== '') head.append(createElement('span', { className: 'language', textContent: language }));
  head.append(createElement('span', { className: 'length', textContent: length }), ...controls);
  return head;
}

function buildButton(text: string): HTMLButtonElement {
  return createElement('button', { type: 'button', textContent: text });
}

function buildCopyButton(label: string, read: () => string, words: BlockWords) {
  const button = buildButton(label);
  const status = createElement('span', { className: 'visually-hidden', role: 'status' });
  const show = (text: string) => {
    button.textContent = text;
    status.textContent = text;
    setTimeout(() => {
      button.textContent = label;
      status.textContent = '';
    }, copiedNoticeMs);
  };
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(read()).then(
      () => show(words.copied),
      () => show(words.failed),
    );
  });
  return [button, status] as const;
}

/** Adds missing buttons after the pictures in `root`. A click loads the picture (see `chat/pictures.ts`). */
function addPictureButtons(root: Element, words: BlockWords): void {
  for (const image of root.querySelectorAll<HTMLElement>('.image[data-picture]')) {
    // A link must not contain a button, so the button follows the link.
    const before = image.parentElement?.closest('a') ?? image;
    const address = image.dataset['picture'] ?? '';
    if ('place' in image.dataset) continue;
    image.dataset['place'] = '';
    const place = createElement('span', { className: 'picture' });
    Object.assign(place.dataset, { added: '', address, description: labelOf(image).trim() });
    const host = readLink(address)?.host;
    place.append(buildButton(host === undefined ? words.ownPicture : words.picture(host)));
    findLastPictureButton(before).after(place);
  }
}

function findLastPictureButton(element: Element): Element {
  const next = element.nextElementSibling;
  return next?.matches('.picture') ? findLastPictureButton(next) : element;
}

/** Matches cells that a spreadsheet would run as a formula. We put an apostrophe before them. */
const spreadsheetFormulaPattern = /^[=@\t]|^[+-](?![\d.,\s]*%?$)/;

/** Converts a rendered table to CSV (RFC 4180), with CRLF line endings. */
function writeCsv(table: Element): string {
  const rows = Array.from(table.querySelectorAll('tr'), (row) => Array.from(row.children, cellTextOf));
  return rows.map((cells) => cells.map(writeCsvCell).join(',')).join('\r\n');
}

function cellTextOf(cell: Element): string {
  const copy = cell.cloneNode(true) as Element;
  for (const math of copy.querySelectorAll('[data-math]')) {
    math.textContent = math.getAttribute('data-math');
  }
  for (const added of copy.querySelectorAll('[data-added]')) added.remove();
  return copy.textContent.trim();
}

function writeCsvCell(text: string): string {
  const safe = spreadsheetFormulaPattern.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** In milliseconds. After this time, drawing formulas yields to the page. */
const maxMathSliceMs = 4;

/** Draws the formulas of a reply in slices. Loads the TeX converter for the first formula. */
function createFormulaRenderer(label: () => string) {
  const tried = new WeakMap<Element, string>();
  const waiting = new Set<HTMLElement>();
  let build: typeof buildMath | undefined;
  let isLoading = false;
  let isDue = false;
  const widths = new ResizeObserver((changes) => {
    for (const { target } of changes) setFocusableIfWide(target as HTMLElement, label());
  });

  async function load(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    try {
      ({ buildMath: build } = await import('./math/build-math'));
      work();
    } catch {
      // If the converter fails to load, for example after an update, the TeX source stays.
      waiting.clear();
    }
  }

  function drawOne(element: HTMLElement, buildOne: typeof buildMath): void {
    const tex = element.dataset['math'] ?? '';
    tried.set(element, tex);
    const isDisplay = element.classList.contains('display');
    const math = buildOne(tex, isDisplay);
    if (!math) return;
    element.replaceChildren(math);
    if (isDisplay) widths.observe(element);
  }

  function work(): void {
    if (waiting.size === 0) return;
    if (!build) return void load();
    const start = performance.now();
    for (const element of waiting) {
      if (performance.now() - start > maxMathSliceMs) break;
      waiting.delete(element);
      if (element.isConnected) drawOne(element, build);
    }
    if (waiting.size === 0 || isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      work();
    });
  }

  return {
    work,
    /** Queues the formulas in `root`, which may be a formula itself. */
    add(root: Element): void {
      const isFormula = root instanceof HTMLElement && 'math' in root.dataset;
      for (const element of isFormula ? [root] : root.querySelectorAll<HTMLElement>('[data-math]')) {
        if (tried.get(element) !== element.dataset['math']) waiting.add(element);
      }
    },
    end: (): void => {
      waiting.clear();
      widths.disconnect();
    },
  };
}

/** Makes a formula that is too wide focusable, so the keyboard can scroll it. */
function setFocusableIfWide(element: HTMLElement, label: string): void {
  if (element.scrollWidth > element.clientWidth) {
    element.tabIndex = 0;
    element.setAttribute('role', 'group');
    element.setAttribute('aria-label', label);
  } else for (const name of ['tabindex', 'role', 'aria-label']) element.removeAttribute(name);
}

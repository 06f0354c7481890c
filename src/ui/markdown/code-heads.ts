/**
 * What stands over a block of code: its language, and a button that copies it. Put in once a block is whole: the renderer knows nothing
 * of it, and the room for it is kept from the beginning.
 */

export interface CodeHeadWords {
  copy: string;
  copied: string;
  failed: string;
  /** Names of what scrolls sideways, for those who come there by keyboard. */
  code: string;
  table: string;
}

const head = 'code-head';
const copiedMs = 2000;

/** Of blocks inside `roots`; those that have one are left as they are. */
export function addCodeHeads(roots: Iterable<Element>, words: CodeHeadWords): void {
  for (const root of roots) {
    const found = root.matches('pre, .table') ? [root] : root.querySelectorAll('pre, .table');
    for (const block of found) {
      if (block.hasAttribute('tabindex')) continue;
      // What scrolls is reached by keyboard.
      block.setAttribute('tabindex', '0');
      block.setAttribute('role', 'figure');
      block.setAttribute('aria-label', block.matches('pre') ? nameOf(block, words) : words.table);
      if (block.matches('pre')) block.before(buildHead(block, words));
    }
  }
}

/** Before the renderer goes on with a text that was whole. */
export function removeCodeHeads(target: Element): void {
  for (const added of target.querySelectorAll(`.${head}`)) added.remove();
  for (const block of target.querySelectorAll('pre[tabindex], .table[tabindex]'))
    block.removeAttribute('tabindex');
}

function languageOf(block: Element): string {
  const [, language = ''] = /(?:^|\s)language-(\S+)/.exec(block.querySelector('code')?.className ?? '') ?? [];
  return language;
}

function nameOf(block: Element, words: CodeHeadWords): string {
  const language = languageOf(block);
  return language === '' ? words.code : `${words.code}: ${language}`;
}

function buildHead(block: Element, words: CodeHeadWords): HTMLElement {
  const bar = document.createElement('div');
  bar.className = head;
  const language = document.createElement('span');
  language.textContent = languageOf(block);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = words.copy;
  const told = document.createElement('span');
  told.className = 'visually-hidden';
  told.setAttribute('role', 'status');
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(block.textContent).then(
      () => tell(words.copied),
      () => tell(words.failed),
    );
  });
  const tell = (text: string) => {
    button.textContent = text;
    told.textContent = text;
    setTimeout(() => {
      button.textContent = words.copy;
      told.textContent = '';
    }, copiedMs);
  };
  bar.append(language, button, told);
  return bar;
}

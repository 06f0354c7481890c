/**
 * What the page adds to the blocks of a reply that no longer change: heads, colours, hosts behind links, what shows pictures. Each block is gone through
 * once, however long the reply grows.
 */
import { addBlockHead, type BlockWords, languageOf, removeBlockHeads } from './block-heads';
import { linkNotes } from './footnotes';
import { addLinkHosts, removeLinkHosts } from './link-hosts';
import { MathDrawer } from './math/draw-math';
import { addPicturePlaces, removePicturePlaces } from './picture-places';

export interface Dressing {
  /** Without them there are no heads. */
  words?: BlockWords | undefined;
  /** Whether the model did not put an address together; without it no host is shown for that. */
  isFound?: ((href: string) => boolean) | undefined;
  /** No more text comes. */
  isWhole?: boolean;
}

export class BlockDresser {
  readonly #target: Element;
  #dressing: Dressing = {};
  /** The last block that was gone through. */
  #last: Element | undefined;
  readonly #math = new MathDrawer(() => this.#dressing.words?.formula ?? '');

  constructor(target: Element) {
    this.#target = target;
  }

  /** After every change of the text. Other words, or another judgement of links, are for all that is there. */
  dress(dressing: Dressing): void {
    if (dressing.words !== this.#dressing.words) {
      removeBlockHeads(this.#target);
      removePicturePlaces(this.#target);
    }
    if (dressing.isFound !== this.#dressing.isFound) removeLinkHosts(this.#target);
    const isOther = dressing.words !== this.#dressing.words || dressing.isFound !== this.#dressing.isFound;
    this.#dressing = dressing;
    // What was drawn anew has taken the place of all that was gone through.
    if (isOther || this.#last?.parentNode !== this.#target) this.#last = undefined;
    const next = () => (this.#last ? this.#last.nextElementSibling : this.#target.firstElementChild);
    for (let block = next(); block?.matches('.settled, .block-head'); block = next()) {
      this.#last = block;
      this.#dressBlock(block);
    }
    // A formula is drawn as soon as it is written, in a block that still grows too.
    for (let block = next(); block; block = block.nextElementSibling) this.#drawMath(block);
    this.#math.work();
    if (dressing.isWhole && dressing.words) linkNotes(this.#target, dressing.words);
  }

  end(): void {
    this.#math.end();
  }

  #drawMath(root: Element): void {
    if (root instanceof HTMLElement && root.dataset['math'] !== undefined) this.#math.add(root);
    else this.#math.draw(root);
  }

  /** A part of a block that has been gone through, and has new content. */
  dressAgain(element: Element): void {
    if (!element.closest('.settled') || !this.#last) return;
    this.#dressText(element);
    this.#math.work();
  }

  #dressBlock(root: Element): void {
    const { words } = this.#dressing;
    const found = root.matches('pre, .table') ? [root] : root.querySelectorAll('pre, .table');
    for (const block of found) {
      if (words) addBlockHead(block, words);
      if (block.matches('pre')) this.#color(block);
    }
    this.#dressText(root);
  }

  #dressText(root: Element): void {
    const { isFound, words } = this.#dressing;
    if (isFound) addLinkHosts([root], isFound);
    if (words) addPicturePlaces(root, words);
    this.#drawMath(root);
  }

  #color(block: Element): void {
    const code = block.querySelector('code');
    const language = languageOf(block);
    if (!code || language === '' || code.dataset['colored'] !== undefined) return;
    code.dataset['colored'] = '';
    void import('./code/highlight-code')
      .then(({ highlightCode }) => highlightCode(code, language, () => !this.#target.contains(code)))
      // Not there, as when the app was replaced meanwhile: it is read without colours.
      .catch(() => undefined);
  }
}

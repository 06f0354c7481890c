/** Draws the formulas of a reply, some milliseconds at a time, with what makes them fetched for the first one. */

import type { buildMath } from './build-math';

/** Milliseconds in which as many are drawn as can be, at once or in idle time. */
const atOnce = 4;

export class MathDrawer {
  readonly #label: () => string;
  /** What each was drawn from, or tried: not again. */
  readonly #tried = new WeakMap<Element, string>();
  #waiting = new Set<HTMLElement>();
  #build: typeof buildMath | undefined;
  #isLoading = false;
  #isDue = false;
  /** What is wider than its place is reached by keyboard, to be scrolled. */
  readonly #widths = new ResizeObserver((changes) => {
    for (const { target } of changes) this.#reach(target as HTMLElement);
  });

  /** `label`: what a formula is called that scrolls. */
  constructor(label: () => string) {
    this.#label = label;
  }

  /** Those inside `root` that are not drawn yet. */
  draw(root: ParentNode): void {
    for (const element of root.querySelectorAll<HTMLElement>('[data-math]')) this.add(element);
  }

  add(element: HTMLElement): void {
    if (this.#tried.get(element) === element.dataset['math']) return;
    this.#waiting.add(element);
  }

  /** As many of those that wait as there is time for; the others follow. */
  work(): void {
    if (this.#waiting.size === 0) return;
    if (!this.#build) {
      void this.#load();
      return;
    }
    const start = performance.now();
    for (const element of this.#waiting) {
      if (performance.now() - start > atOnce) break;
      this.#waiting.delete(element);
      if (element.isConnected) this.#drawOne(element, this.#build);
    }
    if (this.#waiting.size === 0 || this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      this.work();
    });
  }

  end(): void {
    this.#waiting.clear();
    this.#widths.disconnect();
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      ({ buildMath: this.#build } = await import('./build-math'));
      this.work();
    } catch {
      // Not there, as when the app was replaced meanwhile: what was written is read.
      this.#waiting.clear();
    }
  }

  #drawOne(element: HTMLElement, build: typeof buildMath): void {
    const tex = element.dataset['math'] ?? '';
    this.#tried.set(element, tex);
    const isDisplay = element.classList.contains('display');
    const math = build(tex, isDisplay);
    if (!math) return;
    element.replaceChildren(math);
    if (isDisplay) this.#widths.observe(element);
  }

  #reach(element: HTMLElement): void {
    if (element.scrollWidth > element.clientWidth) {
      element.tabIndex = 0;
      element.setAttribute('role', 'group');
      element.setAttribute('aria-label', this.#label());
    } else for (const name of ['tabindex', 'role', 'aria-label']) element.removeAttribute(name);
  }
}

/** Finds parts of a page that are cut, unreachable or too small to hit, by measuring them. */
import type { Page } from 'playwright';

/** Minimum size in pixels in each direction, from WCAG 2.2, target size. */
const minTargetSize = 24;

/** Returns a line per fault, with its element. */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(measure, minTargetSize);

/** Runs in the page, so it must contain everything it uses. */
function measure(least: number): string[] {
  const faults = new Set<string>();
  /** Smaller differences come from rounding and the edges of letters. */
  const slack = 2;
  const overlay = document.querySelector('dialog[open], :popover-open');

  const name = (element: Element) => {
    const text = (element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 40);
    const look = typeof element.className === 'string' ? element.className.replace(/\s*svelte-\w+/g, '') : '';
    return `<${element.tagName.toLowerCase()}${look && ` ${look}`}> “${text}”`;
  };
  const isShown = (element: Element) =>
    element.checkVisibility({
      visibilityProperty: true,
      opacityProperty: true,
      contentVisibilityAuto: true,
    }) && !element.closest('.visually-hidden, [aria-hidden=true], [inert], option, noscript');
  /** While an overlay is open, only its elements are checked, because the rest is behind it. */
  const isInReach = (element: Element) => !overlay || overlay.contains(element);
  /** The full text is available elsewhere: in a title of the element or its ancestors, or in its name. */
  const isSaid = (element: Element) =>
    element.closest('[title], select, input, textarea, [contenteditable]') !== null;

  /** Returns what cuts the element at which edge, unless it can scroll there. */
  function edgeOf(start: Element, rect: DOMRect): string | undefined {
    let isScrolledX = false;
    let isScrolledY = false;
    for (let at: Element | null = start; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      const { overflowX, overflowY, position, clipPath } = style;
      // Hidden only visually, or cut with an ellipsis that shows it.
      if (clipPath !== 'none' || style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none')
        return undefined;
      const box = at.getBoundingClientRect();
      const clips = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
      const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
      if (scrolls(overflowX)) isScrolledX = true;
      if (scrolls(overflowY)) isScrolledY = true;
      const isOut = rect.right > box.right + slack || rect.left < box.left - slack;
      if (!isScrolledX && clips(overflowX) && isOut) return 'cut at the side';
      const isBelow = rect.bottom > box.bottom + slack || rect.top < box.top - slack;
      if (!isScrolledY && clips(overflowY) && isBelow && rect.height < 200) return 'cut below';
      if (position === 'fixed') break;
    }
    if (!isScrolledX && (rect.right > innerWidth + slack || rect.left < -slack)) return 'out of the window';
    return undefined;
  }

  function scrollerOf(start: Element): Element | null {
    let at: Element | null = start;
    while (at && !/auto|scroll/.test(getComputedStyle(at).overflowY)) at = at.parentElement;
    return at;
  }

  if (document.documentElement.scrollWidth > innerWidth + 1) faults.add('the page scrolls sideways');

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || !node.textContent?.trim() || !isShown(element) || !isInReach(element)) continue;
    if (element.closest('svg, math, .math, style, script')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue;
      const edge = edgeOf(element, rect);
      if (edge !== undefined && !isSaid(element)) faults.add(`${edge}: ${name(element)}`);
    }
  }

  const controls =
    'button, a[href], input:not([type=file]), select, textarea, summary, [role=button], [role=option]';
  const boxes = Array.from(document.querySelectorAll(controls), (control) => control.getBoundingClientRect());
  /** No other control is where a finger that misses this one would land. */
  const isAlone = (x: number, y: number, own: DOMRect) =>
    boxes.every((box) => {
      const isSame = box.left === own.left && box.top === own.top;
      const dx = Math.max(box.left - x, 0, x - box.right);
      const dy = Math.max(box.top - y, 0, y - box.bottom);
      return isSame || box.width === 0 || Math.hypot(dx, dy) >= least / 2;
    });
  for (const control of document.querySelectorAll(controls)) {
    if (!isShown(control) || !isInReach(control)) continue;
    const rect = control.getBoundingClientRect();
    if (rect.width === 0 || rect.height === 0) continue;
    const edge = edgeOf(control, rect);
    if (edge !== undefined) faults.add(`a control, ${edge}: ${name(control)}`);
    // A link within text is as high as its line.
    const isInText =
      getComputedStyle(control).display === 'inline' &&
      control.parentElement?.matches('p, li, td, dd, span, label, div, sup');
    if (isInText || (rect.width >= least - 0.5 && rect.height >= least - 0.5)) continue;
    // A control may react on more than is drawn: its label, or an overlay.
    const label =
      control.closest('label') ??
      (control.id && document.querySelector(`label[for="${CSS.escape(control.id)}"]`));
    const reach = least / 2 - 1;
    const [x, y] = [rect.left + rect.width / 2, rect.top + rect.height / 2];
    const isHit = ([dx, dy]: readonly [number, number]) => {
      const at = document.elementFromPoint(x + dx, y + dy);
      return at !== null && (control.contains(at) || (label instanceof Element && label.contains(at)));
    };
    if (y < 0 || y > innerHeight || !isHit([0, 0]) || isAlone(x, y, rect)) continue;
    // A scrolling container may end within the control, because the user can scroll it into view.
    const scroller = scrollerOf(control)?.getBoundingClientRect();
    if (scroller && (y - reach < scroller.top || y + reach > scroller.bottom)) continue;
    const isLarge = (
      [
        [reach, 0],
        [-reach, 0],
        [0, reach],
        [0, -reach],
      ] as const
    ).every(isHit);
    if (!isLarge)
      faults.add(`too small to hit, ${rect.width.toFixed(0)} × ${rect.height.toFixed(0)}: ${name(control)}`);
  }
  return [...faults];
}

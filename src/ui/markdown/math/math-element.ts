/** The place of a formula: until it is drawn, and where it cannot be, what was written. */
import type { MathToken } from './math-source';

/** `element` is empty. */
export function fillMath(element: HTMLElement, { raw, text, isDisplay }: MathToken): HTMLElement {
  element.className = isDisplay ? 'math display' : 'math';
  element.dataset['math'] = text;
  element.textContent = raw.trim();
  return element;
}

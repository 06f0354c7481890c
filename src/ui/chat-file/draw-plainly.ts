/** Markdown as nodes that mean something elsewhere too: without the classes and attributes by which our own screens are drawn. */
import { createMarkdownRenderer } from '../markdown/stream-renderer';

/** What another program reads: where a link leads, how a list counts, which column a cell is aligned to, what is ticked. */
const kept = new Set(['href', 'start', 'align', 'colspan', 'type', 'checked', 'disabled']);

export function drawPlainly(text: string): HTMLElement {
  const target = document.createElement('div');
  const renderer = createMarkdownRenderer(target);
  renderer.update(text);
  renderer.end();
  for (const node of target.querySelectorAll('*')) {
    for (const name of node.getAttributeNames()) if (!kept.has(name)) node.removeAttribute(name);
  }
  return target;
}

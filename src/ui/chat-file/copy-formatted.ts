import { createMarkdownRenderer } from '../markdown/stream-renderer';

/** Copies Markdown as formatted HTML and as plain source. Rejects if the browser denies access to the clipboard. */
export async function copyFormatted(text: string): Promise<void> {
  const html = drawPlainly(text).innerHTML;
  const item = new ClipboardItem({
    'text/html': new Blob([html], { type: 'text/html' }),
    'text/plain': new Blob([text], { type: 'text/plain' }),
  });
  await navigator.clipboard.write([item]);
}

const portableAttributes = new Set(['href', 'start', 'align', 'colspan', 'type', 'checked', 'disabled']);

/** Draws Markdown without the classes and attributes of our own screens, for use in other programs. */
export function drawPlainly(text: string): HTMLElement {
  const target = document.createElement('div');
  const renderer = createMarkdownRenderer(target);
  renderer.update(text);
  renderer.end();
  for (const node of target.querySelectorAll('*')) {
    for (const name of node.getAttributeNames())
      if (!portableAttributes.has(name)) node.removeAttribute(name);
  }
  return target;
}

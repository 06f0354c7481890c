/** Puts Markdown on the clipboard as a formatted text, for programs that take one, and as it is written, for those that do not. */
import { drawPlainly } from './draw-plainly';

/** Rejects where the browser does not let the page write there. */
export async function copyFormatted(text: string): Promise<void> {
  const html = drawPlainly(text).innerHTML;
  const item = new ClipboardItem({
    'text/html': new Blob([html], { type: 'text/html' }),
    'text/plain': new Blob([text], { type: 'text/plain' }),
  });
  await navigator.clipboard.write([item]);
}

/** Extracts the text of a PDF, page by page. Ignores scripts, images and links. */
import { getDocument, PasswordException, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
// Makes pdf.js run in this worker instead of starting another.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { FileReadError, attachmentLimits } from '../../contracts/attachment';

const maxPages = 3000;

export async function readPdf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const loading = getDocument({
    // pdf.js takes over the buffer, so pass a copy.
    data: bytes.slice(),
    useWasm: false,
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const pdf = await loading.promise;
    const pages: string[] = [];
    let characters = 0;
    let hasText = false;
    for (let number = 1; number <= Math.min(pdf.numPages, maxPages); number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = items
        .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
        .join('')
        .trim();
      page.cleanup();
      hasText ||= text !== '';
      pages.push(`## Page ${number}\n\n${text}`);
      characters += text.length;
      if (characters > attachmentLimits.characters) break;
    }
    return hasText ? pages.join('\n\n') : '';
  } catch (error) {
    if (error instanceof PasswordException) throw new FileReadError('encrypted');
    throw error;
  } finally {
    await loading.destroy();
  }
}

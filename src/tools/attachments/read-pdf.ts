/** The text of a PDF, page by page. What it would run, draw or fetch is left alone: only its words are read. */
import { getDocument, PasswordException, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
// Read in this worker, which is one already: it finds the other half of the library by this.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { mostOfFiles } from '../../contracts/attachment';
import { FileTrouble } from './file-trouble';

const mostPages = 3000;

export async function readPdf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const loading = getDocument({
    // It is transferred, and gone then: the caller keeps its own.
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
    for (let number = 1; number <= Math.min(pdf.numPages, mostPages); number++) {
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
      if (characters > mostOfFiles.characters) break;
    }
    return hasText ? pages.join('\n\n') : '';
  } catch (error) {
    if (error instanceof PasswordException) throw new FileTrouble('encrypted');
    throw error;
  } finally {
    await loading.destroy();
  }
}

/** Creates files for tests of reading them: as programs write them, and as nobody should. */
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js/lib/zip-core-custom.js';

const encoder = new TextEncoder();

/** An uncompressed PDF with one page per text. `more`: additional objects, which the catalogue names in `entries`. */
export function makePdf(
  pages: readonly string[],
  { entries = '', more = [] as readonly string[] } = {},
): Uint8Array {
  const count = pages.length;
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${entries} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, at) => {
      const lines = text.split('\n').map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`);
      const stream = text === '' ? '0 0 100 100 re f' : `BT /F1 12 Tf 14 TL 50 750 Td ${lines.join(' ')} ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + at * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
    ...more,
  ];
  let file = '%PDF-1.7\n';
  const places = objects.map((object, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const start = file.length;
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`;
  return Uint8Array.from(file, (character) => character.charCodeAt(0));
}

/** A compressed zip of these files. */
export async function makeZip(files: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    await zip.add(name, new Uint8ArrayReader(bytes));
  }
  return zip.close();
}

/** The document XML of a DOCX with this body. */
export function documentXml(body: string, head = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${head}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
}

export const paragraph = (text: string, properties = '') =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

export function makeDocument(body: string, more: Readonly<Record<string, string>> = {}): Promise<Uint8Array> {
  return makeZip({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': documentXml(body),
    ...more,
  });
}

/** Extracts the text of a DOCX file (a zip of XML) as Markdown with headings, lists and tables. Omits deleted text. */
import { type FileEntry, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js/lib/zip-core-custom.js';
import { FileReadError } from '../../contracts/attachment';

const maxXmlBytes = 60_000_000;
const maxZipEntries = 20_000;

export async function readDocument(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const zip = new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false });
  try {
    const entries = await readZipEntries(zip);
    const main = entries.get('word/document.xml');
    if (!main) {
      const isOffice = [...entries.keys()].some((name) => /^(?:xl\/|ppt\/|content\.xml$)/.test(name));
      throw new FileReadError(isOffice ? 'office' : 'archive');
    }
    const texts = [convertToMarkdown(await readXml(main))];
    for (const name of ['word/footnotes.xml', 'word/endnotes.xml']) {
      const entry = entries.get(name);
      const notes = entry ? convertToMarkdown(await readXml(entry)).trim() : '';
      if (notes !== '') texts.push(notes);
    }
    return texts.join('\n\n');
  } finally {
    await zip.close().catch(() => undefined);
  }
}

async function readZipEntries(zip: ZipReader<unknown>): Promise<Map<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  let count = 0;
  for await (const entry of zip.getEntriesGenerator()) {
    if (++count > maxZipEntries) throw new FileReadError('bomb');
    if (!entry.directory && !entries.has(entry.filename)) entries.set(entry.filename, entry);
  }
  return entries;
}

/** Counts the unpacked bytes: the size in the zip header may be false. */
async function readXml(entry: FileEntry): Promise<string> {
  if (entry.encrypted) throw new FileReadError('encrypted');
  if (entry.uncompressedSize > maxXmlBytes) throw new FileReadError('bomb');
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let length = 0;
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      length += chunk.length;
      if (length > maxXmlBytes) throw new FileReadError('bomb');
      pieces.push(decoder.decode(chunk, { stream: true }));
    },
  });
  await entry.getData(sink);
  return pieces.join('') + decoder.decode();
}

const tagPattern = /<(\/?)([\w:.-]+)((?:[^<>"']|"[^"]*"|'[^']*')*?)(\/?)>|<[!?][^>]*>/g;

const skippedElements = new Set(
  'w:instrText w:delText w:delInstrText w:fldData mc:Fallback w:del'.split(' '),
);

class MarkdownWriter {
  readonly #blocks: string[] = [];
  #paragraph = '';
  #mark = '';
  readonly #tables: string[][][] = [];
  #isText = false;
  #hidden = 0;

  openElement(name: string, attributes: string, isClosed: boolean): void {
    if (skippedElements.has(name)) this.#hidden += isClosed ? 0 : 1;
    else if (name === 'w:t') this.#isText = !isClosed;
    else if (name === 'w:tab') this.#add('\t');
    else if (name === 'w:br' || name === 'w:cr') this.#add('\n');
    else if (name === 'w:pStyle') this.#mark = writeHeadingMark(attributes) || this.#mark;
    else if (name === 'w:numPr') this.#mark ||= '- ';
    else if (name === 'w:tbl' && !isClosed) this.#tables.push([]);
    else if (name === 'w:tr' && !isClosed) this.#tables.at(-1)?.push([]);
    else if (name === 'w:tc' && !isClosed) this.#tables.at(-1)?.at(-1)?.push('');
    else if (name === 'w:p' && isClosed) this.#endParagraph();
  }

  closeElement(name: string): void {
    if (skippedElements.has(name)) this.#hidden = Math.max(0, this.#hidden - 1);
    else if (name === 'w:t') this.#isText = false;
    else if (name === 'w:p') this.#endParagraph();
    else if (name === 'w:tbl') this.#endTable();
  }

  addText(raw: string): void {
    if (this.#isText) this.#add(decodeEntities(raw));
  }

  finish(): string {
    this.#endParagraph();
    while (this.#tables.length > 0) this.#endTable();
    return this.#blocks.join('\n\n').trim();
  }

  #add(text: string): void {
    if (this.#hidden === 0) this.#paragraph += text;
  }

  #endParagraph(): void {
    const text = this.#paragraph.trim();
    if (text !== '') this.#put(this.#mark + text);
    this.#paragraph = this.#mark = '';
  }

  /** Appends to the current table cell, or to the document if no table is open. */
  #put(block: string): void {
    const row = this.#tables.at(-1)?.at(-1);
    if (!row || row.length === 0) this.#blocks.push(block);
    else row.push([row.pop(), block].filter((text) => text).join(' '));
  }

  #endTable(): void {
    const rows = this.#tables.pop() ?? [];
    const lines = rows.map((cells) => `| ${cells.map(toCellText).join(' | ')} |`);
    const [head] = rows;
    if (!head) return;
    if (this.#tables.length > 0) this.#put(rows.flat().join(' '));
    else this.#put([lines[0], `|${' --- |'.repeat(head.length)}`, ...lines.slice(1)].join('\n'));
  }
}

const toCellText = (text: string) => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');

function convertToMarkdown(xml: string): string {
  // Refuse custom entities, which can expand to huge text (an XML bomb).
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new FileReadError('bomb');
  const writer = new MarkdownWriter();
  let at = 0;
  for (const match of xml.matchAll(tagPattern)) {
    const [whole, slash, name, attributes = '', closing] = match;
    writer.addText(xml.slice(at, match.index));
    at = match.index + whole.length;
    if (name === undefined) continue;
    if (slash === '/') writer.closeElement(name);
    else writer.openElement(name, attributes, closing === '/');
  }
  writer.addText(xml.slice(at));
  return writer.finish();
}

function writeHeadingMark(attributes: string): string {
  const level = /w:val=["'](?:heading|berschrift|标题)?\s*([1-6])["']/i.exec(attributes)?.[1];
  if (level !== undefined) return `${'#'.repeat(Number(level))} `;
  return /w:val=["'](?:title)["']/i.test(attributes) ? '# ' : '';
}

const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,10}));/gi, (whole, hex, decimal, name) => {
    if (typeof name === 'string') return namedEntities[name] ?? whole;
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

/** The text of a DOCX: a zip of XML, of which only the words are read. */
import {
  type Entry,
  type FileEntry,
  Uint8ArrayReader,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-custom.js';
import { FileTrouble } from './file-trouble';
import { writeParagraphs } from './write-paragraphs';

/** A document of a thousand pages is 20 MB of XML. */
const mostXmlBytes = 60_000_000;
const mostEntries = 20_000;

export async function readDocument(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const zip = new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false });
  try {
    const entries = await listEntries(zip);
    const main = entries.get('word/document.xml');
    if (!main) throw new FileTrouble(kindOf([...entries.keys()]));
    const texts = [writeParagraphs(await readXml(main))];
    for (const name of ['word/footnotes.xml', 'word/endnotes.xml']) {
      const entry = entries.get(name);
      const notes = entry ? writeParagraphs(await readXml(entry)).trim() : '';
      if (notes !== '') texts.push(notes);
    }
    return texts.join('\n\n');
  } finally {
    await zip.close().catch(() => undefined);
  }
}

async function listEntries(zip: ZipReader<unknown>): Promise<Map<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  let count = 0;
  for await (const entry of zip.getEntriesGenerator()) {
    if (++count > mostEntries) throw new FileTrouble('bomb');
    if (isFile(entry) && !entries.has(entry.filename)) entries.set(entry.filename, entry);
  }
  return entries;
}

const isFile = (entry: Entry): entry is FileEntry => !entry.directory;

function kindOf(names: readonly string[]) {
  return names.some((name) => /^(?:xl|ppt)\//.test(name) || name === 'content.xml') ? 'office' : 'archive';
}

/** Not believed in what it says of its length: what comes is counted. */
async function readXml(entry: FileEntry): Promise<string> {
  if (entry.encrypted) throw new FileTrouble('encrypted');
  if (entry.uncompressedSize > mostXmlBytes) throw new FileTrouble('bomb');
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let length = 0;
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      length += chunk.length;
      if (length > mostXmlBytes) throw new FileTrouble('bomb');
      pieces.push(decoder.decode(chunk, { stream: true }));
    },
  });
  await entry.getData(sink);
  return pieces.join('') + decoder.decode();
}

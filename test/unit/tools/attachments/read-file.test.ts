/** Each file is read or refused with one code, whatever its name claims. PDFs need a browser: see `test/e2e/attaching.test.ts`. */
import { describe, expect, test } from 'vitest';
import { readFile } from '../../../../src/tools/attachments/read-file';
import { documentXml, makeDocument, makeZip, paragraph } from '../../../support/files';

const bytes = (text: string) => new TextEncoder().encode(text);
const raw = (...codes: number[]) => new Uint8Array(codes);
const read = (content: Uint8Array, name: string) => readFile(new Uint8Array(content), name);

describe('reading an attached file', () => {
  test.for([
    { name: 'a.md', content: bytes('# Title\n\nText'), kind: 'text', text: '# Title\n\nText' },
    { name: 'main.rs', content: bytes('fn main() {}'), kind: 'text', text: 'fn main() {}' },
    { name: 'a.csv', content: bytes('\ufeffa;b\n1;2\n'), kind: 'table', text: 'a;b\n1;2\n' },
    { name: 'a.json', content: bytes('{"a":[1]}'), kind: 'json', text: '{"a":[1]}' },
    { name: 'broken.json', content: bytes('{"a":'), kind: 'text', text: '{"a":' },
    {
      name: 'a.txt',
      content: raw(0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7),
      kind: 'text',
      text: '你好世界',
    },
    { name: 'a.txt', content: raw(0xff, 0xfe, 0x60, 0x4f, 0x7d, 0x59), kind: 'text', text: '你好' },
    { name: 'a.txt', content: raw(0x48, 0, 0x69, 0, 0x21, 0), kind: 'text', text: 'Hi!' },
    { name: 'a.txt', content: raw(0x63, 0x61, 0x66, 0xe9), kind: 'text', text: 'café' },
  ])('recognises the kind of a file: $kind for $name', async ({ name, content, kind, text }) => {
    expect(await read(content, name)).toMatchObject({ kind, text, isCut: false });
  });

  test('keeps headings, lists and tables of a document, but leaves out deleted text', async () => {
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
    const file = await makeDocument(
      [
        paragraph('Report', '<w:pStyle w:val="Heading1"/>'),
        paragraph('A &amp; B &#x4F60;'),
        paragraph('first', '<w:numPr/>'),
        '<w:p><w:r><w:t>kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>',
        `<w:tbl><w:tr>${cell('x')}${cell('y|z')}</w:tr><w:tr>${cell('1')}${cell('2')}</w:tr></w:tbl>`,
      ].join(''),
      { 'word/vbaProject.bin': 'Sub AutoOpen', 'word/_rels/document.xml.rels': '<Relationships/>' },
    );
    expect(await read(file, 'macro.docm')).toMatchObject({
      kind: 'document',
      text: '# Report\n\nA & B 你\n\n- first\n\nkept\n\n| x | y\\|z |\n| --- | --- |\n| 1 | 2 |',
    });
  });
});

const bomb = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>`;

describe('a hostile file', () => {
  test.for<{
    what: string;
    name?: string;
    file: () => Uint8Array | Promise<Uint8Array>;
    is: object | RegExp;
  }>([
    { what: 'an empty file', file: () => raw(), is: { trouble: 'empty' } },
    { what: 'only blanks', file: () => bytes(' \n\t'), is: { trouble: 'empty' } },
    { what: 'NUL bytes', file: () => new Uint8Array(5000), is: { trouble: 'unknown' } },
    {
      what: 'a program',
      name: 'a.txt',
      file: () => raw(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0),
      is: { trouble: 'unknown' },
    },
    {
      what: 'an old Office file',
      name: 'a.docx',
      file: () => raw(0xd0, 0xcf, 0x11, 0xe0, 1, 2),
      is: { trouble: 'old-office' },
    },
    {
      what: 'a spreadsheet',
      name: 'a.docx',
      file: () => makeZip({ 'xl/workbook.xml': '<x/>' }),
      is: { trouble: 'office' },
    },
    {
      what: 'an OpenDocument',
      name: 'a.odt',
      file: () => makeZip({ 'content.xml': '<x/>' }),
      is: { trouble: 'office' },
    },
    {
      what: 'another zip',
      file: () => makeZip({ 'a.js': 'x' }),
      is: { trouble: 'archive' },
    },
    {
      what: 'half a zip',
      name: 'a.docx',
      file: () => bytes('PK\u0003\u0004half'),
      is: { trouble: 'damaged' },
    },
    {
      what: 'a zip bomb',
      name: 'a.docx',
      file: () => makeZip({ 'word/document.xml': new Uint8Array(70_000_000) }),
      is: { trouble: 'bomb' },
    },
    {
      what: 'entities that expand',
      name: 'a.docx',
      file: () => makeZip({ 'word/document.xml': documentXml(paragraph('&b;'), bomb) }),
      is: { trouble: 'bomb' },
    },
    {
      what: 'an entity that names a system file',
      name: 'a.docx',
      file: () =>
        makeZip({
          'word/document.xml': documentXml(
            paragraph('&f;'),
            '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>',
          ),
        }),
      is: { trouble: 'bomb' },
    },
    {
      what: 'an unknown entity',
      name: 'a.docx',
      file: () => makeDocument(paragraph('&nbsp;x')),
      is: /&nbsp;x/,
    },
    {
      what: 'unclosed tags',
      name: 'a.docx',
      file: () => makeZip({ 'word/document.xml': '<w:tbl><w:tr><w:tc><w:p><w:t>deep' }),
      is: /deep/,
    },
    {
      what: 'ten thousand nested tables',
      name: 'a.docx',
      file: () => makeDocument(`${'<w:tbl><w:tr><w:tc>'.repeat(10_000)}${paragraph('in')}`),
      is: /in/,
    },
    {
      what: 'unclosed brackets',
      name: 'a.docx',
      file: () => makeZip({ 'word/document.xml': '<'.repeat(300_000) }),
      is: { trouble: 'empty' },
    },
    {
      what: 'unclosed quotes',
      name: 'a.docx',
      file: () => makeZip({ 'word/document.xml': '<a b="'.repeat(3000) }),
      is: { trouble: 'empty' },
    },
    {
      what: 'an HTML page with another file name',
      name: 'a.txt',
      file: () => bytes('<html><body><script>x()</script>Seen'),
      is: { kind: 'page' },
    },
    { what: 'deep JSON', name: 'a.json', file: () => bytes('['.repeat(1_000_000)), is: { kind: 'text' } },
    {
      what: 'JSON with a prototype',
      name: 'a.json',
      file: () => bytes('{"__proto__":{"x":1}}'),
      is: { kind: 'json' },
    },
    {
      what: 'a line of four million characters',
      file: () => bytes('x'.repeat(4_500_000)),
      is: { isCut: true },
    },
    {
      what: 'a million columns',
      name: 'a.csv',
      file: () => bytes('a,'.repeat(1_000_000)),
      is: { kind: 'table' },
    },
    {
      what: 'an SVG',
      name: 'a.svg',
      file: () => bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script></svg>'),
      is: { kind: 'text' },
    },
    {
      what: 'a zip with a path that leads outside',
      file: () => makeZip({ '../../etc/passwd': 'x' }),
      is: { trouble: 'damaged' },
    },
  ])('is read safely or refused: $what', async ({ name = 'a.txt', file, is }) => {
    const outcome = await read(await file(), name);
    if (is instanceof RegExp) expect(JSON.stringify(outcome)).toMatch(is);
    else expect(outcome).toMatchObject(is);
  });
});

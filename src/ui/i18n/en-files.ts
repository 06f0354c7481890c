/** What is said of files that go with a message, in English. */
import type { AttachTrouble } from '../../contracts/attachment';
import type { AttachedFile } from '../../contracts/message';

export const enFiles = {
  add: 'Attach',
  addKeys: 'Attach files: text, tables, PDF, DOCX, code, pictures',
  drop: 'Drop files to attach them',
  goWith: (names: readonly string[]) => `Goes with the message: ${names.join(', ')}.`,
  reading: (name: string) => `Reading ${name} …`,
  questions: {
    pictures: (count: number): string =>
      count === 1 ? 'What is in this picture?' : 'What is in these pictures?',
    texts: (count: number): string => (count === 1 ? 'What is this about?' : 'What are these about?'),
  },
  kinds: {
    text: 'text',
    table: 'table',
    json: 'JSON',
    page: 'web page',
    pdf: 'PDF',
    document: 'document',
    picture: 'picture',
  } satisfies Record<AttachedFile['kind'], string>,
  facts: (kind: string, size: string) => `${kind}, ${size}`,
  list: 'Files of this question',
  dismiss: (name: string) => `Leave out ${name}`,
  asText: (name: string) => `Put ${name} back as text`,
  open: (name: string) => `Look into ${name}`,
  whole: {
    wholeText: 'What was read of it',
    wholeGone: 'This file is not kept any more.',
    wholeUnreadable: 'The file could not be read from this browser. Load the page again.',
  },
  save: 'Save the file',
  pixels: (width: string, height: string) => `${width} × ${height} pixels`,
  pictureOf: (name: string) => `The picture ${name}`,
  unseen: (model: string) =>
    `${model} sees no pictures: it will be told that there is one, and no more. What you ask can be answered by a model that sees.`,
  askSeeing: (model: string) => `Let ${model} answer`,
  findSeeing: 'Find a model that sees',
  troubles: {
    archive: (name: string) => `${name} is an archive. Unpack it, and attach the files in it.`,
    bomb: (name: string) =>
      `${name} unpacks to far more than a document holds, so it was not read. Save it anew from the program it comes from.`,
    damaged: (name: string) =>
      `${name} could not be read: it is damaged, or built in an unusual way. Open it where it comes from and save it anew, or paste its text.`,
    empty: (name: string) => `${name} has no text in it. Attach another file.`,
    encrypted: (name: string) =>
      `${name} is protected by a password. Save a copy without one, and attach that.`,
    kept: (name: string) =>
      `There is no room left in this browser to keep ${name}. Make room under Storage in Settings, then attach it again.`,
    large: (name: string) => `${name} is larger than 20 MB. Attach a part of it, or paste the part you need.`,
    many: (name: string) => `${name} was left out: ten files go with one message. Send these first.`,
    missing: (name: string) =>
      `What reads ${name} could not be loaded. Go online, then attach it again: from then on it is kept on this device.`,
    office: (name: string) =>
      `${name} is a spreadsheet or slides. Save a spreadsheet as CSV, slides as PDF, and attach that.`,
    'old-office': (name: string) =>
      `${name} is of an old Office format. Save it as DOCX, CSV or PDF, and attach that.`,
    pixels: (name: string) =>
      `${name} has more than 50 million pixels, which takes more memory than a browser should give. Save it smaller, and attach that.`,
    scanned: (name: string) =>
      `${name} holds pictures of pages and no text. Make its text readable with a scanner’s text recognition (OCR) first.`,
    slow: (name: string) => `Reading ${name} took longer than a minute and was ended. Attach a part of it.`,
    unknown: (name: string) =>
      `${name} is no file that Hearth can read. Text, Markdown, CSV, JSON, HTML, PDF, DOCX, source code and pictures (PNG, JPEG, WebP, GIF) can be attached.`,
  } satisfies Record<AttachTrouble, (name: string) => string>,
};

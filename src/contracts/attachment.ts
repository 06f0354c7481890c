/** Files that a person adds to a message: what is kept of each, and what a message says of it. */
import type { KeptAttachment } from './store';

/**
 * What a file is to a model. `text`: prose, Markdown or source code; `table`: rows of CSV; `json`; `page`: HTML; `document`: DOCX;
 * `picture`: for models that see, and not as it was: `tools/attachments/read-picture.ts`.
 */
export type AttachedKind = KeptAttachment['kind'];

/** The names of the tools that look into them. A person's own tool cannot have the first (`tools/custom/check-definition.ts`). */
export const readAttachmentName = 'read_attachment';
export const queryTableName = 'query_table';

/** Bytes of one file, files of one message, and characters that are read of one. */
export const mostOfFiles = { bytes: 20_000_000, files: 10, characters: 4_000_000 };

/** Kinds that have rows and columns. */
export const tableKinds: ReadonlySet<AttachedKind> = new Set(['table', 'json']);

const sourceMark = 'file: ';

/** Stands among the hosts of outside text for a file: with a blank in it, it is the name of no host. */
export function sourceOfFile(name: string): string {
  return sourceMark + name;
}

/** Such a source was told nothing: it is no server. */
export function isFileSource(source: string): boolean {
  return source.startsWith(sourceMark);
}

/** Why a file does not go with the message. `large`, `many`, `pixels`: the limits; `kept`: no room; `missing`: what reads it was not reachable. */
export type AttachTrouble =
  | 'archive'
  | 'bomb'
  | 'damaged'
  | 'empty'
  | 'encrypted'
  | 'kept'
  | 'large'
  | 'many'
  | 'missing'
  | 'office'
  | 'old-office'
  | 'pixels'
  | 'scanned'
  | 'slow'
  | 'unknown';

/** A file that is being read, or why it does not go with the message. */
export interface TakenFile {
  id: string;
  name: string;
  trouble: AttachTrouble | undefined;
}

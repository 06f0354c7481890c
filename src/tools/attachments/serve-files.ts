/** Worker side: reads one file or queries one table. Loads only the code that it needs. Comlink does not check arguments. */
import { z } from '../../contracts/schema';
import type { FileReadOutcome } from './read-file';
import { TableQuery } from './table-query';

const FileArguments = z.object({ bytes: z.instanceof(Uint8Array<ArrayBuffer>), name: z.string() });
const TableArguments = z.object({ text: z.string(), kind: z.enum(['table', 'json']) });

export function serveFiles() {
  return {
    async read(bytes: unknown, name: unknown): Promise<FileReadOutcome> {
      const file = FileArguments.parse({ bytes, name });
      const reader = await import('./read-file').catch(() => undefined);
      return reader ? reader.readFile(file.bytes, file.name) : { trouble: 'missing' };
    },
    async ask(text: unknown, kind: unknown, query: unknown) {
      const table = TableArguments.parse({ text, kind });
      const { askTable, readTable } = await import('./ask-table');
      return askTable(readTable(table.text, table.kind), TableQuery.parse(query));
    },
    /** Resolves to undefined if the text is no table, or the question is left to the model. */
    async readQuestion(text: unknown, kind: unknown, question: unknown, title: unknown) {
      const table = TableArguments.parse({ text, kind });
      const asked = z.object({ question: z.string(), title: z.string() }).parse({ question, title });
      const { readTable } = await import('./ask-table');
      const { readTableQuestion } = await import('./table-question');
      return readTableQuestion(readTable(table.text, table.kind), asked.question, asked.title);
    },
  };
}

/** Tools for attached files. Their results are untrusted, because users rarely write the files they attach. */
import {
  type AttachedKind,
  queryTableName,
  readAttachmentName,
  sourceOfFile,
  tableKinds,
} from '../../contracts/attachment';
import type { AttachedFile, Message } from '../../contracts/message';
import { z } from '../../contracts/schema';
import type { KeptAttachment } from '../../contracts/store';
import type { Tool } from '../../contracts/tool';
import { ToolError } from '../../contracts/tool-failure';
import { neutralise } from '../../text/neutralise';
import { defineTool } from '../define-tool';
import type { FilesWorker } from './remote-files';
import { TableQuery } from './table-query';

export interface AttachmentParts {
  load: (fileId: string) => Promise<Pick<KeptAttachment, 'text' | 'kind' | 'isCut'> | undefined>;
  ask: FilesWorker['ask'];
}

/** Returns the files of the conversation, newest last. If two have the same name, the tools use the newer one. */
function filesIn(history: readonly Message[]): AttachedFile[] {
  const all = history.flatMap((message) => (message.role === 'user' ? (message.attached ?? []) : []));
  return all.filter((one) => 'fileId' in one);
}

export function createAttachmentTools(history: readonly Message[], parts: AttachmentParts): Tool[] {
  const files = filesIn(history).filter(({ kind }) => kind !== 'picture');
  if (files.length === 0) return [];
  const reader = createReader(files, parts);
  const tables = files.filter(({ kind }) => tableKinds.has(kind));
  return tables.length > 0 ? [reader, createTableAsker(tables, parts)] : [reader];
}

function createReader(files: readonly AttachedFile[], { load }: AttachmentParts): Tool {
  return defineTool({
    name: readAttachmentName,
    title: 'Read an attached file',
    description:
      'Gives further parts of a file that the user attached, by what you look for in it. The first part is given to you unasked.',
    input: z.strictObject({
      name: z.string().check(z.minLength(1), z.describe('Name of the file, such as report.pdf')),
      query: z.optional(z.string().check(z.describe('What to look for, in a few words of that text'))),
    }),
    annotations: { readOnlyHint: true, idempotentHint: false },
    isForLargerModels: true,
    async run({ name }) {
      const file = findFile(files, name);
      const attachment = await load(file.fileId);
      if (!attachment) throw goneMessage(file.name);
      const note = attachment.isCut ? '\n[Only the beginning of this file was read: it is too long.]' : '';
      const text = attachment.text + note;
      return {
        texts: text,
        whole: {
          handle: file.fileId,
          id: file.fileId,
          toolName: readAttachmentName,
          characters: text.length,
          given: [],
        },
        sources: [sourceOfFile(file.name)],
      };
    },
  });
}

const TableInput = z.strictObject({
  name: z.optional(
    z.string().check(z.describe('Name of the file; may be left out where there is one table')),
  ),
  ...TableQuery.shape,
});

function createTableAsker(tables: readonly AttachedFile[], { load, ask }: AttachmentParts): Tool {
  return defineTool({
    name: queryTableName,
    title: 'Ask an attached table',
    description:
      'Filters, sorts, counts and sums all rows of a table (CSV or JSON) that the user attached. Use it for every number that comes from a table, in place of reading its rows.',
    keywords: {
      en: ['spreadsheet', 'rows', 'columns', 'filter', 'sort', 'sum', 'total', 'average', 'csv'],
      zh: ['表格', '筛选', '排序', '求和', '总计', '平均', '行', '列'],
    },
    input: TableInput,
    examples: [
      { request: 'What is the total of the column price?', arguments: { aggregate: 'sum', of: 'price' } },
      {
        request: 'How many orders has each city?',
        arguments: { aggregate: 'count', groupBy: 'city' },
      },
    ],
    annotations: { readOnlyHint: true, idempotentHint: true },
    isForLargerModels: true,
    async run({ name, ...query }, { signal }) {
      const newest = tables.at(-1);
      const file = name === undefined && newest ? newest : findFile(tables, name ?? '');
      const attachment = await load(file.fileId);
      if (!attachment) throw goneMessage(file.name);
      // Check the stored kind, because the file name does not prove what the file contains.
      if (!isTable(attachment.kind)) throw new ToolError('arguments', `${file.name} is no table.`);
      const answer = await ask({ text: attachment.text, kind: attachment.kind }, query, signal);
      if ('mistake' in answer) throw new ToolError('arguments', answer.mistake);
      const note = attachment.isCut ? '\n[Only the beginning of this table was read: it is too long.]' : '';
      return { texts: answer.text + note, sources: [sourceOfFile(file.name)] };
    },
  });
}

const isTable = (kind: AttachedKind): kind is 'table' | 'json' => tableKinds.has(kind);

function findFile(files: readonly AttachedFile[], name: string): AttachedFile {
  const asked = name.trim().toLowerCase();
  const found =
    files.findLast((file) => file.name.toLowerCase() === asked) ??
    files.findLast((file) => file.name.toLowerCase().replace(/\.[a-z0-9]+$/, '') === asked);
  if (found) return found;
  const there = files.slice(-20).map((file) => `"${neutralise(file.name)}"`);
  throw new ToolError(
    'arguments',
    `There is no file "${neutralise(name).slice(0, 80)}". There are: ${there.join(', ')}.`,
  );
}

function goneMessage(name: string): ToolError {
  return new ToolError(
    'failed',
    `"${neutralise(name)}" is not kept any more. Answer without it, and say so.`,
  );
}

/** Tools for attached files. Their results are untrusted: users rarely write the files they attach. */
import { tableKinds } from '../../contracts/attachment';
import { originOfFile } from '../../contracts/origin';
import type { AttachedFile, Message } from '../../contracts/message';
import { textOf } from '../../contracts/message-parts';
import { z } from '../../contracts/schema';
import type { StoredAttachment } from '../../contracts/store';
import type { Tool } from '../../contracts/tool';
import { ToolError } from '../../contracts/tool-failure';
import { neutralise } from '../../text/neutralise';
import { defineTool } from '../define-tool';
import type { FilesWorker } from './remote-files';
import { TableQuery } from './table-query';
import { queryTableToolName, readAttachmentToolName } from '../../contracts/tool-names';

interface AttachmentOptions {
  load: (fileId: string) => Promise<Pick<StoredAttachment, 'text' | 'kind' | 'isCut'> | undefined>;
  ask: FilesWorker['ask'];
}

/**
 * Returns the arguments of a call of `query_table` that answers the newest question. Undefined if the chat has no table, or its newest one does not
 * answer the question.
 */
export async function findTableQuery(
  history: readonly Message[],
  { load, readQuestion }: Pick<AttachmentOptions, 'load'> & Pick<FilesWorker, 'readQuestion'>,
  signal: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  const last = history.at(-1);
  const file = listTables(history).at(-1);
  if (!file || last?.role !== 'user') return undefined;
  const stored = await load(file.fileId);
  if (stored?.kind !== 'table' && stored?.kind !== 'json') return undefined;
  const asked = { question: textOf(last.content), title: file.name.replace(/\.[a-z0-9]+$/i, '') };
  // A file that is no table, or too large to read in time, is left to the model.
  const query = await readQuestion({ text: stored.text, kind: stored.kind }, asked, signal).catch(
    () => undefined,
  );
  return query && { name: file.name, ...query };
}

function listTables(history: readonly Message[]): AttachedFile[] {
  return listFiles(history).filter(({ kind }) => tableKinds.has(kind));
}

function listFiles(history: readonly Message[]): AttachedFile[] {
  const attached = history.flatMap((message) => (message.role === 'user' ? (message.attached ?? []) : []));
  return attached.filter((one) => 'fileId' in one).filter(({ kind }) => kind !== 'picture');
}

/** If two files in the conversation share a name, the tools use the newer one. */
export function createAttachmentTools(history: readonly Message[], parts: AttachmentOptions): Tool[] {
  const files = listFiles(history);
  if (files.length === 0) return [];
  const reader = createReadAttachmentTool(files, parts);
  const tables = listTables(history);
  return tables.length > 0 ? [reader, createQueryTableTool(tables, parts)] : [reader];
}

function createReadAttachmentTool(files: readonly AttachedFile[], { load }: AttachmentOptions): Tool {
  return defineTool({
    name: readAttachmentToolName,
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
      const { text, isCut } = await loadFile(file, load);
      const texts = text + (isCut ? '\n[Only the beginning of this file was read: it is too long.]' : '');
      const { fileId: id } = file;
      const stored = { handle: id, id, toolName: readAttachmentToolName, characters: texts.length };
      return { texts, whole: { ...stored, given: [] }, origins: [originOfFile(file)] };
    },
  });
}

function createQueryTableTool(tables: readonly AttachedFile[], { load, ask }: AttachmentOptions): Tool {
  return defineTool({
    name: queryTableToolName,
    title: 'Ask an attached table',
    description:
      'Filters, sorts, counts and sums all rows of a table (CSV or JSON) that the user attached. Use it for every number that comes from a table, in place of reading its rows.',
    keywords: {
      en: ['spreadsheet', 'rows', 'columns', 'filter', 'sort', 'sum', 'total', 'average', 'csv'],
      zh: ['表格', '筛选', '排序', '求和', '总计', '平均', '行', '列'],
    },
    input: z.strictObject({
      name: z.optional(
        z.string().check(z.describe('Name of the file; may be left out where there is one table')),
      ),
      ...TableQuery.shape,
    }),
    examples: [
      { request: 'What is the total of the column price?', arguments: { aggregate: 'sum', of: 'price' } },
      { request: 'How many orders has each city?', arguments: { aggregate: 'count', groupBy: 'city' } },
    ],
    annotations: { readOnlyHint: true, idempotentHint: true },
    isForLargerModels: true,
    async run({ name, ...query }, { signal }) {
      const newest = tables.at(-1);
      const file = name === undefined && newest ? newest : findFile(tables, name ?? '');
      const { text, kind, isCut } = await loadFile(file, load);
      // Check the stored kind: the file name does not prove what the file contains.
      if (kind !== 'table' && kind !== 'json') throw new ToolError('arguments', `${file.name} is no table.`);
      const answer = await ask({ text, kind }, query, signal);
      if ('mistake' in answer) throw new ToolError('arguments', answer.mistake);
      const note = isCut ? '\n[Only the beginning of this table was read: it is too long.]' : '';
      return { texts: answer.text + note, origins: [originOfFile(file)] };
    },
  });
}

function findFile(files: readonly AttachedFile[], name: string): AttachedFile {
  const asked = name.trim().toLowerCase();
  const found =
    files.findLast((file) => file.name.toLowerCase() === asked) ??
    files.findLast((file) => file.name.toLowerCase().replace(/\.[a-z0-9]+$/, '') === asked);
  if (found) return found;
  const there = files.slice(-20).map((file) => `"${neutralise(file.name)}"`);
  const wanted = neutralise(name).slice(0, 80);
  throw new ToolError('arguments', `There is no file "${wanted}". There are: ${there.join(', ')}.`);
}

async function loadFile({ fileId, name }: AttachedFile, load: AttachmentOptions['load']) {
  const attachment = await load(fileId);
  if (attachment) return attachment;
  throw new ToolError('failed', `"${neutralise(name)}" is not kept any more. Answer without it, and say so.`);
}

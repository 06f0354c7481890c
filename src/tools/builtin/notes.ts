/** The tools `remember` and `recall`, which keep and find the user's notes. */
import { AppError } from '../../contracts/app-error';
import { longestNote, mostNotes, recallName } from '../../contracts/note-text';
import { z } from '../../contracts/schema';
import type { NoteStore } from '../../contracts/store';
import type { Tool } from '../../contracts/tool';
import { ToolError } from '../../contracts/tool-failure';
import { defineTool } from '../define-tool';
import type { Note } from '../../contracts/note';
import { createNoteFinder } from '../find-notes';

export interface RememberParts {
  notes: Pick<NoteStore, 'list' | 'add'>;
  newId: () => string;
  /** Milliseconds since the epoch. */
  date: () => number;
}

const isTooLong = (note: string) => note.trim().length > longestNote;

export function createRemember({ notes, newId, date }: RememberParts): Tool {
  return defineTool({
    name: 'remember',
    title: 'Remember',
    description:
      'Keeps a note on this device, for later chats. Only for what the user asks to be remembered.',
    keywords: {
      en: ['note down', 'write down', 'make a note', 'keep in mind', 'do not forget', 'memo', 'save'],
      zh: ['记住', '记下', '记一下', '备忘', '笔记', '别忘了', '帮我记'],
    },
    input: z.strictObject({
      note: z
        .string()
        .check(
          z.minLength(1),
          z.maxLength(20_000),
          z.describe(`A sentence that says all by itself; at most ${longestNote} characters`),
        ),
    }),
    composedArguments: ['note'],
    isCalledByPage: true,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    examples: [
      {
        request: 'Remember that my wifi is called Heron',
        arguments: { note: 'My wifi is called Heron' },
      },
      { request: '记住我的车停在B2层', arguments: { note: '我的车停在B2层' } },
    ],
    // Skip the permission dialog for a note that cannot be kept.
    effects: ({ note }) =>
      isTooLong(note) || note.trim() === '' ? { type: 'pure' } : { type: 'side-effect', note: note.trim() },
    async run({ note }, { sources = [] }) {
      const text = note.trim();
      if (text === '') throw new ToolError('arguments', 'Not kept: the note is empty. Say what to keep.');
      if (isTooLong(note)) {
        throw new ToolError(
          'note-too-long',
          `Not kept: a note has at most ${longestNote} characters, and this one has ${text.length}. Shorten it, or make several.`,
        );
      }
      const at = date();
      const kept = { id: newId(), text, createdAt: at, updatedAt: at };
      try {
        await notes.add({ ...kept, ...(sources.length > 0 && { sources: [...sources] }) });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'notes-full') throw error;
        throw new ToolError(
          'notes-full',
          `Not kept: there are ${mostNotes} notes, and no more can be kept. The user can delete some on the Notes screen.`,
          { cause: error },
        );
      }
      return 'Kept as a note.';
    },
  });
}

interface RecallParts {
  notes: Pick<NoteStore, 'list'>;
}

const maxRecalled = 5;

export function createRecall({ notes }: RecallParts): Tool {
  const find = createNoteFinder();
  return defineTool({
    name: recallName,
    title: 'Recall',
    description: 'Finds notes that the user had kept with remember, in this chat or an earlier one.',
    keywords: {
      en: ['my notes', 'what did I tell you', 'what did I note', 'do you remember', 'remind me what', 'memo'],
      zh: ['我的笔记', '备忘', '我让你记的', '你还记得', '我说过', '查笔记', '回忆'],
    },
    input: z.strictObject({
      query: z
        .string()
        .check(z.minLength(1), z.maxLength(400), z.describe('Words that stand in the note, such as "wifi"')),
    }),
    isCalledByPage: true,
    annotations: { readOnlyHint: true, openWorldHint: false },
    examples: [
      { request: 'What did I tell you about my wifi?', arguments: { query: 'wifi' } },
      { request: '我的笔记里关于停车写了什么？', arguments: { query: '停车' } },
    ],
    async run({ query }) {
      const { notes: all } = await notes.list();
      const found = find(query, all).slice(0, maxRecalled);
      const [first, ...others] = found.map(writeNote);
      if (first === undefined) {
        return `No note has these words (notes kept: ${all.length}). Try one other word, or tell the user that there is none.`;
      }
      const sources = [...new Set(found.flatMap((note) => note.sources ?? []))];
      return { texts: [first, ...others], ...(sources.length > 0 && { sources }) };
    },
  });
}

function writeNote({ text, updatedAt }: Note): string {
  return `Note of ${dayOf(updatedAt)}: ${text}`;
}

function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The remember tool: keeps a note on this device. The user must approve each note. */
import { AppError } from '../../contracts/app-error';
import { maxNoteCharacters, maxNotes } from '../../contracts/note';
import { z } from '../../contracts/schema';
import type { NoteStore } from '../../contracts/store';
import type { Tool } from '../../contracts/tool';
import { ToolError } from '../../contracts/tool-failure';
import { defineTool, createTextSchema } from '../define-tool';

export interface RememberOptions {
  notes: Pick<NoteStore, 'list' | 'add'>;
  newId: () => string;
  date: () => number;
}

const isTooLong = (note: string) => note.trim().length > maxNoteCharacters;

export function createRememberTool({ notes, newId, date }: RememberOptions): Tool {
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
      note: createTextSchema(
        20_000,
        `A sentence that says all by itself; at most ${maxNoteCharacters} characters`,
      ),
    }),
    composedArguments: ['note'],
    isCalledByPage: true,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    examples: [
      { request: 'Remember that my wifi is called Heron', arguments: { note: 'My wifi is called Heron' } },
      { request: '记住我的车停在B2层', arguments: { note: '我的车停在B2层' } },
    ],
    // If we will refuse the note anyway, do not ask the user for permission.
    effects: ({ note }) =>
      isTooLong(note) || note.trim() === '' ? { type: 'pure' } : { type: 'side-effect', note: note.trim() },
    async run({ note }, { origins = [] }) {
      const text = note.trim();
      if (text === '') throw new ToolError('arguments', 'Not kept: the note is empty. Say what to keep.');
      if (isTooLong(note)) {
        throw new ToolError(
          'note-too-long',
          `Not kept: a note has at most ${maxNoteCharacters} characters, and this one has ${text.length}. Shorten it, or make several.`,
        );
      }
      const at = date();
      try {
        await notes.add({
          id: newId(),
          text,
          createdAt: at,
          updatedAt: at,
          origins: [{ door: 'model' }, ...origins],
        });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'notes-full') throw error;
        throw new ToolError(
          'notes-full',
          `Not kept: there are ${maxNotes} notes, and no more can be kept. The user can delete some on the Notes screen.`,
          { cause: error },
        );
      }
      return 'Kept as a note.';
    },
  });
}

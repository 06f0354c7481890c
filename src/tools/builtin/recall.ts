/** The recall tool: finds notes. A note may contain outside text, so the result names its source hosts. */
import { type Note } from '../../contracts/note';
import { z } from '../../contracts/schema';
import type { NoteStore } from '../../contracts/store';
import type { Tool } from '../../contracts/tool';
import { withoutRepeats } from '../../contracts/origin';
import { defineTool, createTextSchema } from '../define-tool';
import { LexicalIndex, type Ranking } from '../../text/lexical-index';
import { recallToolName } from '../../contracts/tool-names';

const maxRecalledNotes = 5;

export function createRecallTool({ notes }: { notes: Pick<NoteStore, 'list'> }): Tool {
  const find = createNoteFinder();
  return defineTool({
    name: recallToolName,
    title: 'Recall',
    description: 'Finds notes that the user had kept with remember, in this chat or an earlier one.',
    keywords: {
      en: ['my notes', 'what did I tell you', 'what did I note', 'do you remember', 'remind me what', 'memo'],
      zh: ['我的笔记', '备忘', '我让你记的', '你还记得', '我说过', '查笔记', '回忆'],
    },
    input: z.strictObject({ query: createTextSchema(400, 'Words that stand in the note, such as "wifi"') }),
    isCalledByPage: true,
    annotations: { readOnlyHint: true, openWorldHint: false },
    examples: [
      { request: 'What did I tell you about my wifi?', arguments: { query: 'wifi' } },
      { request: '我的笔记里关于停车写了什么？', arguments: { query: '停车' } },
    ],
    async run({ query }) {
      const { notes: all } = await notes.list();
      const found = find(query, all).slice(0, maxRecalledNotes);
      const [first, ...others] = found.map(formatNote);
      if (first === undefined) {
        return `No note has these words (notes kept: ${all.length}). Try one other word, or tell the user that there is none.`;
      }
      const origins = withoutRepeats([{ door: 'note' }, ...found.flatMap((note) => note.origins)]);
      return { texts: [first, ...others], origins };
    },
  });
}

function formatNote({ text, updatedAt }: Note): string {
  const date = new Date(updatedAt);
  const two = (value: number) => String(value).padStart(2, '0');
  return `Note of ${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}: ${text}`;
}

/** Differs from the ranking of tools: notes have no example requests, and their length matters less. */
const noteRanking: Ranking = {
  saturation: 4,
  lengthShare: 0.3,
  nearShare: 0.2,
  meaningShare: 0,
  characterShare: 0.35,
  lineWeight: 0,
  lineShare: 0,
  lineLengthShare: 0,
};
const typicalTermsPerNote = 10;
const noteFieldWeight = 4;

/** Finds notes by their words, best match first. The Notes screen also uses it. Only reads notes that changed since the last search. */
export function createNoteFinder() {
  const index = new LexicalIndex({ ranking: noteRanking });
  return (words: string, notes: readonly Note[]): Note[] => {
    index.update(
      notes.map(({ id, text }) => {
        const field = { text, weight: noteFieldWeight, usual: typicalTermsPerNote };
        return { id, stamp: text, read: () => ({ fields: [field], lines: [] }) };
      }),
    );
    const byId = new Map(notes.map((note) => [note.id, note]));
    return index.search(words, Infinity).flatMap(({ id }) => byId.get(id) ?? []);
  };
}

/**
 * What a finished turn says that nothing stands behind. Made from the messages each time it is shown, never stored; long texts are read
 * in pieces, with a rest after each, so that the page stays free.
 */
import type { MessageNode } from '../../contracts/chat';
import { type Message, pageWriter } from '../../contracts/message';
import { textOf } from '../../contracts/message-parts';
import type { ToolSpec } from '../../contracts/tool';
import type { CallView, Turn } from '../turns';
import { checkClaims } from './check-claims';
import { indexText, type SourceIndex } from './index-text';
import type { DoneCall, Mark, Sources } from './sources';

/** Of one text of a reply. */
export interface PartMarks {
  /** Which of the texts of the turn it is, from 0. */
  place: number;
  text: string;
  marks: readonly Mark[];
}

interface ClaimParts {
  turn: Turn;
  /** All of the chat; what comes behind the turn is left out. */
  branch: readonly MessageNode[];
  /** The beginning of it is not there: what is found is no answer for good. */
  isPartial?: boolean;
  /** Of the persona: what it was told, it may say. */
  instructions: string;
  tools: readonly Pick<ToolSpec, 'name' | 'annotations'>[];
  /** Lets the page do what waits. */
  rest: () => Promise<unknown>;
}

/** Characters of one piece: a few milliseconds. */
const pieceLength = 20_000;
/** Characters in all. Where there is more to read, no number is marked: it may stand in what was not. */
const mostRead = 2_000_000;

/** By the last message of a turn, which no other turn has: a turn is made anew with every message of its chat. */
const found = new WeakMap<Message, { instructions: string; marks: readonly PartMarks[] }>();

export async function findClaims(parts: ClaimParts): Promise<readonly PartMarks[]> {
  const { turn, instructions } = parts;
  const last = turn.nodes.at(-1)?.message;
  if (turn.isRunning || !last || !isByModel(turn)) return [];
  const before = found.get(last);
  if (before?.instructions === instructions) return before.marks;
  const marks = await readTurn(parts);
  if (parts.isPartial && marks.length > 0) return marks;
  found.set(last, { instructions, marks });
  return marks;
}

async function readTurn(parts: ClaimParts): Promise<readonly PartMarks[]> {
  const { turn, branch } = parts;
  const reader = new SourceReader(parts.rest);
  const isReading = new Set(
    parts.tools.flatMap(({ name, annotations }) => (annotations?.readOnlyHint === true ? [name] : [])),
  );
  const first = turn.question ?? turn.nodes[0];
  const earlier = branch
    .slice(
      0,
      branch.findIndex(({ id }) => id === first?.id),
    )
    .map(({ message }) => message);
  const question = turn.question
    ? textOf(turn.question.message.role === 'user' ? turn.question.message.content : [])
    : '';
  const asked = await reader.read(turn.question?.message ?? turn, [question]);
  const near: SourceIndex[] = [...asked];
  const calls: DoneCall[] = [];
  const marked: PartMarks[] = [];
  let place = -1;
  for (const part of turn.parts) {
    if (part.type === 'text') {
      place += 1;
      const bare: Sources = {
        ...{ question, near: [...near], far: [] },
        ...{ asked: asked[0] ?? indexText(''), calls: [...calls] },
        earlierCalls: earlierCallsOf(earlier),
      };
      const marks = await checkAll(part.text, bare, calls.length > 0, () =>
        readEarlier(reader, earlier, parts),
      );
      if (marks.length > 0) marked.push({ place, text: part.text, marks });
      near.push(...(await reader.read(part, [part.text])));
    } else if (part.type === 'call') {
      calls.push({ name: part.name, isDone: part.status === 'done', isReading: isReading.has(part.name) });
      near.push(...(await reader.read(part, [part.argumentsText, resultOf(part)])));
    }
  }
  return marked;
}

/** What the page says in a model's place it has looked up itself. */
function isByModel({ nodes }: Turn): boolean {
  const reply = nodes.findLast(({ message }) => message.role === 'assistant')?.message;
  return reply?.role === 'assistant' && reply.writer !== pageWriter;
}

function resultOf({ result = '', links = [] }: CallView): string {
  return [result, ...links.map(({ title, uri }) => `${title} ${uri}`)].join('\n');
}

/** Only where something stands in nothing near is the rest of the chat read. */
async function checkAll(
  text: string,
  near: Sources,
  isAfterCall: boolean,
  readFar: () => Promise<SourceIndex[] | undefined>,
): Promise<Mark[]> {
  const marks = checkClaims(text, near, isAfterCall);
  if (!marks.some(({ type }) => type !== 'deed')) return marks;
  const far = await readFar();
  if (!far) return marks.filter(({ type }) => type === 'deed');
  return checkClaims(text, { ...near, far }, isAfterCall);
}

async function readEarlier(
  reader: SourceReader,
  earlier: readonly Message[],
  { instructions }: ClaimParts,
): Promise<SourceIndex[] | undefined> {
  const far = instructions === '' ? [] : [indexText(instructions.slice(0, pieceLength))];
  for (const message of earlier) {
    far.push(...(await reader.read(message, textsOf(message))));
    if (reader.isOver) return undefined;
  }
  return reader.isOver ? undefined : far;
}

function textsOf(message: Message): string[] {
  switch (message.role) {
    case 'system':
      return [message.content];
    case 'user':
      return [textOf(message.content)];
    case 'assistant':
      return message.content.map((part) => {
        if (part.type === 'text') return part.text;
        if (part.type === 'tool-call') return JSON.stringify(part.arguments);
        return part.type === 'reasoning' ? '' : part.raw;
      });
    case 'tool':
      return message.results.map(({ content }) => textOf(content));
  }
}

function earlierCallsOf(earlier: readonly Message[]): DoneCall[] {
  return earlier.flatMap((message) =>
    message.role === 'tool'
      ? message.results.map(({ toolName, isError }) => ({ name: toolName, isDone: !isError }))
      : [],
  );
}

/** What was read of a message or a part, for as long as it is shown. */
const known = new WeakMap<object, readonly SourceIndex[]>();

class SourceReader {
  readonly #rest: () => Promise<unknown>;
  #characters = 0;

  constructor(rest: () => Promise<unknown>) {
    this.#rest = rest;
  }

  get isOver(): boolean {
    return this.#characters > mostRead;
  }

  async read(owner: object, texts: readonly string[]): Promise<readonly SourceIndex[]> {
    this.#characters += texts.reduce((sum, { length }) => sum + length, 0);
    const before = known.get(owner);
    if (before) return before;
    if (this.isOver) return [];
    const read: SourceIndex[] = [];
    for (const text of texts) {
      for (const piece of piecesOf(text)) {
        read.push(indexText(piece));
        if (text.length > pieceLength) await this.#rest();
      }
    }
    known.set(owner, read);
    return read;
  }
}

/** Cut at line ends or blanks, so that no number is. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    let end = Math.min(from + pieceLength, text.length);
    if (end < text.length) {
      const window = text.slice(end - 400, end);
      const cut = Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' '), window.lastIndexOf(','));
      if (cut >= 0) end = end - 400 + cut + 1;
    }
    pieces.push(text.slice(from, end));
    from = end;
  }
  return pieces;
}

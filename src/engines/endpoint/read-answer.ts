/**
 * Reads the answer of a chat completion, streamed as server-sent events or whole, into what was said. Made for servers as they are:
 * fields that are null, missing or under another name, calls without an index, a stream without its end mark. PURE.
 */
import { read, z } from '../../contracts/schema';
import { faultInEvent, wrongForm } from './faults';
import { AppError } from '../../contracts/app-error';

export type AnswerPart =
  | { type: 'text' | 'thought'; text: string }
  /** Of the call at this place in the reply. The name comes once, the arguments in pieces of JSON. */
  | { type: 'call'; index: number; name?: string; arguments: string }
  | { type: 'usage'; promptTokens: number; cachedTokens: number; outputTokens: number }
  /** The last one of what is said. */
  | { type: 'end'; isCut: boolean }
  /** Came whole, not in pieces. */
  | { type: 'whole' }
  /** Before all others: the server takes no more requests just now, and is asked again after so many seconds. */
  | { type: 'wait'; seconds: number };

const text = z.optional(z.nullable(z.string()));

const CallPiece = z.object({
  index: z.optional(z.nullable(z.number())),
  id: text,
  function: z.optional(z.nullable(z.object({ name: text, arguments: z.optional(z.nullable(z.unknown())) }))),
});

const Said = z.object({
  /** A text, or parts of one: some of them thoughts. */
  content: z.optional(z.nullable(z.union([z.string(), z.array(z.record(z.string(), z.unknown()))]))),
  reasoning_content: text,
  reasoning: text,
  refusal: text,
  tool_calls: z.optional(z.nullable(z.array(CallPiece))),
});
type Said = z.infer<typeof Said>;

const Choice = z.object({
  delta: z.optional(z.nullable(Said)),
  message: z.optional(z.nullable(Said)),
  finish_reason: text,
});

const count = z.optional(z.nullable(z.number()));
const Completion = z.object({
  choices: z.optional(z.nullable(z.array(Choice))),
  usage: z.optional(
    z.nullable(
      z.object({
        prompt_tokens: count,
        completion_tokens: count,
        prompt_tokens_details: z.optional(z.nullable(z.object({ cached_tokens: count }))),
      }),
    ),
  ),
});

/**
 * Ends after its `end`. Throws an `AppError`: 'endpoint-form' where it is none, 'endpoint-cut' where it has no end, 'endpoint-failed'
 * where an error stands in it, 'endpoint-refused' where the server withholds the answer; and what `pieces` throws.
 */
export async function* readAnswer(pieces: AsyncIterable<string>): AsyncGenerator<AnswerPart> {
  const calls = createPlaces();
  let end: AnswerPart | undefined;
  let hasSaid = false;
  for await (const event of eventsOf(pieces)) {
    if (event.type === 'done') {
      if (!hasSaid) throw wrongForm('The stream holds no choice.');
      // Some say only so that they are at their end.
      end ??= { type: 'end', isCut: false };
      break;
    }
    if (event.isWhole) yield { type: 'whole' };
    for (const part of partsOf(event.value, calls)) {
      hasSaid = true;
      if (part.type === 'end') end = part;
      else yield part;
    }
  }
  if (!end) throw new AppError('endpoint-cut', 'The answer has no end.');
  yield end;
}

function* partsOf(value: unknown, placeOf: ReturnType<typeof createPlaces>): Generator<AnswerPart> {
  const checked = read(Completion, value);
  const isCompletion = checked.ok && (checked.value.choices || checked.value.usage);
  const fault = isCompletion ? undefined : faultInEvent(value);
  if (fault) throw fault;
  if (!checked.ok) throw wrongForm(checked.reason);
  const { choices, usage } = checked.value;
  if (!isCompletion) throw wrongForm(`It holds no choices: ${JSON.stringify(value)}`);
  const [choice] = choices ?? [];
  const said = choice?.delta ?? choice?.message;
  if (said) yield* saidIn(said, placeOf);
  if (usage) {
    const { prompt_tokens: prompt, completion_tokens: output, prompt_tokens_details: details } = usage;
    yield {
      type: 'usage',
      promptTokens: prompt ?? 0,
      cachedTokens: details?.cached_tokens ?? 0,
      outputTokens: output ?? 0,
    };
  }
  const reason = choice?.finish_reason ?? '';
  if (reason === 'content_filter') throw new AppError('endpoint-refused', 'content_filter');
  if (reason !== '') yield { type: 'end', isCut: reason === 'length' };
}

function* saidIn(said: Said, placeOf: ReturnType<typeof createPlaces>): Generator<AnswerPart> {
  const thought = said.reasoning_content ?? said.reasoning ?? '';
  if (thought !== '') yield { type: 'thought', text: thought };
  const parts = typeof said.content === 'string' ? [{ text: said.content }] : (said.content ?? []);
  for (const part of parts) {
    const inner = part['thinking'];
    if (inner !== undefined) yield* nonEmpty('thought', textIn(inner));
    else yield* nonEmpty('text', textIn(part['text']));
  }
  yield* nonEmpty('text', said.refusal ?? '');
  for (const { index, id, function: called } of said.tool_calls ?? []) {
    const { name, arguments: written } = called ?? {};
    yield {
      type: 'call',
      index: placeOf(index ?? undefined, id ?? ''),
      ...(name && { name }),
      arguments: typeof written === 'string' ? written : written == null ? '' : JSON.stringify(written),
    };
  }
}

function* nonEmpty(type: 'text' | 'thought', said: string): Generator<AnswerPart> {
  if (said !== '') yield { type, text: said };
}

/** A text, or a list of parts that have one. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map((part: unknown) => textIn((part as { text?: unknown } | null)?.text)).join('');
}

/** Which call a piece belongs to: by its index; without one a new id begins another, and none goes on with the last. */
function createPlaces(): (index: number | undefined, id: string) => number {
  let last = -1;
  let lastId = '';
  return (index, id) => {
    if (index !== undefined) last = index;
    else if (last < 0 || (id !== '' && id !== lastId)) last += 1;
    if (id !== '') lastId = id;
    return last;
  };
}

type AnswerEvent = { type: 'done' } | { type: 'value'; value: unknown; isWhole: boolean };

/** JSON that came whole, or the data of each server-sent event. */
async function* eventsOf(pieces: AsyncIterable<string>): AsyncGenerator<AnswerEvent> {
  let rest = '';
  let data: string[] = [];
  let isStream: boolean | undefined;
  const over = (): AnswerEvent[] => {
    const text = data.join('\n');
    data = [];
    if (text === '') return [];
    return [text === '[DONE]' ? { type: 'done' } : { type: 'value', value: parse(text), isWhole: false }];
  };
  for await (const piece of pieces) {
    rest += piece;
    isStream ??= sniff(rest);
    if (!isStream) continue;
    // A carriage return at the end may be half of a line's end.
    const isHalf = rest.endsWith('\r');
    const lines = (isHalf ? rest.slice(0, -1) : rest).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + (isHalf ? '\r' : '');
    for (const line of lines) {
      if (line === '') yield* over();
      else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
      // llama.cpp says so where its answer fails.
      else if (line.startsWith('error:')) data.push(`{"error":${line.slice(6)}}`);
    }
  }
  if (isStream) {
    const last = rest.replace(/\r$/, '');
    if (last.startsWith('data:')) data.push(last.slice(5).trim());
    // Cut off in the middle of an event: what stands there is no error of the server.
    if (data.length > 0 && (data.join('\n') === '[DONE]' || isJson(data.join('\n')))) yield* over();
    return;
  }
  const whole = rest.trim();
  if (whole === '') throw wrongForm('The answer is empty.');
  yield { type: 'value', value: parse(whole), isWhole: true };
}

/** Whether it is a stream, by how it begins; undefined until that is known. */
function sniff(text: string): boolean | undefined {
  const [first] = text.replace(/^\uFEFF/, '').trimStart();
  if (first === undefined) return undefined;
  return first !== '{' && first !== '[' && first !== '<';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrongForm(/^\s*</.test(text) ? 'It is a web page.' : `It is no JSON: ${text}`);
  }
}

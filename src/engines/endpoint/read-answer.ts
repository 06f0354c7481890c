/** PURE: parses a chat completion, streamed or complete. Accepts the deviations of real servers, such as null or missing fields. */
import { parseJson, read, z } from '../../contracts/schema';
import { AppError } from '../../contracts/app-error';
import { faultInEvent, createInvalidResponseError } from './faults';

export type AnswerPart =
  | { type: 'text' | 'thought'; text: string }
  /** A piece of a tool call. `index`: which call of the reply. The name comes once, the arguments as pieces of JSON. */
  | { type: 'call'; index: number; name?: string; arguments: string }
  | { type: 'usage'; promptTokens: number; cachedTokens: number; outputTokens: number }
  | { type: 'end'; isCut: boolean }
  | { type: 'whole' }
  /** Comes only first: the server is busy, and we repeat the request after this many seconds. */
  | { type: 'wait'; seconds: number };

const MaybeText = z.nullish(z.string());
const MaybeCount = z.nullish(z.number());

const CallPiece = z.object({
  index: MaybeCount,
  id: MaybeText,
  function: z.nullish(z.object({ name: MaybeText, arguments: z.nullish(z.unknown()) })),
});

const Reply = z.object({
  content: z.nullish(z.union([z.string(), z.array(z.record(z.string(), z.unknown()))])),
  reasoning_content: MaybeText,
  reasoning: MaybeText,
  refusal: MaybeText,
  tool_calls: z.nullish(z.array(CallPiece)),
});

const Choice = z.object({ delta: z.nullish(Reply), message: z.nullish(Reply), finish_reason: MaybeText });

const Completion = z.object({
  choices: z.nullish(z.array(Choice)),
  usage: z.nullish(
    z.object({
      prompt_tokens: MaybeCount,
      completion_tokens: MaybeCount,
      prompt_tokens_details: z.nullish(z.object({ cached_tokens: MaybeCount })),
    }),
  ),
});

/** Yields `end` last. Throws an `AppError`, for example `endpoint-cut` if the response breaks off or `endpoint-refused` if the server withholds it. */
export async function* readAnswer(pieces: AsyncIterable<string>): AsyncGenerator<AnswerPart> {
  const calls = createCallIndexer();
  let end: AnswerPart | undefined;
  let hasSaid = false;
  for await (const event of parseEvents(pieces)) {
    if (event === 'done') {
      if (!hasSaid) throw createInvalidResponseError('The stream holds no choice.');
      // Some servers mark the end only with `[DONE]`.
      end ??= { type: 'end', isCut: false };
      break;
    }
    if (event.isWhole) yield { type: 'whole' };
    for (const part of parseParts(event.value, calls)) {
      hasSaid = true;
      if (part.type === 'end') end = part;
      else yield part;
    }
  }
  if (!end) throw new AppError('endpoint-cut', 'The answer has no end.');
  yield end;
}

function* parseParts(value: unknown, placeOf: ReturnType<typeof createCallIndexer>): Generator<AnswerPart> {
  const checked = read(Completion, value);
  const isCompletion = checked.ok && (checked.value.choices || checked.value.usage);
  const fault = isCompletion ? undefined : faultInEvent(value);
  if (fault) throw fault;
  if (!checked.ok) throw createInvalidResponseError(checked.reason);
  const { choices, usage } = checked.value;
  if (!isCompletion) throw createInvalidResponseError(`It holds no choices: ${JSON.stringify(value)}`);
  const [choice] = choices ?? [];
  const said = choice?.delta ?? choice?.message;
  if (said) yield* partsOfMessage(said, placeOf);
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

function* partsOfMessage(
  said: z.infer<typeof Reply>,
  placeOf: ReturnType<typeof createCallIndexer>,
): Generator<AnswerPart> {
  yield* yieldIfNotEmpty('thought', said.reasoning_content ?? said.reasoning ?? '');
  const parts = typeof said.content === 'string' ? [{ text: said.content }] : (said.content ?? []);
  for (const part of parts) {
    const inner = part['thinking'];
    if (inner !== undefined) yield* yieldIfNotEmpty('thought', joinText(inner));
    else yield* yieldIfNotEmpty('text', joinText(part['text']));
  }
  yield* yieldIfNotEmpty('text', said.refusal ?? '');
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

function* yieldIfNotEmpty(type: 'text' | 'thought', said: string): Generator<AnswerPart> {
  if (said !== '') yield { type, text: said };
}

function joinText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map((part: unknown) => joinText((part as { text?: unknown } | null)?.text)).join('');
}

/** Finds the tool call that a piece belongs to. If the piece has no index, a new id starts a call. Otherwise the piece continues the last call. */
function createCallIndexer(): (index: number | undefined, id: string) => number {
  let last = -1;
  let lastId = '';
  return (index, id) => {
    if (index !== undefined) last = index;
    else if (last < 0 || (id !== '' && id !== lastId)) last += 1;
    if (id !== '') lastId = id;
    return last;
  };
}

type AnswerEvent = 'done' | { value: unknown; isWhole: boolean };

async function* parseEvents(pieces: AsyncIterable<string>): AsyncGenerator<AnswerEvent> {
  let rest = '';
  let data: string[] = [];
  let isStream: boolean | undefined;
  function* endOfEvent(): Generator<AnswerEvent> {
    const text = data.join('\n');
    data = [];
    if (text !== '') yield text === '[DONE]' ? 'done' : { value: parseEventData(text), isWhole: false };
  }
  for await (const piece of pieces) {
    rest += piece;
    isStream ??= isEventStream(rest);
    if (!isStream) continue;
    // The line feed after a final carriage return may be in the next piece.
    const isHalf = rest.endsWith('\r');
    const lines = (isHalf ? rest.slice(0, -1) : rest).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + (isHalf ? '\r' : '');
    for (const line of lines) {
      if (line === '') yield* endOfEvent();
      else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
      // llama.cpp reports errors in this format.
      else if (line.startsWith('error:')) data.push(`{"error":${line.slice(6)}}`);
    }
  }
  if (isStream) {
    const last = rest.replace(/\r$/, '');
    if (last.startsWith('data:')) data.push(last.slice(5).trim());
    // Drop an incomplete event: the connection broke, and the caller reports that instead of invalid JSON.
    const text = data.join('\n');
    if (text === '[DONE]' || parseJson(text) !== undefined) yield* endOfEvent();
    return;
  }
  const whole = rest.trim();
  if (whole === '') throw createInvalidResponseError('The answer is empty.');
  yield { value: parseEventData(whole), isWhole: true };
}

/** True if the text is an event stream. Undefined until enough text has arrived. */
function isEventStream(text: string): boolean | undefined {
  const [first] = text.replace(/^\uFEFF/, '').trimStart();
  if (first === undefined) return undefined;
  return first !== '{' && first !== '[' && first !== '<';
}

function parseEventData(text: string): unknown {
  const value = parseJson(text);
  if (value !== undefined) return value;
  throw createInvalidResponseError(/^\s*</.test(text) ? 'It is a web page.' : `It is no JSON: ${text}`);
}

/** The calls that the newest request plainly spells out, where they would work. */
import type { Message } from '../contracts/message';
import { noteIn } from '../contracts/note-text';
import { textOf } from '../contracts/text-of';
import type { Tool, ToolOutput } from '../contracts/tool';
import { readFollowUp } from './follow-up';
import { readNoteRequest } from './read-note-request';
import { type PlainCall, readRequest } from './read-request';
import { readWeather } from './read-weather';
import type { IsPlace } from './weather';

/**
 * Undefined where the model had better decide: also where a call would fail, since the request then was only worded like one. The
 * calls touch nothing, so each is tried first.
 */
export async function callsPlainly(
  history: readonly Message[],
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<PlainCall[] | undefined> {
  const last = history.at(-1);
  if (last?.role !== 'user') return undefined;
  const request = textOf(last.content);
  const note = readNoteRequest(request, tools);
  if (note && (note.isCertain || (await findsNote(note.call, tools, signal)))) return [note.call];
  const isPlace = tools.some(({ name }) => name === 'weather') ? await loadPlaces() : undefined;
  const weather = isPlace && readWeather(history, isPlace);
  const calls =
    weather && weather.length > 0 ? weather : (readRequest(request, tools, isPlace) ?? goOn(history, tools));
  if (!calls) return undefined;
  // A sum is one, whatever comes of it.
  const guessed = calls.filter(({ name }) => name !== 'calculator');
  const worked = await Promise.all(guessed.map((call) => works(call, tools, signal)));
  if (worked.includes(false)) return undefined;
  return calls;
}

/** Whether the newest message asks for the weather and nothing tells where. */
export async function lacksPlace(
  history: readonly Message[],
  tools: readonly Pick<Tool, 'name'>[],
): Promise<boolean> {
  if (!tools.some(({ name }) => name === 'weather')) return false;
  return readWeather(history, await loadPlaces())?.length === 0;
}

/** The table is that of the clock, and comes when it is first wanted: the sooner, the less a first request waits for. */
export async function loadPlaces(): Promise<IsPlace> {
  const { placeIndex, toKey } = await import('../tools/builtin/clock/place-index');
  return (name) => placeIndex.has(toKey(name));
}

function goOn(history: readonly Message[], tools: readonly Tool[]): PlainCall[] | undefined {
  const expression = tools.some(({ name }) => name === 'calculator') ? readFollowUp(history) : undefined;
  return expression === undefined ? undefined : [{ name: 'calculator', arguments: { expression } }];
}

/** `What did I tell you about Oslo?` may mean this chat, where no note does. */
async function findsNote(call: PlainCall, tools: readonly Tool[], signal: AbortSignal): Promise<boolean> {
  const tool = tools.find(({ name }) => name === call.name);
  const output = await tool
    ?.execute(call.arguments, { signal, onProgress: () => undefined })
    .catch(() => undefined);
  return output?.content.some((part) => part.type === 'text' && noteIn(part.text) !== undefined) ?? false;
}

/** Whether a call would end well. One that touches anything is not tried, and is taken to. */
export async function works(call: PlainCall, tools: readonly Tool[], signal: AbortSignal): Promise<boolean> {
  if (!isPure(call, tools)) return true;
  const output = await outcomeOf(call, tools, signal);
  // None: stopped in the meantime, which the turn finds out by itself.
  return output !== undefined && !output.isError;
}

/** What comes of a call that touches nothing; undefined of any other, and where `signal` aborts or the tool breaks down. */
export async function outcomeOf(
  call: PlainCall,
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<ToolOutput | undefined> {
  if (!isPure(call, tools)) return undefined;
  const tool = tools.find(({ name }) => name === call.name);
  const context = { signal, onProgress: () => undefined };
  return tool?.execute(call.arguments, context).catch(() => undefined);
}

function isPure({ name, arguments: given }: PlainCall, tools: readonly Tool[]): boolean {
  return tools.find((one) => one.name === name)?.effects(given).type === 'pure';
}

/** PURE: how the screen words what happens in a turn: tool titles, the one line of a folded call, and recoveries. */
import { noteIn, recallName } from '../../contracts/note';
import type { RecoveryStep } from '../../contracts/model-library';
import { read, z } from '../../contracts/schema';
import type { ToolSpec } from '../../contracts/tool';
import type { RestWords } from '../i18n/words';
import type { Language } from '../i18n/language.svelte';

/** The title of a tool, translated if it is built in. A removed tool keeps the name that the model used. */
export function titleOfTool(name: string, tools: readonly ToolSpec[], words: RestWords['tools']): string {
  return words.titles[name] ?? tools.find((tool) => tool.name === name)?.title ?? name;
}

const Arguments = z.record(z.string(), z.unknown());
/** Maximum characters of a folded call's line. CSS cuts it further to fit. */
const maxCharacters = 200;

/** The argument values of a call on one line, without their names; the raw text if it is not a JSON object. */
export function askedOf(argumentsText: string): string {
  const values = valuesOf(argumentsText);
  const asked = values
    ?.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ');
  return oneLine(asked ?? argumentsText);
}

export function cameBackOf(result: string): string {
  return oneLine(result.split('\n').find((line) => line.trim() !== '') ?? '');
}

/** The result of a note tool in the user's language; undefined for any other tool. The model always reads English. */
export function shownNote(tool: string, result: string, words: RestWords['call']): string | undefined {
  if (tool === 'remember') return words.noteKept;
  if (tool !== recallName) return undefined;
  const count = result.match(/^Note of \d{4,}-\d\d-\d\d: /gm)?.length ?? 0;
  const only = count === 1 ? noteIn(result) : undefined;
  return only === undefined ? words.notesFound(count) : cameBackOf(only);
}

/** The clock's result (`2026-11-24 05:51 Tuesday`) in the user's language; undefined for any other tool or text. */
export function shownTime(tool: string, result: string, language: string): string | undefined {
  const [, date, time] = (tool === 'clock' && /^(\d{4}-\d\d-\d\d) (\d\d:\d\d) /.exec(result)) || [];
  if (date === undefined || time === undefined) return undefined;
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' });
  return `${time}, ${day.format(new Date(`${date}T00:00Z`))}`;
}

export function writeRecovery(step: RecoveryStep, language: Language): string {
  const words = language.rest.recovery;
  const { rung, fault, from, to, contextTokens, missing } = step;
  return [
    words.because(from, words.reasons[fault] ?? words.unknown),
    words.steps[rung](to, language.number(contextTokens)),
    ...(missing === undefined ? [] : [words.missing(missing)]),
  ].join(words.between);
}

function valuesOf(text: string): unknown[] | undefined {
  try {
    const parsed = read(Arguments, JSON.parse(text));
    return parsed.ok ? Object.values(parsed.value) : undefined;
  } catch {
    // The model is still writing the call, or wrote invalid JSON.
    return undefined;
  }
}

function oneLine(text: string): string {
  return text.slice(0, maxCharacters).replace(/\s+/g, ' ').trim();
}

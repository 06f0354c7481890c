/** PURE: texts that describe a turn, such as tool titles and the line of a folded call. */
import { noteIn } from '../../contracts/note';
import type { RecoveryStep } from '../../contracts/model-library';
import { read, z } from '../../contracts/schema';
import type { ToolSpec } from '../../contracts/tool';
import type { RestWords } from '../i18n/words';
import type { Language } from '../i18n/language.svelte';
import { recallToolName } from '../../contracts/tool-names';

/** The title of a tool, translated if the tool is built in. For a removed tool, the name that the model used. */
export function titleOfTool(name: string, tools: readonly ToolSpec[], words: RestWords['tools']): string {
  return words.titles[name] ?? tools.find((tool) => tool.name === name)?.title ?? name;
}

const ToolArguments = z.record(z.string(), z.unknown());
/** In characters. CSS cuts the line further to fit its width. */
const maxLineCharacters = 200;

/** Joins the values of a call's arguments, without names. Returns the raw text if it is not a JSON object. */
export function joinArguments(argumentsText: string): string {
  const values = readArgumentValues(argumentsText);
  const asked = values
    ?.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ');
  return toOneLine(asked ?? argumentsText);
}

export function toResultLine(result: string): string {
  return toOneLine(result.split('\n').find((line) => line.trim() !== '') ?? '');
}

/** Translates the result of a note tool for the user. The model always reads English. Undefined for other tools. */
export function translateNote(tool: string, result: string, words: RestWords['call']): string | undefined {
  if (tool === 'remember') return words.noteKept;
  if (tool !== recallToolName) return undefined;
  const count = result.match(/^Note of \d{4,}-\d\d-\d\d: /gm)?.length ?? 0;
  const only = count === 1 ? noteIn(result) : undefined;
  return only === undefined ? words.notesFound(count) : toResultLine(only);
}

/** Translates a result of the clock tool, such as `2026-11-24 05:51 Tuesday`. Undefined for other tools or texts. */
export function translateClock(tool: string, result: string, language: string): string | undefined {
  const [, date, time] = (tool === 'clock' && /^(\d{4}-\d\d-\d\d) (\d\d:\d\d) /.exec(result)) || [];
  if (date === undefined || time === undefined) return undefined;
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' });
  return `${time}, ${day.format(new Date(`${date}T00:00Z`))}`;
}

export function describeRecovery(step: RecoveryStep, language: Language): string {
  const words = language.rest.recovery;
  const { rung, fault, from, to, contextTokens, missing } = step;
  return [
    words.because(from, words.reasons[fault] ?? words.unknown),
    words.steps[rung](to, language.number(contextTokens)),
    ...(missing === undefined ? [] : [words.missing(missing)]),
  ].join(language.rest.common.sentenceSeparator);
}

function readArgumentValues(text: string): unknown[] | undefined {
  try {
    const parsed = read(ToolArguments, JSON.parse(text));
    return parsed.ok ? Object.values(parsed.value) : undefined;
  } catch {
    // The model is still writing the arguments, or they are invalid JSON.
    return undefined;
  }
}

function toOneLine(text: string): string {
  return text.slice(0, maxLineCharacters).replace(/\s+/g, ' ').trim();
}

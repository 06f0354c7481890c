/** What stands on the one line of a folded call: what was asked, and what came back. */
import { read, z } from '../../contracts/schema';

const Arguments = z.record(z.string(), z.unknown());
/** Enough for any line; the rest is cut by the screen. */
const maxCharacters = 200;

/** The values of the arguments without their names, or the text itself where it is no JSON object. */
export function askedOf(argumentsText: string): string {
  const values = valuesOf(argumentsText);
  const asked = values
    ?.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ');
  return oneLine(asked ?? argumentsText);
}

/** The first line that says something. */
export function cameBackOf(result: string): string {
  return oneLine(result.split('\n').find((line) => line.trim() !== '') ?? '');
}

function valuesOf(text: string): unknown[] | undefined {
  try {
    const parsed = read(Arguments, JSON.parse(text));
    return parsed.ok ? Object.values(parsed.value) : undefined;
  } catch {
    // Still being written, or a call that could not be read.
    return undefined;
  }
}

function oneLine(text: string): string {
  return text.slice(0, maxCharacters).replace(/\s+/g, ' ').trim();
}

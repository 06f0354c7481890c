/** Decides whether a reply is right: calls by name and arguments, expressions by their value, answers by their facts. */
import { calculate } from '../../src/tools/builtin/calculator/calculate';
import type { Case, WrittenCall } from './cases';

export interface Reply {
  calls: readonly WrittenCall[];
  /** Whether a call could not be read. Such a call is not among `calls`. */
  hasInvalid: boolean;
  text: string;
}

export function isRight({ calls: wanted = [], facts }: Case, { calls, hasInvalid, text }: Reply): boolean {
  if (hasInvalid) return false;
  if (facts) return calls.length === 0 && text.trim() !== '' && facts.every((fact) => text.includes(fact));
  if (calls.length === 0 && text.trim() === '') return false;
  return wanted.some(
    (list) =>
      list.length === calls.length && list.every((call, index) => isSame(call, calls[index] ?? nothing)),
  );
}

const nothing: WrittenCall = { name: '', arguments: {} };

function isSame(wanted: WrittenCall, got: WrittenCall): boolean {
  const given = { ...got.arguments };
  if (wanted.name === 'web_search') delete given['depth'];
  const keys = Object.keys(wanted.arguments);
  return (
    wanted.name === got.name &&
    keys.length === Object.keys(given).length &&
    keys.every((key) => key in given && isSameValue(wanted.name, wanted.arguments[key], given[key]))
  );
}

function isSameValue(tool: string, wanted: unknown, given: unknown): boolean {
  if (tool === 'calculator') {
    const [one, other] = [calculate(String(wanted)), calculate(String(given))];
    return one.ok && other.ok && one.value === other.value;
  }
  if (tool === 'web_search' || tool === 'clock') return loosely(String(wanted)) === loosely(String(given));
  return JSON.stringify(wanted) === JSON.stringify(given);
}

function loosely(text: string): string {
  return text
    .replace(/[?!.,;。？！，《》“”"]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

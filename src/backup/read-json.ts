/** Reads JSON that anybody may have written. */
import { damaged, refused } from './failures';

/** Deeper than any row of ours nests. */
const mostDepth = 100;

/** Rejects what is no JSON, nests too deep, or has a key that stands for the prototype. */
export function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(`A line in it is no JSON: ${String(error)}`);
  }
  check(value, mostDepth);
  return value;
}

function check(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth === 0) throw refused('It nests too deep.');
  if (Object.hasOwn(value, '__proto__')) throw refused('It has a key that stands for the prototype.');
  for (const item of Object.values(value) as unknown[]) check(item, depth - 1);
}

/** A call as Python writes it, for the dialects whose models were trained on code. */

export function writePython(call: { name: string; arguments: Record<string, unknown> }): string {
  const named = Object.entries(call.arguments).map(([key, value]) => `${key}=${writeValue(value)}`);
  return `${call.name}(${named.join(', ')})`;
}

function writeValue(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null || value === undefined) return 'None';
  if (Array.isArray(value)) return `[${value.map(writeValue).join(', ')}]`;
  if (typeof value === 'object') {
    const pairs = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${writeValue(inner)}`);
    return `{${pairs.join(', ')}}`;
  }
  return JSON.stringify(value);
}

import type { JsonSchema } from '../contracts/schema';
import type { ToolSpec } from '../contracts/tool';

export type ToolIndex = ReturnType<typeof indexTools>;

export function indexTools(tools: readonly ToolSpec[]) {
  const exact = new Map(tools.map((tool) => [tool.name, tool]));
  const plain = new Map<string, ToolSpec | null>();
  // If two tools differ only in spelling, a loose match finds neither of them.
  for (const tool of tools)
    plain.set(normaliseName(tool.name), plain.has(normaliseName(tool.name)) ? null : tool);
  const spellings = [...plain.keys()];

  return {
    tools,
    /** `isExact`: false if we had to ignore case, dashes or a prefix. */
    find(written: string): { tool: ToolSpec; isExact: boolean } | undefined {
      const name = written.trim();
      const tool = exact.get(name);
      if (tool) return { tool, isExact: true };
      const unescaped = name.replaceAll('\\', '');
      for (const spelling of [unescaped, ...withoutPrefixes(unescaped)]) {
        const found = exact.get(spelling) ?? plain.get(normaliseName(spelling));
        if (found) return { tool: found, isExact: false };
      }
      return undefined;
    },
    mayBegin: (text: string) => spellings.some((spelling) => spelling.startsWith(normaliseName(text))),
    /** At most three similar names, most similar first. */
    nearest: (written: string) =>
      tools
        .map(({ name }) => ({ name, distance: editDistanceOf(normaliseName(name), normaliseName(written)) }))
        .filter(({ name, distance }) => distance <= Math.max(2, name.length / 3))
        .sort((a, b) => a.distance - b.distance)
        .slice(0, 3)
        .map(({ name }) => name),
  };
}

/** Removes prefixes and numbers that some dialects add: `functions.f`, `functions.f:0`, `ns:mcp:f`, `f:f`. */
function withoutPrefixes(name: string): string[] {
  const unnumbered = name.replace(/:\d+$/, '');
  const known = unnumbered.replace(/^(?:functions?|default_api)[.:/]/i, '');
  return [unnumbered, known, unnumbered.slice(unnumbered.lastIndexOf(':') + 1)].filter(
    (spelling) => spelling !== name && spelling !== '',
  );
}

function normaliseName(name: string): string {
  return name.toLowerCase().replace(/[-_\s\\]/g, '');
}

function editDistanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const changed = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, changed));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

export function fieldsOf(schema: JsonSchema): Record<string, JsonSchema> {
  const { properties } = schema;
  return isRecord(properties) ? (properties as Record<string, JsonSchema>) : {};
}

export type AnyRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is AnyRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

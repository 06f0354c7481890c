/** Generates schemas like those of third parties, and values that ignore them. The same seed gives the same ones. One in four is hostile. */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Random = () => number;

export interface Generated {
  schema: Record<string, unknown>;
  /** Values as JSON. */
  values: string[];
}

/** `bench/schemas/run.js` checks the first thousand seeds. */
export function generate(seed: number, count: number): Generated {
  const random = createRandom(seed);
  const schema = schemaOf(random);
  return {
    schema,
    values: Array.from({ length: count }, () => JSON.stringify(valueFor(schema, random))),
  };
}

function createRandom(seed: number): Random {
  let state = ((seed * 7919) % 2_147_483_646) + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const pick = <Value>(random: Random, list: readonly Value[]): Value =>
  list[Math.floor(random() * list.length)] as Value;
const upTo = (random: Random, most: number) => Math.floor(random() * (most + 1));
const times = <Value>(count: number, make: (at: number) => Value) =>
  Array.from({ length: count }, (_, at) => make(at));

/** Patterns that backtrack forever (`endless`) cost a check its full second, so only a few of the patterns do. */
const patterns = ['^[a-z]+$', '^\\d{4}-\\d{2}-\\d{2}$', '\\p{L}+', '^(?=.*x).{0,20}$', '(?:ab|cd)*e'];
const endless = ['^(a+)+$', '^(a|a)*$', '^([a-z]+)*\\d$'];
const odd: Json[] = [null, -1, 1e308, '', 'x', [], {}, true, { type: 'string' }];

function schemaOf(random: Random): Record<string, unknown> {
  const isHostile = random() < 0.25;
  // Half of the hostile schemas obey the rules for tools. They do harm through their values and patterns.
  const isOdd = isHostile && random() < 0.5;
  const count = isOdd && random() < 0.3 ? 50 + upTo(random, 2000) : 1 + upTo(random, isHostile ? 49 : 5);
  const traps = ['__proto__', 'constructor', 'a b', '', 'é', 'x'.repeat(70)];
  const names = times(count, (at) => (isOdd && random() < 0.05 ? pick(random, traps) : `k${at}`));
  const kinds = { isHostile, isOdd };
  const properties = Object.fromEntries(names.map((name) => [name, fieldOf(random, kinds, 0)]));
  return {
    type: 'object',
    properties,
    ...(random() < 0.5 && { required: names.filter(() => random() < 0.5) }),
    ...(isOdd && random() < 0.2 && { [pick(random, ['$ref', 'allOf', 'type'])]: pick(random, odd) }),
  };
}

interface Kinds {
  isHostile: boolean;
  isOdd: boolean;
}

function fieldOf(random: Random, kinds: Kinds, depth: number): unknown {
  const { isHostile, isOdd } = kinds;
  if (isOdd && random() < 0.05) return pick(random, odd);
  const scalars = ['string', 'string', 'number', 'integer', 'boolean'];
  const isAnywhere = isOdd && random() < 0.3;
  const nested = depth === 0 || isAnywhere ? ['array', 'object'] : [];
  const type = pick(random, depth < 4 ? [...scalars, ...nested] : scalars);
  const limit = () => (isHostile ? pick(random, [0, 1, 5, 1e9]) : upTo(random, 20));
  const pattern = () => pick(random, isHostile && random() < 0.1 ? endless : isOdd ? ['[', '('] : patterns);
  switch (type) {
    case 'string':
      return {
        type,
        ...(random() < 0.2 && { enum: times(1 + upTo(random, isHostile ? 190 : 5), (at) => `choice ${at}`) }),
        ...(random() < 0.2 && { minLength: limit(), maxLength: limit() }),
        ...(random() < 0.2 && { pattern: pattern() }),
      };
    case 'number':
    case 'integer':
      return { type, ...(random() < 0.4 && { minimum: limit(), maximum: limit() }) };
    case 'array':
      return {
        type,
        items: isAnywhere ? fieldOf(random, kinds, depth + 1) : { type: pick(random, scalars) },
        ...(random() < 0.3 && { minItems: limit(), maxItems: limit() }),
      };
    case 'object': {
      const inner = times(
        1 + upTo(random, 4),
        (at) => [`k${at}`, fieldOf(random, kinds, depth + 1)] as const,
      );
      return { type, properties: Object.fromEntries(inner) };
    }
    default:
      return { type };
  }
}

function valueFor(schema: unknown, random: Random, depth = 0): Json {
  const {
    type,
    properties,
    items,
    enum: listed,
  } = (typeof schema === 'object' && schema !== null ? schema : {}) as Record<string, unknown>;
  if (random() < 0.12) return rubbish(random, depth);
  if (Array.isArray(listed) && random() < 0.8) return pick(random, listed as Json[]);
  switch (type) {
    case 'string':
      return pick(random, [
        '',
        'abc',
        '2026-11-24',
        'a'.repeat(upTo(random, 40)) + '!',
        '💥'.repeat(upTo(random, 30)),
        '\u0000',
      ]);
    case 'number':
    case 'integer':
      return pick(random, [0, -1, 1.5, 1e308, 7, upTo(random, 100)]);
    case 'array':
      return times(depth === 1 && random() < 0.002 ? 2_000 : upTo(random, 8), () =>
        valueFor(items, random, depth + 1),
      );
    case 'object': {
      const entries = Object.entries(properties ?? {}).filter(() => random() < 0.9);
      const more = random() < 0.1 ? [['unknown', 1]] : [];
      return Object.fromEntries([
        ...entries.map(([name, inner]) => [name, valueFor(inner, random, depth + 1)]),
        ...more,
      ]) as Json;
    }
    default:
      return random() < 0.5;
  }
}

/** Only the whole is large, because no result holds more than a quarter of a million characters. */
function rubbish(random: Random, depth: number): Json {
  const kind = depth === 0 ? random() : 1;
  if (kind < 0.01) return times(30_000, (at) => at);
  if (kind < 0.02) return 'x'.repeat(100_000);
  if (kind < 0.03) return JSON.parse('['.repeat(60) + ']'.repeat(60)) as Json;
  if (kind < 0.04) return Object.fromEntries(times(2_000, (at) => [`n${at}`, at]));
  return pick(random, odd);
}

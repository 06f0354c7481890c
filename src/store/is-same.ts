/** PURE: whether two values of stored rows say the same, as JSON would write them. */

/** Looks no deeper than rows are allowed to nest. A field that is `undefined` counts as missing. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (one instanceof Uint8Array && other instanceof Uint8Array) return areSameBytes(one, other);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [ofOne, ofOther] = [fieldsOf(one), fieldsOf(other)];
  if (ofOne.size !== ofOther.size) return false;
  return [...ofOne].every(([name, value]) => ofOther.has(name) && isSame(value, ofOther.get(name)));
}

function areSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

function fieldsOf(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).filter(([, item]) => item !== undefined));
}

/** Finds which of many marks stands at a place, without regard to case, and whether one could still be growing there. */

export interface Found<Value> {
  /** The longest mark that stands there whole. */
  mark?: { value: Value; length: number };
  /** The text ended inside a longer one. */
  isOpen: boolean;
}

export interface Marks<Value> {
  /** Whether a mark begins with this character code. */
  begins(code: number): boolean;
  at(text: string, index: number): Found<Value>;
}

/** Some hundreds of them, in a list by their first character: a tree with a node for each character takes megabytes. */
export function createMarks<Value>(marks: Iterable<readonly [string, Value]>): Marks<Value> {
  const byFirst = new Map<number, { codes: Uint16Array; value: Value }[]>();
  for (const [text, value] of marks) {
    const codes = Uint16Array.from({ length: text.length }, (_, index) => lower(text.charCodeAt(index)));
    const [first] = codes;
    if (first === undefined) continue;
    byFirst.set(first, [...(byFirst.get(first) ?? []), { codes, value }]);
  }
  // The longest first. Of equal ones the first to claim a mark stays before the others, and keeps it.
  for (const some of byFirst.values()) some.sort((one, other) => other.codes.length - one.codes.length);

  return {
    begins: (code) => byFirst.has(lower(code)),
    at(text, index) {
      let isOpen = false;
      for (const { codes, value } of byFirst.get(lower(text.charCodeAt(index))) ?? []) {
        const { length } = codes;
        const most = Math.min(length, text.length - index);
        let same = 1;
        while (same < most && lower(text.charCodeAt(index + same)) === codes[same]) same += 1;
        if (same === length) return { mark: { value, length }, isOpen };
        // All of the rest of the text is its beginning.
        if (same === most) isOpen = true;
      }
      return { isOpen };
    },
  };
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

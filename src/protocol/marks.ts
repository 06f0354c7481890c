/** Finds which of many marks stands at a place, without regard to case, and whether one could still be growing there. */

interface Node<Value> {
  next: Map<number, Node<Value>>;
  value?: Value;
}

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

export function createMarks<Value>(marks: Iterable<readonly [string, Value]>): Marks<Value> {
  const root: Node<Value> = { next: new Map() };
  for (const [text, value] of marks) {
    let node = root;
    for (let index = 0; index < text.length; index++) {
      const code = lower(text.charCodeAt(index));
      const next = node.next.get(code) ?? { next: new Map() };
      node.next.set(code, next);
      node = next;
    }
    // The first to claim a mark keeps it.
    node.value ??= value;
  }

  return {
    begins: (code) => root.next.has(lower(code)),
    at(text, index) {
      let node = root;
      let mark: Found<Value>['mark'];
      for (let at = index; at < text.length; at++) {
        const next = node.next.get(lower(text.charCodeAt(at)));
        if (!next) return mark ? { mark, isOpen: false } : { isOpen: false };
        node = next;
        if (node.value !== undefined) mark = { value: node.value, length: at + 1 - index };
        if (node.next.size === 0) return mark ? { mark, isOpen: false } : { isOpen: false };
      }
      return mark ? { mark, isOpen: true } : { isOpen: true };
    },
  };
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** Kinds of coloured words. Each kind has a class `code-…` in `code.css`. */
export type CodeKind =
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'name'
  | 'type'
  | 'property'
  | 'tag'
  | 'added'
  | 'removed'
  | 'heading';

/** A coloured part of the code, by character indexes. Spans are sorted and do not overlap. */
export interface CodeSpan {
  from: number;
  to: number;
  kind: CodeKind;
}

/** Reads code in order, in steps of less than a millisecond, so that long code does not block the page. */
export type Grammar = (code: string) => Generator<readonly CodeSpan[], void>;

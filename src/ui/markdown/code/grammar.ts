/** What reads code for its colours, one step at a time, so that no code holds up the page however long it is. */

/** What the colours tell apart: classes of `code.css`, after `code-`. */
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

/** Places in the code, in characters; in order, and none over another. */
export interface CodeSpan {
  from: number;
  to: number;
  kind: CodeKind;
}

/** Reads code from its beginning. Each step takes a fraction of a millisecond and gives what it has found, often nothing. */
export type Grammar = (code: string) => Generator<readonly CodeSpan[], void>;

import { expect, test } from 'vitest';
import { findFirstGap, type TextRange } from '../../../src/text/cut';

test.for<{ given: TextRange[]; gap: TextRange }>([
  { given: [], gap: [0, 11] },
  { given: [[0, 4]], gap: [4, 11] },
  { given: [[5, 11]], gap: [0, 5] },
  {
    given: [
      [6, 11],
      [0, 2],
    ],
    gap: [2, 6],
  },
  {
    given: [
      [0, 6],
      [2, 4],
    ],
    gap: [6, 11],
  },
  {
    given: [
      [0, 5],
      [6, 11],
    ],
    gap: [11, 11],
  },
])('the first gap in a text is found: $gap is not covered by the ranges $given', ({ given, gap }) => {
  expect(findFirstGap('hello world', given)).toEqual(gap);
});

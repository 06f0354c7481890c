import { expect, test } from 'vitest';
import { fuseRanks } from '../../../../src/tools/tool-search/embedding';

const ranking = (...names: string[]) => names.map((name) => ({ name, score: 1 }));
const names = (...rankings: ReturnType<typeof ranking>[]) => fuseRanks(...rankings).map(({ name }) => name);

test('one ranking stays as it is, and none is none', () => {
  expect(names(ranking('a', 'b', 'c'))).toEqual(['a', 'b', 'c']);
  expect(names()).toEqual([]);
  expect(names([], ranking('a'))).toEqual(['a']);
});

test('what both name comes before what one of them has first', () => {
  expect(names(ranking('a', 'b'), ranking('c', 'b'))).toEqual(['b', 'a', 'c']);
});

test('of equals comes first what the first ranking named', () => {
  expect(names(ranking('a', 'b'), ranking('b', 'a'))).toEqual(['a', 'b']);
  expect(names(ranking('a'), ranking('b'))).toEqual(['a', 'b']);
});

test('only places count, and they add up', () => {
  const [first] = fuseRanks([{ name: 'a' }], [{ name: 'b' }, { name: 'a' }]);
  expect(first).toEqual({ name: 'a', score: 1 / 61 + 1 / 62 });
});

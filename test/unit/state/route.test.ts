import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashOf, routeOf } from '../../../src/state/route';

test.for([
  ['', { screen: 'chat' }],
  ['#/', { screen: 'chat' }],
  ['#/chat/a%20b', { screen: 'chat', chatId: 'a b' }],
  ['#/chat/%', { screen: 'chat' }],
  ['#/chat/%E0%A4%A', { screen: 'chat' }],
  ['#/tools/%ff', { screen: 'tools' }],
  ['#/tools/new', { screen: 'tools', toolId: 'new' }],
  ['#/personas', { screen: 'personas' }],
  ['#/personas/a%2Fb', { screen: 'personas', personaId: 'a/b' }],
  ['#/models/%', { screen: 'models' }],
  ['#/models/Qwen3-4B', { screen: 'models', modelId: 'Qwen3-4B' }],
  ['#/nowhere/at/all', { screen: 'chat' }],
] as const)('the route is read from the hash of a URL: "%s"', ([hash, route]) => {
  expect(routeOf(hash)).toEqual(route);
});

/** Any UTF-16 code unit, including unpaired surrogates. */
const anyUnit = fc.integer({ max: 0xffff, min: 0 }).map((code) => String.fromCharCode(code));

test('reading a malformed URL never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyUnit }), (text) => {
      expect(() => routeOf(`#/${text}`)).not.toThrow();
    }),
    { seed: 7 },
  );
});

test('a route stays the same when it is written to a URL and read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (chatId) => {
      expect(routeOf(hashOf({ screen: 'chat', chatId }))).toEqual({ screen: 'chat', chatId });
    }),
    { seed: 7 },
  );
});

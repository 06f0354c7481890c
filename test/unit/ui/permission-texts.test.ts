import { expect, test } from 'vitest';
import {
  areValuesShown,
  escapeInvisible,
  splitAddress,
  writeArguments,
} from '../../../src/ui/permissions/exact-text';

test.for<[text: string, shown: string]>([
  ['plain text, 中文, é, 😀', 'plain text, 中文, é, 😀'],
  ['a\u202eb', 'a\\u202eb'],
  ['a\u200bb\u00adc', 'a\\u200bb\\u00adc'],
  ['\u0007', '\\u0007'],
  ['\u2028', '\\u2028'],
  ['\u{e0041}', '\\udb40\\udc41'],
  ['Tiếng Việt, שָׁלוֹם, ไม่', 'Tiếng Việt, שָׁלוֹם, ไม่'],
  [`a${'\u0301'.repeat(10)}b`, `a${'\u0301'.repeat(8)}\\u0301\\u0301b`],
  ['\u3164\u2800\ufe0f', '\\u3164\\u2800\\ufe0f'],
])(
  'a permission question replaces only invisible characters with codes: %j is shown as %j',
  ([text, shown]) => {
    expect(escapeInvisible(text)).toBe(shown);
  },
);

test('a permission question shows the arguments as equivalent JSON, with invisible characters written as codes', () => {
  const input = { url: 'https://a.example/\u202e', list: [1, { deep: '\u{e0041}\n' }] };
  const written = writeArguments(input);
  expect(JSON.parse(written)).toEqual(input);
  expect(written).not.toMatch(/\p{Cf}/u);
  expect(written.split('\n').length).toBeGreaterThan(3);
});

test.for<[url: string, isComposed: boolean, place: string, tail: string]>([
  ['https://a.example/b', false, 'https://a.example/b', ''],
  ['https://a.example/b?c#d', false, 'https://a.example/b', '?c#d'],
  ['https://a.example/b#c?d', false, 'https://a.example/b', '#c?d'],
  ['https://a.example/b', true, 'https://a.example', '/b'],
  ['https://a.example:8443/b?c#d', true, 'https://a.example:8443', '/b?c#d'],
  ['https://a.example?c//d', true, 'https://a.example', '?c//d'],
  ['mailto:a@b.example?body=https://c.example', true, 'mailto:a@b.example', '?body=https://c.example'],
])(
  'an address is split before the part that can carry data: %s (composed by the model: %s)',
  ([url, isComposed, place, tail]) => {
    expect(splitAddress(url, isComposed)).toEqual({ place, tail });
  },
);

test.for<[input: Record<string, unknown>, areValuesShown: boolean]>([
  [{ url: 'https://a.example/b' }, true],
  [{ url: 'HTTPS://A.example/b' }, true],
  [{ query: 'words' }, true],
  [{}, true],
  [{ url: 'https://a.example/b', part: 2 }, false],
  [{ url: 'https://a.example/c' }, false],
  [{ query: 'other words' }, false],
  [{ query: ['words'] }, false],
])('arguments that only repeat what is already shown are recognised: %j gives %s', ([input, expected]) => {
  expect(areValuesShown(input, ['https://a.example/b', 'words'])).toBe(expected);
});

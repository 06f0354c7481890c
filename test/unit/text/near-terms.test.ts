import { expect, test } from 'vitest';
import { countTypos, createNearTermFinder } from '../../../src/text/lexical-index';

const near = createNearTermFinder([
  'weath',
  'weather',
  'calendar',
  'calculat',
  'currenci',
  'tim',
  'appointmen',
  'sha256',
  '天气',
]);

test.for<[string, string[]]>([
  ['cal', ['calculat', 'calendar']],
  ['wether', ['weather']],
  ['calender', ['calendar']],
  ['calclat', ['calculat']],
  ['curenci', ['currenci']],
  // Words of nine letters or more may have two differences.
  ['apointmne', ['appointmen']],
  // A longer word that starts like this beats a word with a typing error.
  ['weat', ['weath', 'weather']],
  // Terms that are too short, or too different.
  ['ti', []],
  ['kalendar', []],
  ['umbrella', []],
  ['sha512', []],
])('the unknown search term "%s" is matched to similar known terms: %o', ([term, meant]) => {
  expect(near(term)).toEqual(meant);
});

test.for<[string, string, number]>([
  ['clock', 'clock', 0],
  ['clock', 'clok', 1],
  ['clock', 'cloock', 1],
  ['clock', 'clork', 1],
  ['clock', 'colck', 1],
  ['clock', 'cloki', 2],
  ['clock', 'weather', 3],
])(
  'the letter changes that turn one word into another are counted up to 3: "%s" and "%s" differ by %d',
  ([one, other, slips]) => {
    expect(countTypos(one, other, 2)).toBe(slips);
    expect(countTypos(other, one, 2)).toBe(slips);
  },
);

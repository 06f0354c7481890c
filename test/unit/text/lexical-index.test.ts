import { expect, test } from 'vitest';
import { LexicalIndex, type Ranking } from '../../../src/text/lexical-index';

const ranking: Ranking = {
  saturation: 1.2,
  lengthShare: 0.6,
  lineLengthShare: 0.5,
  lineWeight: 1,
  lineShare: 0.5,
  nearShare: 0.2,
  meaningShare: 0.3,
  characterShare: 0.35,
};
const meaningsOf = (terms: readonly string[]) =>
  terms.flatMap((term) => (/^(boat|ship)$/.test(term) ? '=1' : []));
const texts = [
  'The keeper painted the door of the lighthouse.',
  'A boat came in, and lighthouses were lit.',
  'The ships left at noon; the painter stayed.',
  '灯塔的看守人叫林海生，他在岛上住了三十年。',
  '守望的人看着港口。',
  'Year 1887 was calm.',
];
const entries = texts.map((text, at) => ({
  id: String(at),
  stamp: '',
  read: () => ({ fields: [{ text, weight: 1, usual: 6 }], lines: [text.slice(0, 20)] }),
}));

test.for(['who painted it', 'lighthous keeepr', 'ship', '看守人是谁', '灯', 'paint 1887', 'the of', ''])(
  'a search index built for only one query returns the same hits as the full index: "%s"',
  (query) => {
    const whole = new LexicalIndex({ ranking, meaningsOf });
    const own = new LexicalIndex({ ranking, meaningsOf, onlyFor: query });
    whole.update(entries);
    own.update(entries);
    expect(own.search(query, 9)).toEqual(whole.search(query, 9));
    expect(own.toStored().terms.length).toBeLessThan(whole.toStored().terms.length);
  },
);

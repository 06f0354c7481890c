import { expect, test } from 'vitest';
import { quoteResult } from '../../../src/ember/tell-results';

const table = [
  '| item | count |',
  '| --- | ---: |',
  ...Array.from({ length: 20 }, (_, at) => `| part ${at} | ${at * 3} |`),
];
const minutes =
  'Minutes of the meeting of 3 November. Present were Kim, Ola and Rui. It was decided to repair the roof with slate (not tiles) before the end of March. ' +
  'The garden was put off until spring. Kim will ask two firms for prices. '.repeat(5);
const items = {
  items: Array.from({ length: 20 }, (_, id) => ({ id, at: { name: `lamp${id}`, room: ['hall'] } })),
};

test.for([
  ['a short text is quoted unchanged', 'Dear {name}, it is "on".', 'x', 'Dear {name}, it is "on".'],
  ['lines outside a list keep their line breaks', 'a: 1\nb: 2\n- c\n\nd', 'x', 'a: 1  \nb: 2\n- c\nd'],
  ['code is quoted unchanged', '```\na\nb\n```', 'x', '```\na\nb\n```'],
  ['a JSON value is written as lines', '[{"a":1},{"a":2}]', 'x', '- a: 1\n- a: 2'],
  [
    'only the matching row and the header of a long table are quoted',
    table.join('\n'),
    'how many of part 17?',
    [...table.slice(0, 2), table[19]].join('\n'),
  ],
  [
    'only the beginning of a long list without a matching row is quoted',
    table.slice(2).join('\n'),
    'colour?',
    `${table.slice(2, 6).join('\n')}\n…`,
  ],
  [
    'only the matching sentence of long prose is quoted',
    minutes,
    'What about the roof?',
    'It was decided to repair the roof with slate (not tiles) before the end of March.',
  ],
  ['long prose that shares no word with the question is left to the model', minutes, 'lunch?', undefined],
  ['an empty value is quoted as an empty text', '{"list":[],"next":null}', 'x', ''],
] as const)('%s', ([, text, question, said]) => {
  expect(quoteResult(text, question, 'en')).toBe(said);
});

test('only the matching lines of a long JSON value are quoted', () => {
  const said = quoteResult(JSON.stringify(items), 'where is lamp17?', 'en');
  expect(said).toContain('lamp17');
  expect(said).not.toContain('lamp3');
});

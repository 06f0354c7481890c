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
  ['a short text stands as it is', 'Dear {name}, it is "on".', 'x', 'Dear {name}, it is "on".'],
  ['lines that are no list do not run into one another', 'a: 1\nb: 2\n- c\n\nd', 'x', 'a: 1  \nb: 2\n- c\nd'],
  ['code is left alone', '```\na\nb\n```', 'x', '```\na\nb\n```'],
  ['a value is lines', '[{"a":1},{"a":2}]', 'x', '- a: 1\n- a: 2'],
  [
    'of a long table, the row that answers, with its head',
    table.join('\n'),
    'how many of part 17?',
    [...table.slice(0, 2), table[19]].join('\n'),
  ],
  [
    'of a long list, where no row answers, its beginning',
    table.slice(2).join('\n'),
    'colour?',
    `${table.slice(2, 6).join('\n')}\n…`,
  ],
  [
    'of long prose, the sentence that answers',
    minutes,
    'What about the roof?',
    'It was decided to repair the roof with slate (not tiles) before the end of March.',
  ],
  ['long prose without the question’s words is left to the model', minutes, 'lunch?', undefined],
  ['nothing is nothing', '{"list":[],"next":null}', 'x', ''],
] as const)('%s', ([, text, question, said]) => {
  expect(quoteResult(text, question, 'en')).toBe(said);
});

test('a long value gives the relevant lines with the names above them', () => {
  const said = quoteResult(JSON.stringify(items), 'where is lamp17?', 'en');
  expect(said).toContain('lamp17');
  expect(said).not.toContain('lamp3');
});

import { expect, test } from 'vitest';
import { describeValue } from '../../../src/ember/tell-results';

test.for([
  ['{"city":"Oslo","degrees":3}', 'city: Oslo, degrees: 3'],
  ['{"rolls":[17],"total":17}', 'rolls: 17, total: 17'],
  ['{"result":16.09344,"unit":"km"}', '16.09344 km'],
  ['{"value":5}', 'value: 5'],
  ['[4,1,6]', '4, 1, 6'],
  ['{"guests":["Kim","Ola"],"table":4}', 'guests: Kim, Ola; table: 4'],
  ['[{"task":"call","due":"10:00"},{"task":"rest","due":null}]', '- task: call, due: 10:00\n- task: rest'],
  [
    '{"station":{"name":"garden","wind":{"speed":14,"unit":"km/h"},"rain":{"amount":0,"unit":"mm"}}}',
    'name: garden, wind: 14 km/h, rain: 0 mm',
  ],
  [
    '{"order":{"number":5512,"items":[{"sku":"A1","count":2},{"sku":"B7","count":1}]},"ok":true}',
    '- order:\n  - number: 5512\n  - items:\n    - sku: A1, count: 2\n    - sku: B7, count: 1\n- ok: true',
  ],
  ['[]', ''],
  ['{}', ''],
  ['null', ''],
  ['{"list":[],"next":null,"note":""}', ''],
  ['{"a":{"b":{"c":{"d":{"e":{"f":{"g":1}}}}}}}', undefined],
  [String.raw`{"text":"one\ntwo"}`, undefined],
  ['{broken', undefined],
  ['Oslo', undefined],
] as const)('a JSON result is written in words: %s becomes %s', ([text, said]) => {
  expect(describeValue(text, 'en')?.join('\n')).toBe(said);
});

test('a Chinese JSON result is written with Chinese punctuation', () => {
  expect(describeValue('{"书名":"三体","标签":["科幻","小说"]}', 'zh')?.join()).toBe(
    '书名：三体；标签：科幻、小说',
  );
});

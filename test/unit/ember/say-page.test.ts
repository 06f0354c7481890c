import { expect, test } from 'vitest';
import { quotePage } from '../../../src/ember/tell-results';

const boats = 'The first boat leaves at 06:15. The last boat leaves at 21:50. Dogs travel free.';
const cake =
  'title: Plum cake\nPlum cake.\n\nStir flour and eggs. Bake it for an hour in an oven of 175 degrees.';

test.for([
  [
    'When does the last boat leave, according to https://a.example/boats ?',
    boats,
    'The page says: The last boat leaves at 21:50.',
  ],
  ['Do dogs pay? Read a.example/boats', boats, 'The page says: Dogs travel free.'],
  [
    'Open https://a.example/plum-cake and tell me how hot the oven is',
    cake,
    'Plum cake: Bake it for an hour in an oven of 175 degrees.',
  ],
] as const)('a question about a web page is answered with a quote from it: %s', ([question, text, said]) => {
  expect(quotePage(text, question, 'en')).toBe(said);
});

test('a Chinese question about a web page is answered with a Chinese quote', () => {
  const text = '开馆时间是 08:30。闭馆时间是 21:15。周一休息。';
  expect(quotePage(text, '看看 https://a.example/x 上写的闭馆时间是几点', 'zh')).toBe(
    '网页内容：闭馆时间是 21:15。',
  );
});

test.for([
  ['What does https://a.example/boats say?', boats],
  ['Read the page a.example/cats for me, please', boats],
  ['Are there cats?', 'Dogs travel free.'],
])('the model answers if no sentence of the web page matches: %s', ([question, text]) => {
  expect(quotePage(text!, question!, 'en')).toBeUndefined();
});

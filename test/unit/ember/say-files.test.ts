import { expect, test } from 'vitest';
import { quoteFiles } from '../../../src/ember/tell-results';

const trip = {
  name: 'trip.md',
  text: '# Trip to Lisbon\n\nWe leave on 3 May at 7:40 from gate B12. The hotel is the Avenida Palace.',
};
const prices = { name: 'prices.csv', text: 'item,price,city\nApples,3.50,Berlin\nCheese,12.40,Lyon\n' };
const beyond = 'I cannot find that in prices.csv, trip.md: I only look for the words of a question.';

test.for([
  ['From which gate do we leave?', 'trip.md: We leave on 3 May at 7:40 from gate B12.'],
  ['What does the document trip.md say about the hotel?', 'trip.md: The hotel is the Avenida Palace.'],
  ['How much is the cheese in this table?', 'prices.csv: Cheese,12.40,Lyon'],
] as const)('a question about a file is answered with the matching sentence: %s', ([question, said]) => {
  expect(quoteFiles([prices, trip], question, 'en')).toBe(said);
});

test.for(['What is the total of the price column?', 'Who painted it?'])(
  'the page admits that it cannot find the answer in the files: %s',
  (question) => {
    expect(quoteFiles([prices, trip], question, 'en')).toContain(beyond);
  },
);

test('a Chinese question is answered with a sentence from the Chinese file', () => {
  const file = { name: '日程.txt', text: '我们五月三日出发。登机口是B12。酒店订了四晚。' };
  expect(quoteFiles([file], '登机口是哪个？', 'zh')).toBe('《日程.txt》：登机口是B12。');
  expect(quoteFiles([prices], '价格一共是多少？', 'zh')).toContain('prices.csv');
});

test.for([
  ['What is this about?', 'en'],
  ['Please summarize the document', 'en'],
  ['What does it say?', 'en'],
  ['这里面讲了什么？', 'zh'],
  ['请帮我总结一下这份文件', 'zh'],
] as const)(
  'a question about a whole file is answered with the beginning of the file: %s',
  ([question, language]) => {
    const said = quoteFiles([trip, prices], question, language);
    expect(said).toContain('Trip to Lisbon We leave on 3 May at 7:40 from gate B12.');
    expect(said).toContain('item,price,city  \nApples,3.50,Berlin');
    expect(said).toContain(language === 'en' ? 'a larger model' : '更大的模型');
  },
);

test('the quoted beginning of a file ends after a sentence, if possible', () => {
  const long = { name: 'long.txt', text: `First things first. ${'Second and so on. '.repeat(40)}` };
  const said = quoteFiles([long], 'What is this about?', 'en');
  expect(said).toMatch(/^long\.txt begins: First things first\. Second .* so on\. …\n/);
  expect(said.length).toBeLessThan(500);
  const endless = { name: 'endless.txt', text: 'x'.repeat(5000) };
  expect(quoteFiles([endless], 'What is this about?', 'en')).toMatch(/^endless\.txt begins: x{300} …\n/);
});

test('the beginning of a JSON file that contains only a list is quoted', () => {
  const list = { name: 'list.json', text: '[{"city":"Oslo"},{"city":"Bergen"}]' };
  expect(quoteFiles([list], 'What is this about?', 'en')).toContain('list.json begins: [{"city":"Oslo"}');
});

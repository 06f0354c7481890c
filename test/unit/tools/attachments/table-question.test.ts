import { expect, test } from 'vitest';
import { readTable } from '../../../../src/tools/attachments/ask-table';
import { readTableQuestion } from '../../../../src/tools/attachments/table-question';

const towns = readTable(
  'town,country,people\nOslo,Norway,700000\nBergen,Norway,285900\nMalmö,Sweden,350000\nNew Aalborg,Denmark,120000',
  'table',
);
const spending = readTable(
  'month,category,amount\nJanuary,Food,120.50\nJanuary,Rent,900\nFebruary,Food,98\nFebruary,Rent,900',
  'table',
);
const sales = readTable('城市,产品,销量\n北京,茶,120\n上海,茶,340\n北京,咖啡,75', 'table');
const year = readTable('year,units,unit price\n2024,10,3.5\n2025,12,4', 'table');

test.each([
  [
    towns,
    'How many towns in the table are in Norway?',
    { where: [{ column: 'country', is: '=', value: 'Norway' }], aggregate: 'distinct', of: 'town' },
  ],
  [
    towns,
    'Which town has the most people?',
    { columns: ['town', 'people'], sortBy: 'people', descending: true, limit: 5 },
  ],
  [
    towns,
    'which town is the smallest',
    { columns: ['town', 'people'], sortBy: 'people', descending: false, limit: 5 },
  ],
  [
    towns,
    'How many people live in Norway?',
    { where: [{ column: 'country', is: '=', value: 'Norway' }], aggregate: 'sum', of: 'people' },
  ],
  [
    towns,
    'How many people live in New Aalborg?',
    { where: [{ column: 'town', is: '=', value: 'New Aalborg' }], aggregate: 'sum', of: 'people' },
  ],
  [
    towns,
    'How many towns have more than 200,000 people?',
    { where: [{ column: 'people', is: '>', value: 200_000 }], aggregate: 'distinct', of: 'town' },
  ],
  [towns, 'How many people are there per country?', { aggregate: 'sum', of: 'people', groupBy: 'country' }],
  [towns, 'What is the average number of people?', { aggregate: 'average', of: 'people' }],
  [towns, 'How many rows are there?', { aggregate: 'count' }],
  [towns, 'How many countries are there?', { aggregate: 'distinct', of: 'country' }],
  [spending, 'What is the total amount?', { aggregate: 'sum', of: 'amount' }],
  [
    spending,
    'How much did I spend on food?',
    { where: [{ column: 'category', is: '=', value: 'Food' }], aggregate: 'sum', of: 'amount' },
  ],
  [
    spending,
    'How much was it for food in January?',
    {
      where: [
        { column: 'month', is: '=', value: 'January' },
        { column: 'category', is: '=', value: 'Food' },
      ],
      aggregate: 'sum',
      of: 'amount',
    },
  ],
  [spending, 'total by category', { aggregate: 'sum', of: 'amount', groupBy: 'category' }],
  [spending, 'What is the highest amount?', { aggregate: 'max', of: 'amount' }],
  [
    sales,
    '北京的销量一共是多少？',
    { where: [{ column: '城市', is: '=', value: '北京' }], aggregate: 'sum', of: '销量' },
  ],
  [sales, '哪个城市的销量最高？', { columns: ['城市', '销量'], sortBy: '销量', descending: true, limit: 5 }],
  [sales, '平均销量是多少？', { aggregate: 'average', of: '销量' }],
  [sales, '每个城市的销量一共多少？', { aggregate: 'sum', of: '销量', groupBy: '城市' }],
  [year, 'What is the average unit price?', { aggregate: 'average', of: 'unit price' }],
])('%# the query of a question', (table, question, query) => {
  expect(readTableQuestion(table, question, 'orders')).toEqual(query);
});

test.each([
  [towns, 'What is the highest mountain in Norway?'],
  [towns, 'What is the average temperature in Oslo?'],
  [towns, 'How much is a flight to Oslo?'],
  [towns, 'How many ferries are in Norway?'],
  [towns, 'Who is the oldest king of Norway?'],
  [towns, 'How many towns have a ferry to Norway?'],
  [towns, 'What is the biggest fish?'],
  [towns, 'Which town is the oldest?'],
  [towns, 'Which towns are not in Norway?'],
  [towns, 'What is this table about?'],
  [
    towns,
    'Sum up this table in one sentence about towns and countries and what they have in common with people.',
  ],
  [towns, 'How many ferries are there?'],
  [towns, 'Which town has the second most people?'],
  [towns, 'What is the difference between the most and the least people?'],
  [towns, 'How old is Oslo?'],
  [towns, 'Hi!'],
  [towns, 'What is 12 * 12?'],
  [towns, 'What is the capital of Norway?'],
  [year, 'What was the most?'],
  [year, 'How many units in 2024?'],
  [spending, 'How many people are in Norway?'],
  [sales, '这个表格说了什么？'],
])('%# a question is left to the model', (table, question) => {
  expect(readTableQuestion(table, question, 'orders')).toBeUndefined();
});

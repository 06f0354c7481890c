/** Forty-one texts that repeat themselves on purpose: tables, lists, code, verse and forms, in both languages. No reply like them may be cut. */
const rows = (count: number, row: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => row(at)).join('\n');

export const repeatedOnPurpose: Readonly<Record<string, { text: string; request?: string }>> = {
  'the dividing line of a table': { text: `| a | b |\n|${'-'.repeat(120)}|${'-'.repeat(100)}|\n| 1 | 2 |` },
  'an empty table': { text: `| Day | Task | Done |\n| --- | --- | --- |\n${rows(31, () => '|  |  |  |')}` },
  'a table with the same cells': {
    text: `| Seat | State |\n| --- | --- |\n${rows(20, () => '| free | not booked |')}`,
  },
  'a table of results': { text: rows(40, (at) => `| ${at} | ok | ok | ok |`) },
  'a multiplication table': { text: rows(60, (at) => `7 x ${at} = ${7 * at}`) },
  'a list of zeros': { text: `[${'0, '.repeat(120)}0]` },
  'a matrix of zeros': { text: `[\n${rows(12, () => `  [${'0, '.repeat(11)}0],`)}\n]` },
  'a matrix of truth values': { text: `grid = [\n${rows(8, () => `  [${'False, '.repeat(7)}False],`)}\n]` },
  'a list of nulls': { text: `{"cells": [${'null, '.repeat(63)}null]}` },
  'a fraction': { text: `1/3 = 0.${'3'.repeat(200)}` },
  'a binary number': { text: `0b${'01'.repeat(128)}` },
  'a hexadecimal dump': {
    text: rows(16, (at) => `0x${(at * 16).toString(16).padStart(4, '0')}: ${'00 '.repeat(16)}`),
  },
  'different rows': { text: rows(60, (at) => `row ${at}: value ${at * 7}`) },
  'a blank form': { text: rows(12, () => `Name: ${'_'.repeat(30)}  Date: ${'_'.repeat(12)}`).slice(0, 400) },
  'an empty checklist': { text: rows(40, () => '- [ ] ') },
  'a list with one word each': { text: rows(12, () => '- TODO') },
  'a plan for each day of the week': {
    text: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
      .map(
        (day) =>
          `**${day}**\n- Breakfast: oatmeal with fruit and a glass of water\n- Lunch: chicken salad with bread\n- Dinner: soup with rice and vegetables\n- Snack: an apple and a handful of nuts`,
      )
      .join('\n\n'),
  },
  'a Chinese plan for each day': {
    text: ['周一', '周二', '周三', '周四', '周五']
      .map(
        (day) =>
          `${day}：\n- 早餐：燕麦粥和水果，一杯温水\n- 午餐：鸡肉沙拉配全麦面包\n- 晚餐：蔬菜汤和米饭，少油少盐`,
      )
      .join('\n'),
  },
  'a table of an HTML page': {
    text: `<table>\n${rows(30, () => '  <tr><td></td><td></td><td></td></tr>')}\n</table>`,
  },
  'cards of an HTML page': {
    text: ['Cats', 'Dogs', 'Birds', 'Fish', 'Frogs']
      .map(
        (name) =>
          `<div class="card">\n  <div class="card-header">\n    <h3 class="card-title">${name}</h3>\n  </div>\n  <div class="card-body">\n    <p class="card-text">Read more</p>\n    <a class="button" href="#">Open</a>\n  </div>\n</div>`,
      )
      .join('\n'),
  },
  'items of an HTML list': { text: `<ul>\n${rows(9, () => '  <li>Item</li>')}\n</ul>` },
  'nested closing tags': { text: '</div>\n'.repeat(12) },
  'getters of a class': {
    text: ['name', 'age', 'city', 'phone', 'mail', 'role']
      .map(
        (name) =>
          `  public String get_${name}() {\n    return this.${name};\n  }\n\n  public void set_${name}(String value) {\n    this.${name} = value;\n  }\n`,
      )
      .join('\n'),
  },
  'tests of a function': {
    text: rows(12, (at) => `test('case ${at}', () => {\n  expect(add(${at}, 1)).toBe(${at + 1});\n});`),
  },
  'rows of an SQL statement': {
    text: rows(30, (at) => `INSERT INTO users (id, name, active) VALUES (${at}, 'user', 1);`),
  },
  'prints in a row': { text: rows(8, () => 'print("-" * 20)') },
  'a tic-tac-toe board': { text: rows(3, () => ' X | O | X \n---+---+---') },
  'a chessboard': { text: rows(8, () => '. # . # . # . #') },
  'a maze': { text: rows(20, () => '#.#.#.#.#.#.#.#.#.#') },
  'a drum pattern': { text: rows(16, () => '|x-x-x-x-|x-x-x-x-|') },
  'chords of a song': { text: rows(8, () => 'C  G  Am  F') },
  'a round': {
    text: 'Row, row, row your boat,\nGently down the stream.\nMerrily, merrily, merrily, merrily,\nLife is but a dream.\n'.repeat(
      2,
    ),
    request: 'Write the words of a round twice: a song for children.',
  },
  'a refrain': {
    text: 'The sea, the sea, the open sea,\nThe blue, the fresh, the ever free!\n\nIt plays with the clouds.\n\nThe sea, the sea, the open sea,\nThe blue, the fresh, the ever free!',
  },
  'verse with the same beginnings': {
    text: rows(8, (at) => `I have a dream that day ${at + 1} will come, and we will stand together in it.`),
  },
  'a Chinese verse with a refrain': {
    text: '明月几时有，明月照我心。\n明月几时有，明月照我心。\n明月几时有，明月照我心。',
  },
  'a table of contents': { text: rows(4, (at) => `第${at + 1}章${'…'.repeat(60)}${at * 10}`) },
  laughter: { text: 'Ha ha ha ha ha ha ha ha, that is a good one!' },
  'Chinese laughter': { text: `${'哈'.repeat(30)}，太好笑了！` },
  'a punishment': {
    text: 'I must not talk in class.\n'.repeat(50),
    request: 'Write "I must not talk in class." fifty times.',
  },
  'a Chinese punishment': {
    text: '我以后不再迟到。\n'.repeat(30),
    request: '把“我以后不再迟到。”重复三十遍。',
  },
  'filler text': {
    text: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip.\n\n'.repeat(
      3,
    ),
    request: 'Give me three paragraphs of lorem ipsum.',
  },
};

import { describe, expect, test } from 'vitest';
import { createDialect, findLinkLabels } from '../../../src/ui/markdown/dialect';

const dialect = createDialect();
const types = (text: string) => dialect.readBlocks(text).tokens.map(({ type }) => type);

describe('the function readBlocks', () => {
  test.for([
    {
      name: 'a link definition may have its title on the next line',
      text: '[a]: https://a.example\n"b"\n',
      found: ['def'],
    },
    {
      name: 'the title of a link definition must end on its line',
      text: '[a]: https://a.example "b\n\nc"',
      found: ['paragraph', 'space', 'paragraph'],
    },
    {
      name: 'the label of a link definition must end on its line',
      text: '[a\nb]: https://a.example',
      found: ['paragraph'],
    },
    {
      name: 'a table with 33 columns is text',
      text: `${'|a'.repeat(33)}|\n${'|-'.repeat(33)}|\n`,
      found: ['paragraph'],
    },
    {
      name: 'a table with 32 columns is a table',
      text: `${'|a'.repeat(32)}|\n${'|-'.repeat(32)}|\n`,
      found: ['table'],
    },
    {
      name: 'a line without "|" ends a wide table',
      text: '|a|b|c|d|e|\n|-|-|-|-|-|\n|1|2|\nx\ny\n',
      found: ['table', 'paragraph'],
    },
    {
      name: 'a line without "|" is a row of a narrow table',
      text: '|a|b|\n|-|-|\n|1|2|\nx\n',
      found: ['table'],
    },
    {
      name: 'a long quote is cut in two',
      text: '> a line\n'.repeat(1000),
      found: ['blockquote', 'blockquote'],
    },
  ])('applies this syntax rule: $name', ({ text, found }) => {
    expect(types(text)).toEqual(found);
  });

  test('returns tokens that together contain every character of the text', () => {
    for (const text of [
      '# a\n\n- b\n  c\n\n> d\ne\n',
      '\n\na\n    b\n\n\n',
      '| a |\n|--|\n| b |\n\n<b>\n\n[c]: https://d.e\n',
    ]) {
      expect(
        dialect
          .readBlocks(text)
          .tokens.map(({ raw }) => raw)
          .join(''),
      ).toBe(text);
    }
  });

  test.for(['>', '> ', '- ', '1. ', '- > '])(
    'parses 20,000 repeated markers without exhausting the stack: %j',
    (marker) => {
      expect(
        JSON.stringify(dialect.readBlocks(marker.repeat(20_000) + 'a').tokens).match(/"tokens"/g)?.length,
      ).toBeLessThan(60);
    },
  );
});

describe('the function readInline', () => {
  test('parses text after an HTML tag as if the tag were not there', () => {
    const after = (text: string) => dialect.readInline(text, {}, 0).at(-1);
    expect(after('<a href="x"> https://a.example')).toMatchObject({ type: 'link' });
    expect(after('<pre> &#65;')).toMatchObject({ type: 'text', text: ' A' });
  });

  test.for([
    ['说明：**“先备份”**再升级。', 'strong“先备份”'],
    ['他说**「重点」**必须先看。', 'strong「重点」'],
    ['**提醒：**别忘了保存。', 'strong提醒：'],
    ['**价格：**10 元起，**速度快。**Fast 模式。', 'strong价格： strong速度快。'],
    ['*这一句是斜体（含括号）。*后面接着写。', 'em这一句是斜体（含括号）。'],
    ['~~旧的办法（不再用）。~~新的办法在下面。', 'del旧的办法（不再用）。'],
    ['**注意（Note）：**请先阅读。', 'strong注意（Note）：'],
    ['**日本語の強調。**次の文です。한국어는 **"인용문"**입니다.', 'strong日本語の強調。 strong"인용문"'],
    ['这是**"重点"**内容', 'strong"重点"'],
    ['价格 $5$，**总价：**见下', 'strong总价：'],
    ['请*不要（现在）*点。', 'em不要（现在）'],
    ['变量_名_称', ''],
    ['五 * 三，四 * 二', ''],
    ['a **b.**c', ''],
  ])('emphasis beside Chinese punctuation: %s', ([text, found]) => {
    const marked = dialect
      .readInline(text!, {}, 0)
      .flatMap((token) =>
        /^(?:strong|em|del)$/.test(token.type) ? `${token.type}${'text' in token ? token.text : ''}` : [],
      );
    expect(marked.join(' ')).toBe(found);
  });

  test.for([
    ['请看 https://example.com/docs（中文说明）了解更多。', 'https://example.com/docs'],
    ['见 https://example.com/guide，然后继续。', 'https://example.com/guide'],
    ['下载：**https://example.com/a**。完成。', 'https://example.com/a'],
    ['他说“https://example.com/q?a=1&b=2”。', 'https://example.com/q?a=1&b=2'],
    ['写信到 a@example.com，谢谢。', 'mailto:a@example.com'],
    ['https://zh.wikipedia.org/wiki/北京市、上海', 'https://zh.wikipedia.org/wiki/北京市'],
    ['Plain: https://example.com/a, then more.', 'https://example.com/a'],
    ['(https://example.com/b)', 'https://example.com/b'],
  ])('an address ends before punctuation: %s', ([text, href]) => {
    const hrefs = JSON.stringify(dialect.readInline(text!, {}, 0)).match(/(?<="href":")[^"]+/g);
    expect(hrefs?.map((found) => decodeURI(found))).toEqual([href]);
  });

  test('parses a long text in pieces without losing any of it', () => {
    for (const word of ['word ', '中', '😀', 'x', '**a** ']) {
      const text = word.repeat(3000);
      expect(
        dialect
          .readInline(text, {}, 0)
          .map(({ raw }) => raw)
          .join(''),
      ).toBe(text);
    }
  });

  test('never splits a surrogate pair between two pieces', () => {
    const texts = dialect.readInline(`x${'😀'.repeat(5000)}`, {}, 0).map(({ raw }) => raw);
    for (const text of texts) expect(text.isWellFormed()).toBe(true);
  });
});

test.for([
  ['[a] [b][c] ![d][]', ['a', 'b', 'c', 'd']],
  ['[ A  b\nc ]', ['a b c']],
  ['[[x] [\\]y]', ['x', '\\]y']],
  ['[] [ no', []],
  ['[ẞ]', ['ss']],
] as const)('the link labels in the Markdown %j are found: %j', ([text, labels]) => {
  expect(findLinkLabels(text)).toEqual(labels);
});

test('emphasis among too many marks ends early, because looking for its end takes quadratic time', () => {
  const dialect = createDialect();
  const strongIn = (words: number) =>
    dialect
      .readInline(`*begin ${'**a** b '.repeat(words)}end*`, {}, 0)
      .map(({ type }) => type)
      .join(' ');
  expect(strongIn(20)).toBe('em');
  expect(strongIn(200)).toMatch(/^text (?:strong text ?){150,}/);
});

import { describe, expect, test } from 'vitest';
import { cutText } from '../../../src/text/cut';

describe('the function cutText', () => {
  test('leaves a short enough text unchanged', () => {
    expect(cutText('short', 5)).toEqual({ text: 'short', omitted: 0 });
  });

  test.for([
    {
      name: 'between results',
      text: '1. one\nurl\ntext of one\n2. two\nurl\ntext of two that is much too long',
      limit: 58,
      cut: '1. one\nurl\ntext of one\n[45 characters left out]',
    },
    {
      name: 'between search results',
      text: 'It is so.\n1. one\nhttps://a.org/\ntext of one\n2. two\nhttps://b.org/x\nlong\n3. three\nhttps://c.org/',
      limit: 85,
      cut: 'It is so.\n1. one\nhttps://a.org/\ntext of one\n(2 more results left out)',
    },
    {
      name: 'inside a first result that is too long',
      text: `1. one\nhttps://a.org/\n${'word '.repeat(40)}\n2. two\nhttps://b.org/`,
      limit: 60,
      cut: '1. one\nhttps://a.org/\n[223 characters left out]',
    },
    {
      name: 'a numbered list that is not a list of results',
      text: `3. three\nhttps://c.org/\n7. seven\nhttps://d.org/ and more`,
      limit: 52,
      cut: '3. three\nhttps://c.org/\n[33 characters left out]',
    },
    {
      name: 'between paragraphs',
      text: `${'a'.repeat(30)}\n\nbb\n${'c'.repeat(60)}`,
      limit: 70,
      cut: `${'a'.repeat(30)}\n[65 characters left out]`,
    },
    {
      name: 'between lines',
      text: `${'a '.repeat(20)}\n${'b '.repeat(60)}`,
      limit: 80,
      cut: `${'a '.repeat(20).trimEnd()}\n[122 characters left out]`,
    },
    {
      name: 'between sentences',
      text: `One two three four. ${'five '.repeat(30)}`,
      limit: 60,
      cut: 'One two three four.\n[151 characters left out]',
    },
    {
      name: 'between Chinese sentences',
      text: `今天天气很好。${'我们'.repeat(50)}`,
      limit: 37,
      cut: '今天天气很好。\n[100 characters left out]',
    },
    {
      name: 'between words',
      text: 'word '.repeat(40),
      limit: 50,
      cut: 'word word word word\n[181 characters left out]',
    },
  ])('cuts a long text at a good place: $name', ({ text, limit, cut }) => {
    const { text: got, omitted } = cutText(text, limit);
    expect(got).toBe(cut);
    expect(got.length).toBeLessThanOrEqual(limit);
    expect(got.slice(0, text.length - omitted)).toBe(text.slice(0, text.length - omitted));
  });

  test('states the total amount left out by this cut and an earlier one', () => {
    const hits = '1. one\nhttps://a.org/\n2. two\nhttps://b.org/\n3. three\nhttps://c.org/';
    expect(cutText(`${hits}\n(4 more results left out)`, 80).text).toBe(
      '1. one\nhttps://a.org/\n2. two\nhttps://b.org/\n(5 more results left out)',
    );
    const words = `One two three. ${'a'.repeat(150)}`;
    expect(cutText(`${words}\n[100 characters left out]`, 55).text).toBe(
      'One two three.\n[251 characters left out]',
    );
  });

  test('never exceeds the limit and never splits a character', () => {
    const text = '😀'.repeat(200);
    for (let limit = 0; limit < 400; limit++) {
      const { text: got, omitted } = cutText(text, limit);
      expect(got.length).toBeLessThanOrEqual(limit);
      expect(got).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
      expect(omitted).toBeGreaterThan(0);
    }
  });
});

import { expect, test } from 'vitest';
import { gallery } from '../../../../src/tools/custom/gallery/registry';
import { readRequest } from '../../../../src/ember/plain-calls';
import type { Tool } from '../../../../src/contracts/tool';
import { zhLate } from '../../../../src/ui/i18n/zh-late';
import { inLanguage } from '../../../../src/ui/tools/in-language';

const chinese = gallery.map((content) => inLanguage(content, zhLate.editor.fromGallery));

test.for(chinese)('$name has a Chinese title, and no request asks for two things', ({ title, examples }) => {
  expect(title).toMatch(/\p{Script=Han}/u);
  const asked = examples.map(({ request }) => request).filter((request) => request !== '');
  expect(asked.some((request) => /\p{Script=Han}/u.test(request))).toBe(true);
  expect(new Set(asked).size).toBe(asked.length);
});

test('what is asked for in Chinese is converted', () => {
  const units = chinese.find(({ name }) => name === 'convert_units')!;
  const tool: Tool = {
    ...units,
    effects: () => ({ type: 'pure' }),
    execute: () => Promise.resolve({ content: [], isError: false }),
  };
  expect(readRequest('5公斤等于多少磅？', [tool])).toEqual([
    { name: 'convert_units', arguments: { value: 5, from: '公斤', to: '磅' } },
  ]);
});

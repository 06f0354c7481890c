import { expect, test } from 'vitest';
import { galleryTools } from '../../../../src/tools/custom/gallery/registry';
import { readRequest } from '../../../../src/ember/plain-calls';
import type { Tool } from '../../../../src/contracts/tool';
import zhRest from '../../../../src/ui/i18n/zh.json?rest';
import { rateDescription, translateGalleryTool, joinWrappedLines } from '../../../../src/ui/tools/tool-texts';

const chinese = galleryTools.map((content) => translateGalleryTool(content, zhRest.editor.fromGallery));

test.for(chinese)(
  'the gallery tool $name has a Chinese title and a Chinese example request, and its examples differ',
  ({ title, examples }) => {
    expect(title).toMatch(/\p{Script=Han}/u);
    const asked = examples.map(({ request }) => request).filter((request) => request !== '');
    expect(asked.some((request) => /\p{Script=Han}/u.test(request))).toBe(true);
    expect(new Set(asked).size).toBe(asked.length);
  },
);

test('a Chinese request is matched to the examples of the translated unit converter', () => {
  const units = chinese.find(({ name }) => name === 'convert_units')!;
  const tool: Tool = {
    ...units,
    effects: () => ({ type: 'pure' }),
    execute: () => Promise.resolve({ content: [], isError: false, origins: [{ door: 'hearth' }] }),
  };
  expect(readRequest('5公斤等于多少磅？', [tool])).toEqual([
    { name: 'convert_units', arguments: { value: 5, from: '公斤', to: '磅' } },
  ]);
});

test.for([
  { description: ' ', hint: 'empty' },
  { description: 'Makes a slug.', hint: 'short' },
  { description: 'Makes the address of a post from its title.', hint: 'when' },
  { description: 'Makes an address from a title. Use it when a slug is asked for.', hint: 'good' },
  { description: '把标题变成网址。当有人要网址时使用。', hint: 'good' },
  { description: 'x'.repeat(301), hint: 'long' },
])(
  'the quality of a tool description is rated: "$description" gets the rating "$hint"',
  ({ description, hint }) => {
    expect(rateDescription(description)).toBe(hint);
  },
);

test('wrapped lines of paragraphs and list items are joined, but lines of code and headings are not', () => {
  const source = [
    '# A',
    'one',
    'two',
    '',
    '- item',
    '  goes on',
    '- next',
    '',
    '```js',
    'a();',
    'b();',
    '```',
    'three',
  ];
  expect(joinWrappedLines(source.join('\n'))).toBe(
    ['# A', 'one two', '', '- item goes on', '- next', '', '```js', 'a();', 'b();', '```', 'three'].join(
      '\n',
    ),
  );
});

import { expect, test } from 'vitest';
import { joinLines } from '../../../../src/ui/tools/join-lines';

test('paragraphs and items are joined, code and headings stay', () => {
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
  expect(joinLines(source.join('\n'))).toBe(
    ['# A', 'one two', '', '- item goes on', '- next', '', '```js', 'a();', 'b();', '```', 'three'].join(
      '\n',
    ),
  );
});

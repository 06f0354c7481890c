/** However a text is cut, the result has the nodes of the whole text parsed at once. */
import { marked } from 'marked';
import { describe, expect, test, vi } from 'vitest';
import { createMarkdownRenderer } from '../../src/ui/markdown/stream-renderer';
import { takesAll, slow } from '../support/matrix';
import { everyNth, expectEqual, randomCuts, randomNumbers, streamed, whole } from './markdown-oracle';
import { samples } from './markdown-samples';

// Only for a real hang, because this is much work for a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const documents = takesAll ? 400 : 100;

const rows = Object.entries(samples).map(([name, text]) => ({ name, text }));

/** Samples that we draw differently from marked on purpose: HTML, addresses that we refuse, and depths that we do not draw. */
const ours =
  /html|addresses that lead|links|images|escapes|definitions|entities|bare|lie|deep|stars|a definition|wide table|in a line|a very long|alignment/;

describe.for(rows)('Markdown sample "$name"', ({ text }) => {
  test('streaming gives the same result as parsing at once, whatever the chunk size', () => {
    const expected = whole(text);
    for (let size = 1; size <= Math.min(takesAll ? 40 : 10, text.length); size++) {
      expectEqual(streamed(text, everyNth(text, size)), expected, `in pieces of ${size}`);
    }
    for (let seed = 1; seed <= (takesAll ? 20 : 5); seed++) {
      expectEqual(streamed(text, randomCuts(text, seed)), expected, `cut by seed ${seed}`);
    }
  });

  test('truncated text gives the same result whether streamed or parsed at once', () => {
    for (const end of randomCuts(text, 99).slice(0, 15)) {
      const part = text.slice(0, end);
      expectEqual(streamed(part, everyNth(part, 4)), whole(part), JSON.stringify(part));
    }
  });

  test('at each step of streaming, the text looks as if it had been parsed at once', () => {
    const target = document.createElement('div');
    const renderer = createMarkdownRenderer(target);
    for (const end of randomCuts(text, 7).slice(0, takesAll ? 60 : 20)) {
      renderer.update(text.slice(0, end));
      const once = document.createElement('div');
      const whole = createMarkdownRenderer(once);
      whole.update(text.slice(0, end));
      for (const drawn of [renderer, whole]) while (drawn.hasMore) drawn.drawSlice();
      // A space at the end is invisible, and is added only with the next word.
      const seen = [target, once].map((drawn) => outline(drawn));
      expect(seen[0], JSON.stringify(text.slice(0, end))).toBe(seen[1]);
    }
  });

  slow('finished blocks do not change while more text streams in', () => {
    const target = document.createElement('div');
    const observer = new MutationObserver(() => undefined);
    observer.observe(target, { subtree: true, childList: true, characterData: true, attributes: true });
    const renderer = createMarkdownRenderer(target);
    let settled: Element[] = [];
    for (const end of everyNth(text, 2)) {
      renderer.update(text.slice(0, end));
      const touched = observer
        .takeRecords()
        .filter(({ target }) => settled.some((block) => block.contains(target)));
      // A definition may come after the text that needs it. Then that text, and nothing else, is parsed again.
      if (!text.includes(']: http')) expect(touched).toEqual([]);
      const now = [...target.querySelectorAll(':scope > .settled')];
      expect(now.slice(0, settled.length)).toEqual(settled);
      settled = now;
    }
  });
});

test.for(rows.filter(({ name }) => !ours.test(name)))(
  'Hearth and the "marked" library render this sample the same way: $name',
  ({ text }) => {
    const page = new DOMParser().parseFromString(marked.parse(text, { async: false }), 'text/html');
    expect(outline(whole(text))).toBe(outline(page.body));
  },
);

/** Lines that affect the lines before and after them. */
const lines = [
  ...['a', 'b c', '**d', 'e* f', '`g', '[h]', '[h]: https://h.example', '[i](https://i.example)', '<b>j</b>'],
  ...['- k', '  - l', '    - m', '* n', '1. o', '2. p', '   q', '      r', '- [ ] s', '-', '- ', '10) t'],
  ...['# u', '===', '---', '***', '> v', '>> w', '>', '| x | y |', '|---|:-:|', '| 1 |', 'z | a', '--|--'],
  ...[
    '|a|b|c|d|e|\n|-|-|-|-|-|',
    '|1|2|3|4|5|',
    '|6|7|',
    '|a|b|c|d|e|\n|-|-|-|-|-|\n|1|2|3|4|5|\n|1|2|3|4|5|',
  ],
  ...[
    '```',
    '```js',
    '  ```',
    '~~~',
    '    code',
    '\tcode',
    '<div>',
    '</div>',
    '<!--',
    '-->',
    '<p',
    '  two  ',
  ],
  ...[
    '',
    '',
    '',
    '',
    '',
    '   ',
    '\t',
    '- ```',
    '- > a',
    '> - b',
    '> ```',
    '- # c',
    '- ---',
    '1. [h]: https://x.example',
  ],
  ...[
    '"title"',
    '\\',
    '&amp;',
    '中文**字**',
    '😀',
    '- a\n\n- b',
    'a\n- b\n- c',
    '| a |\n|---|\n| b |',
    '```\nc\n```',
  ],
];

slow('random Markdown documents give the same result whether streamed or parsed at once', () => {
  for (let seed = 1; seed <= documents; seed++) {
    const random = randomNumbers(seed);
    const pick = () => lines[Math.floor(random() * lines.length)]!;
    const text = Array.from({ length: 2 + Math.floor(random() * 14) }, pick).join('\n');
    expectEqual(streamed(text, everyNth(text, 1)), whole(text), `${seed}: ${JSON.stringify(text)}`);
    expectEqual(streamed(text, randomCuts(text, seed)), whole(text), `${seed} cut: ${JSON.stringify(text)}`);
  }
});

test('streaming is tested with at least 60 Markdown samples', () => {
  expect(rows.length).toBeGreaterThanOrEqual(60);
});

/** Returns elements and text, without white space and without paragraphs, which marked omits in tight lists. */
function outline(node: Node): string {
  if (node instanceof Text) return node.data.replace(/\s+/g, '');
  const inside = [...node.childNodes].map(outline).join('');
  const tag = node.nodeName.toLowerCase();
  return /^(?:h\d|[uo]l|li|blockquote|pre|code|t[rhd]|em|strong|del|a|[hb]r)$/.test(tag)
    ? `<${tag}>${inside}</${tag}>`
    : inside;
}

/** Formulas in replies: they are told from prices, drawn as MathML, and never lose text. */
import { describe, expect, test } from 'vitest';
import { createBlockDecorator } from '../../src/ui/markdown/dress-blocks';
import { buildMath } from '../../src/ui/markdown/math/build-math';
import { createMarkdownRenderer } from '../../src/ui/markdown/stream-renderer';
import { everyNth, expectEqual, randomCuts, streamed, whole } from './markdown-oracle';

const formulasIn = (text: string) =>
  Array.from(whole(text).querySelectorAll<HTMLElement>('[data-math]'), ({ dataset, className }) =>
    className === 'math' ? dataset['math'] : `display: ${dataset['math'] ?? ''}`,
  );

describe('formula detection', () => {
  test.for<[text: string, ...formulas: string[]]>([
    ['so $x^2$ is', 'x^2'],
    ['so \\(x^2\\) is', 'x^2'],
    ['公式$x+1$成立', 'x+1'],
    ['the $n$th one', 'n'],
    ['**$x$** and *$a*b$ c*', 'x', 'a*b'],
    ['*a \\(b*c\\) d*', 'b*c'],
    ['$a_1$ and $b_2$', 'a_1', 'b_2'],
    ['$2x + 3y = 5$', '2x + 3y = 5'],
    ['$10 \\text{ km}$', '10 \\text{ km}'],
    ['so $$x^2$$ is', 'display: x^2'],
    ['so \\[x^2 = 1\\] is', 'display: x^2 = 1'],
    ['$$\nx\n$$', 'display: x'],
    ['$$x$$', 'display: x'],
    ['text:\n$$\nx\n- y\n+ z\n$$\nmore', 'display: x\n- y\n+ z'],
    ['text\n\\[\nx\n\\]\n---', 'display: x'],
    ['\\[ x \\].', 'display: x.'],
    ['- item\n  $$\n  x\n  - y\n  $$\n- b $z$', 'display: x\n- y', 'z'],
    ['> $$\n> x\n> $$', 'display: x'],
    ['| a |\n|---|\n| $x$ |', 'x'],
    ['# $x$', 'x'],
    ['[$x$](https://a.example)', 'x'],
    ['a \\$5 and $x$', 'x'],
  ])('finds the formulas in: %j', ([text, ...formulas]) => {
    expect(formulasIn(text)).toEqual(formulas);
  });

  test.for([
    'it costs $5 and $10',
    'from $5-$10',
    'US$5, CA$10, A$ and B$',
    '$20,000-$30,000',
    '$5/$6',
    'between $5 million and 6$',
    '$HOME/bin:$PATH',
    '${a}-${b}',
    '`$x$`',
    '```\n$x$\n```',
    '    $$x$$',
    '$ x $',
    '$x $',
    '$$',
    '$$$$',
    '$$$',
    '\\$x\\$',
    '\\\\(x\\\\)',
    '\\(see below\\)',
    '\\[1\\]',
    '\\[a link\\](https://a.example)',
    '<https://a.example/$x$>',
    '$$\nx\n\n$$',
    '$',
    'a $',
  ])('finds no formula in: %j', (text) => {
    expect(formulasIn(text)).toEqual([]);
  });
});

const texts = [
  'Let $x$ be\n\n$$\na\n- b\n+ c\n$$\n\nand then $5 and $y_1$.\n',
  'text\n$$\na = b\n# no\n\n$$ open\n- a\n- b\n',
  '\\[\na\n\\]\n\\[\nb\n```\nc\n```\n- $d$\n  $$\n  e\n  $$\n',
  '$$ a\n- b\n= c $$\n- d\n\n$$x$$ is good\n===\n\n| $a$ |\n|---|\n| $$b$$ |\n| \\(c\\) |\n',
  'a $b$ c*d $e*f$ g*\n> $$\n> h\n\n1. \\(i\\)\n2. $j\n   k$\n',
];

test.for(texts.map((text) => ({ text })))(
  'formulas render the same however the streamed text is split: $text',
  ({ text }) => {
    for (let size = 1; size <= 20; size++)
      expectEqual(streamed(text, everyNth(text, size)), whole(text), `in pieces of ${size}`);
    for (let seed = 1; seed <= 20; seed++)
      expectEqual(streamed(text, randomCuts(text, seed)), whole(text), `cut by seed ${seed}`);
    for (let end = 1; end < text.length; end++)
      expectEqual(
        streamed(text.slice(0, end), everyNth(text.slice(0, end), 1)),
        whole(text.slice(0, end)),
        `to ${end}`,
      );
  },
);

test('a formula is drawn once and stays unchanged while more text streams in', async () => {
  const target = document.createElement('div');
  target.className = 'markdown';
  document.body.append(target);
  const decorator = createBlockDecorator(target);
  const renderer = createMarkdownRenderer(target, (element) => decorator.redecorate(element));
  const text =
    'A $x^2$ and [more][1] words with $y$, and $\\foo$ too.\n\n$$\n\\frac{a}{b}\n$$\n\n[1]: https://a.example\n';
  for (let end = 1; end <= text.length; end++) {
    renderer.update(text.slice(0, end));
    decorator.decorate({});
    if (end === 12) await expect.poll(() => target.querySelectorAll('math').length).toBe(1);
  }
  const first = target.querySelector('math');
  renderer.end();
  decorator.decorate({});
  await expect.poll(() => target.querySelectorAll('math').length).toBe(3);
  expect(target.querySelector('math')).toBe(first);
  expect(target.querySelector('mfrac')?.namespaceURI).toBe('http://www.w3.org/1998/Math/MathML');
  // An invalid formula stays as it was written.
  expect(target.querySelector('[data-math="\\\\foo"]')?.textContent).toBe('$\\foo$');
  decorator.end();
  target.remove();
});

describe('a hostile formula', () => {
  const many = (part: string, count: number) => part.repeat(count);
  test.for([
    '\\href{javascript:window.pwned=1}{x}',
    '\\includegraphics{https://evil.test/x.png}',
    '\\style{position:fixed}{x}',
    '\\class{app}{x}',
    '\\id{app}{x}',
    '\\data{a=b}{x}',
    '\\url{https://evil.test}',
    '\\def\\a{\\a\\a}\\a',
    '\\newcommand{\\a}{xxxxxxxxxx}\\a\\a\\a',
    '\\gdef\\a{x}\\a',
    '\\let\\a\\b',
    '\\require{html}x',
    '\\text{<img src=x onerror=window.pwned=1>}',
    '\\text{</math><script>window.pwned=1</script>}',
    '\\color{url(https://evil.test)}x',
    '\\colorbox{red}{x}',
    '\\rule{9999em}{9999em}',
    '\\hspace{-9999em}x',
    '\\raise9999em{x}',
    '\\kern-9999em x',
    '\\\\[9999em]x',
    many('{', 1900) + many('}', 1900),
    many('\\frac{', 600),
    many('\\sqrt{', 600) + many('}', 600),
    many('x^{', 900) + many('}', 900),
    many('\\left(', 600),
    many('\\begin{matrix}', 250),
    `\\begin{matrix}${many('&', 3900)}\\end{matrix}`,
    `\\begin{matrix}${many('\\\\', 1900)}\\end{matrix}`,
    `\\begin{array}{${many('c', 3000)}}a\\end{array}`,
    many('\\overbrace{', 350) + many('}', 350),
    many('x', 4000),
    many('\\not', 1300),
    many("'", 4000),
    many('\\dots', 800),
    many('\\ref{a}', 500),
    '\\unicode{x41}\\char"10FFFF',
    '\u202Egnp.exe',
  ])('runs no script and produces only plain MathML: %j', (tex) => {
    const math = buildMath(tex, true);
    if (!math) return;
    for (const element of [math, ...math.querySelectorAll('*')]) {
      expect(element.namespaceURI).toBe('http://www.w3.org/1998/Math/MathML');
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^(?:on|href|src|id$|data)/);
        expect(value).not.toMatch(/url\(|fixed|absolute/);
      }
    }
    expect(math.querySelectorAll('*').length).toBeLessThan(4100);
    expect(window).not.toHaveProperty('pwned');
  });
});

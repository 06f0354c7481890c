/** The colours of code: they work for every language with a grammar, are readable in both themes, and never change the text. */
import { afterEach, describe, expect, test } from 'vitest';
import { highlightCode } from '../../src/ui/markdown/code/highlight-code';
import { createMarkdownRenderer } from '../../src/ui/markdown/stream-renderer';
import '../../src/ui/markdown/markdown.css';
import '../../src/ui/theme.css';
import { slow } from '../support/matrix';

afterEach(() => {
  document.body.replaceChildren();
  document.documentElement.removeAttribute('data-theme');
});

const stays = () => false;

function draw(language: string, code: string): HTMLElement {
  const target = document.createElement('div');
  target.className = 'markdown';
  document.body.append(target);
  const renderer = createMarkdownRenderer(target);
  renderer.update(`\`\`\`${language}\n${code}\n\`\`\`\n`);
  renderer.end();
  while (renderer.hasMore) renderer.drawSlice();
  return target.querySelector('code') as HTMLElement;
}

async function colored(language: string, code: string): Promise<HTMLElement> {
  const element = draw(language, code);
  await highlightCode(element, language, stays);
  expect(element.textContent).toBe(code);
  return element;
}

/** A line of code for each language, with a word in it and the kind of that word. */
const samples: readonly (readonly [names: string, code: string, word: string, kind: string])[] = [
  ['javascript js jsx', 'const a = "b"; // c', 'const', 'keyword'],
  ['typescript ts', 'interface A { b: string }', 'interface', 'keyword'],
  ['tsx', 'const a = (b: number) => <p>{b}</p>;', 'const', 'keyword'],
  ['json', '{"a": 1}', '1', 'number'],
  ['python py', 'def a(b):\n    """c\n    d"""\n    return 1', 'def', 'keyword'],
  [
    'html vue',
    '<p class="a">b</p><script>let c = 1</script><style>p { color: red }</style>',
    'let',
    'keyword',
  ],
  ['xml svg', '<a b="c"/>', 'a', 'tag'],
  ['css', 'p { color: #fff; }', 'color', 'property'],
  ['java', 'class A { int b = 1; }', 'class', 'keyword'],
  ['cpp c', 'int main() { return 0; } // a', '// a', 'comment'],
  ['rust rs', 'fn main() { let a = 1; }', 'fn', 'keyword'],
  ['go', 'func main() { return }', 'func', 'keyword'],
  ['php', '$a = "b"; return $a;', 'return', 'keyword'],
  ['php', '<p><?php return 1; ?></p>', 'return', 'keyword'],
  ['yaml yml', 'a: "b" # c', '# c', 'comment'],
  ['csharp c#', 'class A { int B = 1; }', 'class', 'keyword'],
  ['kotlin', 'fun main() { val a = 1 }', 'fun', 'keyword'],
  ['scala', 'object A { val b = 1 }', 'object', 'keyword'],
  ['dart', 'class A { int b = 1; }', 'class', 'keyword'],
  ['objective-c', 'int a = 1; // b', '// b', 'comment'],
  ['bash sh console', 'echo "$a" # b', '# b', 'comment'],
  ['powershell', 'function A { return 1 } # b', '# b', 'comment'],
  ['sql mysql', 'select a from b where c = 1', 'select', 'keyword'],
  ['postgresql', 'select a from b', 'select', 'keyword'],
  ['sqlite', 'select a from b', 'select', 'keyword'],
  ['ruby', 'def a\n  "b"\nend', 'def', 'keyword'],
  ['swift', 'func a() -> Int { return 1 }', 'func', 'keyword'],
  ['lua', 'local a = 1 -- b', 'local', 'keyword'],
  ['perl', 'my $a = "b"; # c', '# c', 'comment'],
  ['r', 'a <- function(b) 1 # c', '# c', 'comment'],
  ['julia', 'function a() return 1 end', 'function', 'keyword'],
  ['haskell', 'module A where -- b', '-- b', 'comment'],
  ['matlab', 'a = 1 % b', '% b', 'comment'],
  ['latex', 'a % b', '% b', 'comment'],
  ['scss', '$a: 1px; p { color: $a; }', '1px', 'number'],
  ['less', '@a: 1px; p { color: @a; }', '1px', 'number'],
  ['toml', 'a = "b" # c', '# c', 'comment'],
  ['ini env', 'a=b\n# c', '# c', 'comment'],
  ['dockerfile', 'FROM a\n# b', '# b', 'comment'],
  ['nginx', 'server { listen 80; } # b', '# b', 'comment'],
  ['diff', '-a\n+b', '+b', 'added'],
];

describe.for(samples.flatMap(([names, ...rest]) => names.split(' ').map((name) => [name, ...rest] as const)))(
  'code in %s',
  ([language, code, word, kind]) => {
    test(`${word} is coloured as: ${kind}`, async () => {
      const element = await colored(language, code);
      const words = [...element.querySelectorAll(`.code-${kind}`)].map(({ textContent }) => textContent);
      expect(words).toContain(word);
    });
  },
);

test('code in a language without a grammar stays uncoloured', async () => {
  const element = await colored('brainf', '+[-->');
  expect(element.children).toHaveLength(0);
});

test('a string that spans many lines of code is coloured to its end', async () => {
  const element = await colored('python', `"""\n${'word\n'.repeat(200)}"""\nreturn`);
  expect(element.querySelectorAll('.code-lines')).toHaveLength(4);
  expect(element.querySelectorAll('.code-string')).toHaveLength(4);
});

test('a code block that has been removed is not coloured', async () => {
  const element = draw('python', 'return 1');
  await highlightCode(element, 'python', () => true);
  expect(element.querySelector('.code-lines')).toBeNull();
});

slow("colouring code keeps the user's text selection", async () => {
  const element = draw('python', 'return 1');
  getSelection()?.selectAllChildren(element);
  const coloring = highlightCode(element, 'python', stays);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(String(getSelection())).toBe('return 1');
  expect(element.querySelector('.code-lines')).toBeNull();
  getSelection()?.removeAllRanges();
  await coloring;
  expect(element.querySelector('.code-lines')).not.toBeNull();
});

/** Relative luminance, as WCAG 2 defines it, of `rgb(1, 2, 3)`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.for(['light', 'dark'])(
  'every code colour has a contrast of at least 4.5 to 1 in the %s theme',
  async (theme) => {
    document.documentElement.dataset['theme'] = theme;
    const element = await colored('python', 'return 1');
    const kinds = 'keyword string number comment name type property tag added removed heading'.split(' ');
    const ground = luminance(getComputedStyle(element.closest('pre') as HTMLElement).backgroundColor);
    for (const kind of kinds) {
      const word = document.createElement('span');
      word.className = `code-${kind}`;
      element.append(word);
      const values = [luminance(getComputedStyle(word).color), ground].toSorted((a, b) => b - a) as [
        number,
        number,
      ];
      expect((values[0] + 0.05) / (values[1] + 0.05), kind).toBeGreaterThanOrEqual(4.5);
    }
  },
);

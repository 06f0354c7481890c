/** What a hostile reply may try: nothing runs, loads, hangs or links to a wrong place. */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMarkdownRenderer } from '../../src/ui/markdown/stream-renderer';
import { everyNth } from '../support/matrix';
import { hostileTexts } from '../support/hostile-texts';

// Only for a real hang, because this is much work for a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** The elements that a reply may create. */
const elements = new Set(
  'H1 H2 H3 H4 H5 H6 P UL OL LI LABEL INPUT SPAN BLOCKQUOTE PRE CODE HR BR DIV TABLE THEAD TBODY TR TH TD EM STRONG DEL A'.split(
    ' ',
  ),
);
const attributes = new Set(
  'class start type disabled checked data-align data-picture href rel target title'.split(' '),
);

let target: HTMLElement;
const violations: string[] = [];
const requests: string[] = [];

beforeAll(() => {
  // The relevant part of the page's policy. A refused request is an event here, and an HTML string throws.
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content =
    "style-src 'self'; img-src 'none'; media-src 'none'; object-src 'none'; frame-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
  document.head.append(policy);
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    violations.push(`${violatedDirective} ${blockedURI}`);
  });
  new PerformanceObserver((list) => {
    requests.push(...list.getEntries().map(({ name }) => name));
  }).observe({ type: 'resource' });
  target = document.createElement('div');
  document.body.append(target);
});

beforeEach(() => {
  target.replaceChildren();
});

test('the content security policy of the test page blocks raw HTML', () => {
  expect(() => {
    target.innerHTML = '<b>markup</b>';
  }).toThrow('TrustedHTML');
});

const ways = ['at once', 'piece by piece', 'in a list, a table and a quote'];
/** In `npm test`, each payload is drawn in one way, and the next payload in another. */
const waysFrom = (at: number) => everyNth(ways.length, [...ways.slice(at), ...ways.slice(0, at)]);

const payloads = hostileTexts.map((payload, at) => ({ payload, at: at % ways.length }));
describe.for(everyNth(2, payloads))('hostile Markdown: $payload', ({ payload, at }) => {
  test.for(waysFrom(at))('runs no script and adds no unsafe element when rendered %s', async (way) => {
    const line = payload.replaceAll('\n', ' ');
    const text = way.startsWith('in') ? `- ${line}\n\n| ${line} |\n|---|\n| ${line} |\n\n> ${line}` : payload;
    const renderer = createMarkdownRenderer(target);
    const step = way === 'piece by piece' ? 1 : text.length;
    for (let end = step; end <= text.length; end += step) renderer.update(text.slice(0, end));
    renderer.end();

    for (const element of target.querySelectorAll('*')) {
      expect(elements).toContain(element.tagName);
      for (const name of element.getAttributeNames()) expect(attributes).toContain(name);
      if (element instanceof HTMLAnchorElement) {
        expect(['https:', 'http:', 'mailto:']).toContain(element.protocol);
        expect(element.rel).toBe('noopener noreferrer nofollow');
        expect(element.target).toBe('_blank');
      }
      if (element instanceof HTMLInputElement) expect(element.disabled).toBe(true);
    }
    // Time for anything that would load or run by itself.
    await new Promise((resolve) => setTimeout(resolve));
    expect(window).not.toHaveProperty('pwned');
  });
});

test('no hostile Markdown sent a request or violated the content security policy', async () => {
  await new Promise((resolve) => setTimeout(resolve, 100));
  // The first test causes the only violation, on purpose.
  expect(violations.filter((violation) => !violation.startsWith('require-trusted-types-for'))).toEqual([]);
  expect(violations).toHaveLength(1);
  expect(requests.filter((url) => url.includes('evil'))).toEqual([]);
});

test.for([
  { markup: '<b>bold</b> <br> <img src=x>', shown: '<b>bold</b> <br> <img src=x>' },
  { markup: '<div>\n  <p>a</p>\n</div>', shown: '<div>\n  <p>a</p>\n</div>' },
  { markup: '[x](javascript:alert(1))', shown: '[x](javascript:alert(1))' },
  { markup: '![a cat](https://c.test/cat.png)', shown: 'a cat (c.test)' },
  { markup: '[https://bank.test](https://evil.test)', shown: 'https://bank.test (evil.test)' },
  { markup: '[my bank](https://bank.test@evil.test)', shown: 'my bank (evil.test)' },
  { markup: '[bank](https://xn--bnk-5na.test)', shown: 'bank (xn--bnk-5na.test)' },
  { markup: '[bаnk.test](https://bank.test)', shown: 'bаnk.test (bank.test)' },
  { markup: '[a](https://a.test)', shown: 'a' },
])('HTML and links are displayed safely: $markup → $shown', ({ markup, shown }) => {
  const renderer = createMarkdownRenderer(target);
  renderer.update(markup);
  renderer.end();
  expect(target.textContent).toBe(shown);
});

/** Each is repeated to 100,000 characters: endless nesting, and input that makes careless patterns backtrack. */
const bombs = [
  ...[
    '[',
    '![',
    '*',
    '**a ',
    '_a_',
    '__a__',
    'a*',
    '~',
    '`',
    '``a',
    '<',
    '<a b="',
    '<!--',
    '!',
    '\\',
    '&',
    '(',
    '|',
  ],
  ...[
    '>',
    '> ',
    '- ',
    '1. ',
    '- > ',
    '  - a\n',
    '>a\nb\n',
    '>>a\nb\n',
    '-\n',
    '=\n',
    '\n\n',
    '```\n',
    '\t',
    '|-',
    '#',
  ],
  ...[
    '[a](',
    '[a](b',
    '[a][',
    '[[a]]',
    '[a]: b\n',
    '[a]:\n',
    '[a]: b "',
    'a|b\n-|-\n',
    '<div>\n',
    'a@',
    'http://a',
  ],
];

test.for(everyNth(4, bombs))(
  'nesting stays shallow when this Markdown is repeated to 100,000 characters: %j',
  (unit) => {
    const text = unit.repeat(100_000 / unit.length);
    const renderer = createMarkdownRenderer(target);
    for (let end = 5000; end < text.length; end += 5000) renderer.update(text.slice(0, end));
    renderer.update(text);
    renderer.end();
    while (renderer.hasMore) renderer.drawSlice();
    let depth = 0;
    for (let nodes: Element[] = [target]; nodes.length > 0; depth++)
      nodes = nodes.flatMap((node) => [...node.children]);
    // 16 levels of lists with two elements each, and 16 levels of emphasis.
    expect(depth).toBeLessThan(60);
    if (/^[[<!&(]$/.test(unit)) expect(target.textContent).toHaveLength(text.length);
  },
);

test('short table rows are not padded with empty cells when the header has 5,000 cells', () => {
  const renderer = createMarkdownRenderer(target);
  renderer.update(`${'|a'.repeat(5000)}|\n${'|-'.repeat(5000)}|\n${'x\n'.repeat(5000)}`);
  renderer.end();
  expect(target.querySelectorAll('*').length).toBeLessThan(100);
});

test('50,000 short table rows are not padded with empty cells when the header has 30 cells', () => {
  const renderer = createMarkdownRenderer(target);
  renderer.update(`${'|a'.repeat(30)}|\n${'|-'.repeat(30)}|\n${'x\n'.repeat(50_000)}`);
  renderer.end();
  expect(target.querySelectorAll('*').length).toBeLessThan(100);
});

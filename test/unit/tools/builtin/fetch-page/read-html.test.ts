import { describe, expect, test } from 'vitest';
import { readHtml } from '../../../../../src/tools/builtin/fetch-page/read-html';

const read = (html: string) => readHtml(html, 'https://a.org/page');
const filler = `<p>${'The heron stands in the water, waits for a fish, and then it strikes. '.repeat(4)}</p>`;
const article = (inner: string) =>
  `<!doctype html><html><head><title>Heron</title></head><body><nav><a href="/">Home</a></nav><main><article>${inner}${filler.repeat(4)}</article></main><footer>Imprint</footer></body></html>`;

describe('the function readHtml', () => {
  test.for([
    { name: 'headings', html: '<h2>Food</h2>', text: '## Food' },
    {
      name: 'lists',
      html: '<ul><li>fish<li>frogs</ul><ol><li>one<li>two</ol>',
      text: '- fish\n- frogs\n\n1. one\n2. two',
    },
    {
      name: 'tables',
      html: '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2|3</td></tr></table>',
      text: '| A | B |\n| --- | --- |\n| 1 | 2/3 |',
    },
    { name: 'code', html: '<pre><code>let a = 1;\nb</code></pre>', text: '```\nlet a = 1;\nb\n```' },
    { name: 'quotes', html: '<blockquote>said</blockquote>', text: '> said' },
    {
      name: 'emphasis and links as plain words',
      html: '<p>The <b>grey</b> <em>heron</em> is a <a href="/bird">bird</a>_[1]*.</p>',
      text: 'The grey heron is a bird_[1]*.',
    },
  ])('converts $name to Markdown', ({ html, text }) => {
    expect(read(article(html)).text).toContain(text);
  });

  test('returns the article with its title and links, but not the menus around it', () => {
    const page = read(
      article('<h1>Heron</h1><p>See <a href="/bird#food">birds</a> and <a href="#here">this</a>.</p>'),
    );
    expect(page.title).toBe('Heron');
    expect(page.links).toEqual([{ label: 'birds', url: 'https://a.org/bird' }]);
    expect(page.text).toContain('The heron stands');
    expect(page.text).not.toMatch(/Home|Imprint/);
  });

  test.for([
    '<p style="display:none">HIDDEN</p>',
    '<p style="color:red; visibility : hidden">HIDDEN</p>',
    '<div style="opacity:0">HIDDEN</div>',
    '<span style="font-size:0px">HIDDEN</span>',
    '<p hidden>HIDDEN</p>',
    '<p aria-hidden="true">HIDDEN</p>',
    '<!-- HIDDEN -->',
    '<img src="x.png" alt="HIDDEN" title="HIDDEN">',
    '<template>HIDDEN</template>',
    '<noscript>HIDDEN</noscript>',
    '<script type="application/ld+json">HIDDEN</script>',
    '<style>.a::after { content: "HIDDEN" }</style>',
    '<textarea>HIDDEN</textarea>',
    '<svg><title>HIDDEN</title><text>HIDDEN</text></svg>',
    '<a href="https://b.org/" title="HIDDEN">link</a>',
  ])('invariant: text that a page hides from its readers is not read: %s', (html) => {
    expect(JSON.stringify(read(article(`<p>Seen.</p>${html}`)))).not.toContain('HIDDEN');
    expect(read(`<p>Seen.</p>${html}`).text).not.toContain('HIDDEN');
  });

  test.for([
    {
      name: 'a page without html and body tags',
      html: '<!doctype html><title>Tiny</title><p>Hello <b>you</b>.',
      page: { title: 'Tiny', text: 'Hello you.' },
    },
    { name: 'plain words', html: 'just words', page: { title: '', text: 'just words' } },
    { name: 'nothing', html: '', page: { title: '', text: '' } },
    {
      name: 'a title in the text only',
      html: '<h1>Big  title</h1><p>Words.</p>',
      page: { title: 'Big title', text: expect.stringContaining('Words.') as string },
    },
  ])('can read $name', ({ html, page }) => {
    expect(read(html)).toMatchObject(page);
  });

  test('returns the whole front page instead of only its longest teaser', () => {
    const teasers = Array.from({ length: 40 }, (_, n) => `<div><a href="/${n}">Story ${n}</a></div>`).join(
      '',
    );
    const page = read(`<html><head><title>News</title></head><body>${teasers}</body></html>`);
    expect(page.text).toMatch(/Story 0[^]*Story 39/);
    expect(page.links).toHaveLength(20);
  });

  test.for([
    '<html',
    '<p><table><div></p></table>',
    '<title>x',
    '<a href="http://[">x</a>',
    '<<<>>>',
    '&#x110000;&bogus;',
  ])('never throws on malformed HTML: %s', (html) => {
    expect(read(html)).toHaveProperty('text');
  });
});

test('a page with ten thousand nested elements can be read', () => {
  const deep = (words: string) => `${'<div>\n'.repeat(10_000)}${words}`;
  const page = readHtml(deep('<p>Herons <span>eat</span> fish.</p>'), 'https://birds.example/');
  expect(page.text).toBe('Herons eat fish.');
});

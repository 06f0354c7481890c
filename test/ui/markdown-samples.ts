/** Small documents for the renderer, normal and malicious. The tests cut each at many positions. */
export const samples: Record<string, string> = {
  nothing: '',
  'only blank lines': '\n \n\n\t\n',
  'one word': 'Hello',
  paragraphs: 'One line\nand the next.\n\nAnother.\n\n\n\nThird.',
  'headings of all depths': '# A\n## B\n### C\n#### D\n##### E\n###### F\n####### no\n#tag\n# closed #\n#',
  'underlined headings': 'Title\n===\n\nSecond\n---\ntext\nmore\n===\n\n- not\n---\n',
  'a rule, and what looks like one': 'a\n\n---\n\n***\n\n- - -\n\n_ _ _\n\n--\n\n**\n\na\n***\nb',
  emphasis: '*a* **b** ***c*** _d_ __e__ ~~f~~ ~g~ snake_case_word 2*3*4 **a*b**c* \\*no\\*',
  'emphasis left open': 'This **never ends\n\n*nor this\n\n~~or `this\n\nend',
  'inline code': '`a` ``b ` c`` ` ` `` ` `` `open\n\n`\\n` and `<b>`',
  breaks: 'one  \ntwo\\\nthree\nfour   \n\nfive  ',
  entities:
    '&amp; &lt;b&gt; &copy; &nbsp; &#65; &#x41; &#0; &bogus; &amp;lt; `&amp;` AT&T &hellip;&Omega;&alpha;',
  links:
    '[a](https://a.example) [b](https://b.example "title") <https://c.example/?a=1&b=2> <d@e.example> [f]()',
  'bare addresses':
    'See https://a.example/x_(y), www.b.example. or c@d.example! http://e.example/?q=1&amp;r=2',
  'addresses that lead nowhere':
    '[a](javascript:alert(1)) [b](data:text/html,x) [c](/local) [d](#e) ![f](file:///x)',
  'labels that lie': '[https://bank.example](https://evil.example) [bank.example](https://bank.example/x)',
  images:
    '![a cat](https://c.example/cat.png) ![](https://d.example/x) [![in link](https://e.example/i)](https://f.example)',
  'a list': '- a\n- b\n- c',
  'a numbered list': '1. a\n2. b\n3. c\n\ntext',
  'a list from seven': '7) a\n8) b\n9) c\n10) d\n',
  'a loose list': '- a\n\n- b\n\n- c\n',
  'a list that turns loose late': '- a\n- b\n- c\n- d\n\n- e\n- f\n\nend',
  'a list that ends in blank lines': '- a\n- b\n\n\n\nend\n',
  'nested lists': '- a\n  - b\n    - c\n      1. d\n      2. e\n  - f\n- g\n\n  more g\n- h\n',
  'nested loose in tight': '- a\n  - b\n\n  - c\n- d\n- e',
  tasks: '- [ ] open\n- [x] done **bold**\n- [X] also\n- [] no\n- [ ]\n',
  'loose tasks': '- [ ] open\n\n- [x] done\n\n  more\n',
  'items of several blocks': '1. a\n\n   b\n\n   > c\n2. d\n   ```js\n   e\n   ```\n   f\n3. g\n',
  'lazy lines': '- a\nb\n- c\n  d\ne\n\n> f\ng\n> h\n\ni',
  'lists side by side': '- a\n- b\n* c\n* d\n+ e\n1. f\n1) g\n',
  'a list after a line': 'Steps:\n1. a\n2. b\nand then\n\n- c\nx\n- d\n\ny\n- z',
  'empty items': '-\n- a\n-\n\n- b\n-   \n  c\n1.\n2. x\n',
  'a list that proves to be a rule': '- a\n- b\n- - -\n- c\n\n- d\n* * *\n- e',
  'an item that proves to be text': '- a\n- b\n-c\n1.5 is no item\n\n- d\n\n-e\n',
  'items with code indented': '- a\n\n      code\n\n  b\n-     code\n- c\n\n\n      more\n',
  'a fence in a list': '- a\n  ```\n  - b\n\n  c\n  ```\n- d\n\n  ~~~\n  open\n',
  'a fence outdented in a list': '- a\n  ```\nb\n```\n- c\n',
  'a quote in a list': '- > a\n  > b\n- > c\nd\n- e',
  'a table': '| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |\n\nend',
  'a table with alignment':
    '| l | c | r | n |\n|:--|:-:|--:|---|\n| **a** | `b` | c | d |\n| e | f | g |\n| h | i | j | k | l |\n',
  'a table without edges': 'a | b\n--|--\n1 | 2\n3\n4 | 5 | 6\n\n7 | 8',
  'a table after a line': 'Prices:\n| a | b |\n|---|---|\n| 1 \\| 2 | `3` |\nlazy row\n- list\n',
  'a table cut short': '| a | b |\n|---|---|\n| 1 |\n> quote\n\n| c | d |\n| --- | x |\n| e | f |',
  'a table that proves to be text': 'x\n| a | b |\n| - | -x\n| 1 | 2 |\n\n| a |\n| - | - |\n',
  'a table in a list': '- a\n\n  | b | c |\n  |---|---|\n  | 1 | 2 |\n  | 3 | 4 |\n- d\n',
  'a table in a quote': '> | b | c |\n> |---|---|\n> | 1 | 2 |\n\nend',
  'a table with tabs and blanks': '| a |\n|---|\n| b |\n\t\n| c |\n \nend',
  'a wide table':
    '| a | b | c | d | e | f | g | h | i |\n|---|---|---|---|---|---|---|---|---|\n| 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |\n| 1 | 2 | 3 |\n| 1 |\nx\n\n| y | z |',
  'a long table': `| n | square |\n|---|---:|\n${Array.from({ length: 60 }, (_, n) => `| ${n} | ${n * n} |`).join('\n')}\n\nend`,
  'a fence': '```js\nlet a = 1;\n\n  b();\n```\nend',
  'a fence left open': 'text\n```python\nfor i in x:\n    print(i)\n\n',
  'a fence of tildes': '~~~\n```\n~~\n~~~~\nend\n\n~~~ `x`\ny',
  'a longer fence': '````md\n```\na\n```\n````\nb',
  'fences without content': '```\n```\n\n```\n\n```\n\n```\n\n\n```\n\n```',
  'an indented fence': '  ```\n  a\n    b\n c\n  ```\n   ~~~\n   d\n   ~~~\n',
  'what is no fence': '```a`b\nc\n```\n\n``\nd\n``\n\n    ```\n    e\n',
  'a long fence': `\`\`\`\n${Array.from({ length: 130 }, (_, n) => (n % 64 === 0 ? '' : `line ${n}`)).join('\n')}\n\`\`\`\n`,
  'a fence with text behind its end': '```\na\n``` b\n```\nc\n```d\n',
  'indented code': '    a\n      b\n\n    c\n\n\n    d\ntext\n    no code\n\n\te',
  quotes: '> a\n> b\n>\n> c\n\n> d\n\ne\n> f',
  'nested quotes': '> a\n>> b\n>>> c\n> d\n\n> > e\n> f\ng\n',
  'a quote with blocks': '> # a\n> - b\n> - c\n>\n>   d\n> ```\n> e\n> ```\n> f\n',
  html: '<div>\n*a*\n</div>\n\n<b>c</b> <i title="*">d*</i>\n<!-- e\n\nf -->\ng <br> h <a href="https://x.example">https://y.example</a>',
  'html left open': 'a\n<!-- b\n\n# c\n\n- d\n',
  'html in blocks':
    '- <b>a</b>\n- <div>\n  b\n  </div>\n\n| <br> | <img src=x> |\n|---|---|\n| a<br>b | </td> |\n\n<script>\nalert(1)\n\n</script>\n\nend',
  'html of one line':
    'a\n<custom-tag>\nb\n\n<custom-tag>\nc\n\n</p>\n<?php a\n\n?>\n<!DOCTYPE html>\n<![CDATA[\n\nx]]>\ny',
  'definitions before':
    '[a]: https://a.example "A"\n[B c]: <https://b.example>\n\n[a] [x][a] [b  C][] ![a] [no]\n',
  'definitions after':
    'See [a], [text][b] and *[a][]*.\n\n- [a]\n- [ ] [b]\n\n| [a] |\n|---|\n| [b] |\n\n> [a]\n\n# [b]\n\n[a]: https://a.example\n[b]: https://b.example\n',
  'definitions inside':
    '[a] [b] [c]\n\n> [a]: https://a.example\n\n- x\n- [b]: https://b.example\n- y\n\n[c]: https://c.example\n[c]: https://d.example\n',
  'definitions that are none':
    '[a]: https://a.example "open\n\ntext\n\nend"\n\n[a]\n\ntext\n[b]: https://b.example\n\n[b]\n\n[constructor] [__proto__]',
  'a definition over lines':
    '[a]:\nhttps://a.example\n"title\nmore"\n\n[a] [b\\]] \n\n[b\\]]: https://b.example',
  escapes: '\\# a\n\n\\- b\n\n1\\. c\n\n\\[d](e) \\`f\\` \\\\ \\<g> \\&amp; \\! \\a',
  'windows line ends':
    '# a\r\n\r\n- b\r\n- c\r\n\r\n```\r\nd\r\n\r\ne\r\n```\r\n\r\n| f |\r\n|---|\r\n| g |\r\rold mac\rend\r',
  chinese:
    '# 标题\n\n**加粗**文字，*斜体*。`代码`\n\n- 第一\n- 第二：**重点**\n\n| 名 | 值 |\n|---|---|\n| 一 | 二 |\n\n他说“**你好**”吗？',
  emoji: '👩‍👩‍👧 **🎉** *a👍* `🔥`\n\n- 🇵🇹 a\n- 🏳️‍🌈\n\n> 😀\n\n~~💥~~ **👍🏽**x',
  'a very long line': `${'word *em* '.repeat(40)}end ${'x'.repeat(300)}`,
  'brackets without end': `${'['.repeat(80)} ${'![]('.repeat(20)} ${'[a]('.repeat(20)}`,
  'stars without end': `${'*'.repeat(60)} ${'**a '.repeat(30)} ${'*a**b'.repeat(20)}`,
  'deep quotes': `${'>'.repeat(40)} a\nlazy\n${'> '.repeat(30)}b`,
  'deep lists': Array.from({ length: 24 }, (_, depth) => `${'  '.repeat(depth)}- ${depth}`).join('\n'),
  'lists in a line': `${'- '.repeat(30)}a\n${'1. '.repeat(30)}b`,
  'deep emphasis': `${'*a '.repeat(40)}b${' c*'.repeat(40)}`,
  'an answer':
    'Shared by floor area:\n\n| Person | Rent |\n|---|--:|\n| Ana | 746.67 |\n| You | 586.67 |\n\n1. **Add** them\n2. Take the odd cent off:\n   ```py\n   round(x, 2)\n   ```\n3. Done, see [the rule][1].\n\n---\n\n[1]: https://rent.example/rule\n',
};

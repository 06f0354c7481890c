/** Replies of 16,000 tokens with four characters each, of the kinds that models write. */

const length = 64_000;

const words = (
  'the model runs in this tab and keeps what it reads on your device so a small answer costs little while a long one ' +
  'grows line by line rent area price month share room square metre table value result reason because however first ' +
  'second number total city train weather paper stone water light'
).split(' ');

/** Returns a generator of the same random numbers every time. */
function createRandom(): () => number {
  let state = 20261121;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function createWriter() {
  const random = createRandom();
  const below = (limit: number) => Math.floor(random() * limit);
  const word = () => words[below(words.length)] ?? '';
  const phrase = (count: number) => Array.from({ length: count }, word).join(' ');

  const sentence = () => {
    const marked = [
      `**${phrase(2)}**`,
      `*${word()}*`,
      `\`${word()}_${word()}\``,
      `[${phrase(2)}](https://a.example/${word()})`,
    ];
    const middle = below(3) === 0 ? ` ${marked[below(marked.length)] ?? ''} ` : ' ';
    return `${phrase(4 + below(6))}${middle}${phrase(3 + below(5))}.`;
  };
  const paragraph = () => Array.from({ length: 2 + below(4) }, sentence).join(' ');
  const item = () => `**${phrase(2)}**: ${sentence()}`;
  const row = () =>
    `| ${phrase(2)} | ${below(1000)} | \`${word()}\` | ${(random() * 100).toFixed(2)} | ${phrase(3)} |`;
  const codeLine = () =>
    `${'    '.repeat(below(4))}${word()}_${word()} = ${word()}(${word()}, ${below(100)})  # ${phrase(3)}`;
  const formula = () => {
    const [a = 'x', b = 'y'] = [word()[0], word()[0]];
    const forms = [
      `${a}_{${below(9)}}^2 + \\frac{${b}}{${below(90)}}`,
      `\\sum_{i=1}^{${below(99)}} ${a}_i ${b}^{i}`,
      `\\sqrt{${a}^2 + ${b}^2} \\le ${below(900)}`,
    ];
    return forms[below(forms.length)] ?? '';
  };
  return { below, paragraph, item, row, codeLine, phrase, formula };
}

const header = '| name | count | key | price | note |\n|------|------:|:---:|------:|------|';

function grown(start: string, next: () => string): string {
  let text = start;
  while (text.length < length) text += next();
  return text;
}

export const replies = {
  list() {
    const { item } = createWriter();
    return grown('Here they are:\n\n', () => `- ${item()}\n`);
  },
  table() {
    const { row } = createWriter();
    return grown(`All of them:\n\n${header}\n`, () => `${row()}\n`);
  },
  code() {
    const { codeLine } = createWriter();
    return `${grown('This does it:\n\n```python\n', () => `${codeLine()}\n`)}\`\`\`\n`;
  },
  mixed() {
    const { below, paragraph, item, row, codeLine, phrase } = createWriter();
    const many = (line: () => string) => Array.from({ length: 4 + below(8) }, line).join('\n');
    const blocks = [
      () => `## ${phrase(4)}`,
      paragraph,
      paragraph,
      paragraph,
      () => many(() => `- ${item()}`),
      () => many(() => `1. ${item()}\n   - ${phrase(5)}`),
      () => `${header}\n${many(row)}`,
      () => `\`\`\`python\n${many(codeLine)}\n\`\`\``,
      () => `> ${paragraph()}\n>\n> ${paragraph()}`,
    ];
    let next = 0;
    return grown('', () => `${blocks[next++ % blocks.length]?.() ?? ''}\n\n`);
  },
  /** A reply as in a chat, with heads, colours and formulas. */
  dressed() {
    const { below, paragraph, codeLine, formula, phrase } = createWriter();
    const code = () => `\`\`\`python\n${Array.from({ length: 6 + below(12) }, codeLine).join('\n')}\n\`\`\``;
    const blocks = [
      paragraph,
      () => `${phrase(6)} $${formula()}$ ${phrase(4)} $${formula()}$.`,
      () => `$$\n${formula()}\n$$`,
      code,
      paragraph,
    ];
    let next = 0;
    return grown('', () => `${blocks[next++ % blocks.length]?.() ?? ''}\n\n`);
  },
} satisfies Record<string, () => string>;

export type Kind = keyof typeof replies;

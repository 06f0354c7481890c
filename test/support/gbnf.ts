/** Writes random texts that a GBNF grammar allows. Supports the parts of GBNF that our grammars use. */

type Node =
  | { type: 'text'; text: string }
  | { type: 'class'; letters: readonly string[] }
  | { type: 'rule'; name: string }
  | { type: 'all'; nodes: readonly Node[] }
  | { type: 'any'; nodes: readonly Node[] }
  | { type: 'repeat'; node: Node; least: number; most: number };

/** Returns a function that writes texts of a grammar. `random`: like Math.random. Equal numbers give equal texts. */
export function createWriter(grammar: string, random: () => number): () => string {
  const rules = new Map(
    grammar.split('\n').map((line) => {
      const [name = '', body = ''] = line.split(/ ::= (.*)/s);
      return [name, parse(body)] as const;
    }),
  );
  const write = (node: Node): string => {
    switch (node.type) {
      case 'text':
        return node.text;
      case 'class':
        return node.letters[Math.floor(random() * node.letters.length)]!;
      case 'rule': {
        const rule = rules.get(node.name);
        if (!rule) throw new Error(`No rule ${node.name}`);
        return write(rule);
      }
      case 'all':
        return node.nodes.map(write).join('');
      case 'any':
        return write(node.nodes[Math.floor(random() * node.nodes.length)]!);
      case 'repeat': {
        const count =
          node.least + Math.floor(random() * (Math.min(node.most, node.least + 6) - node.least + 1));
        return Array.from({ length: count }, () => write(node.node)).join('');
      }
    }
  };
  return () => write({ type: 'rule', name: 'root' });
}

function parse(source: string): Node {
  const tokens = [
    ...source.matchAll(/"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|\{\d+,\d+\}|[()|?*+]|[\w-]+/g),
  ].map(([token]) => token);
  if (
    tokens.join('').replace(/\s/g, '') !==
    source.replace(/\s(?=(?:[^"]|"(?:[^"\\]|\\.)*")*$)/g, '').replace(/\s/g, '')
  ) {
    throw new Error(`Not understood: ${source}`);
  }
  let at = 0;

  const alternatives = (): Node => {
    const nodes = [sequence()];
    while (tokens[at] === '|') {
      at++;
      nodes.push(sequence());
    }
    return nodes.length === 1 ? nodes[0]! : { type: 'any', nodes };
  };
  const sequence = (): Node => {
    const nodes: Node[] = [];
    while (tokens[at] !== undefined && tokens[at] !== '|' && tokens[at] !== ')') nodes.push(repeated());
    return { type: 'all', nodes };
  };
  const repeated = (): Node => {
    const node = single();
    const range = /^\{(\d+),(\d+)\}$/.exec(tokens[at] ?? '');
    const [least, most] = range
      ? [Number(range[1]), Number(range[2])]
      : ({ '?': [0, 1], '*': [0, 4], '+': [1, 4] }[tokens[at] ?? ''] ?? [1, 1]);
    if (range || /^[?*+]$/.test(tokens[at] ?? '')) at++;
    return { type: 'repeat', node, least: least!, most: most! };
  };
  const single = (): Node => {
    const token = tokens[at++] ?? '';
    if (token === '(') {
      const node = alternatives();
      at++;
      return node;
    }
    if (token.startsWith('"')) return { type: 'text', text: JSON.parse(token) as string };
    if (token.startsWith('[')) return characterClass(token.slice(1, -1));
    return { type: 'rule', name: token };
  };
  return alternatives();
}

function characterClass(source: string): Node {
  const isNegated = source.startsWith('^');
  const codes = [...source.slice(isNegated ? 1 : 0).matchAll(/\\x([0-9A-F]{2})|\\(.)|([^\\])/g)].map(
    ([, hex, escaped, plain]) =>
      hex === undefined ? (escaped ?? plain ?? '').charCodeAt(0) : parseInt(hex, 16),
  );
  const ranges: [number, number][] = [];
  for (let at = 0; at < codes.length; at++) {
    if (codes[at + 1] === '-'.charCodeAt(0) && codes[at + 2] !== undefined) {
      ranges.push([codes[at]!, codes[at + 2]!]);
      at += 2;
    } else ranges.push([codes[at]!, codes[at]!]);
  }
  const isIn = (code: number) => ranges.some(([first, last]) => code >= first && code <= last);
  const letters = Array.from({ length: 0x180 }, (_, code) => code)
    .filter((code) => isIn(code) !== isNegated)
    .map((code) => String.fromCharCode(code));
  return { type: 'class', letters };
}

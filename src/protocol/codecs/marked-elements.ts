/** MiniMax M3: `<invoke name="f">` and a tag a field, with a mark before each tag that is one: a value may hold any other. */
import { recordOf } from '../value-reader';
import type { BodyCodec, Verdict, WrittenCall } from './codec';
import { nameOf, nameShape, peekTag } from './xml-parameters';

export const minimaxMark = ']<]minimax[>[';

/** Deeper than any arguments; a bound for the stack. */
const maxDepth = 50;

interface Element {
  name: string;
  text: string;
  children: Element[];
}

export const markedElements: BodyCodec = {
  id: 'marked-elements',
  begins(head): Verdict {
    if (/^[^<>]*>\s*\]/u.test(head) && nameShape.test(head.replace(minimaxMark, ''))) return 'yes';
    const end = head.indexOf('>') + 1;
    return end === 0 || minimaxMark.startsWith(head.slice(end).trimStart()) ? 'more' : 'no';
  },
  ends: 'mark',
  read(body, { tools }): WrittenCall[] | undefined {
    const found = nameShape.exec(body.replace(minimaxMark, ''));
    const name = found && nameOf(found, tools);
    const elements = name ? elementsOf(body.slice(body.indexOf('>') + 1)) : undefined;
    return name && elements ? [{ name, named: recordFrom(elements), repairs: [] }] : undefined;
  },
  peek: peekTag,
};

/** Undefined: a tag was left open that must not be, or they nest too deep. */
function elementsOf(text: string): Element[] | undefined {
  const root: Element = { name: '', text: '', children: [] };
  const open = [root];
  const [, ...parts] = text.split(`${minimaxMark}<`);
  for (const part of parts) {
    const [, slash, name, rest = ''] = /^(\/?)([^<>\s/]{1,100})>([\s\S]*)$/u.exec(part) ?? [];
    const parent = open.at(-1);
    if (name === undefined || !parent || open.length > maxDepth) return undefined;
    if (slash === '/') {
      const at = open.findLastIndex((element) => element.name === name);
      if (at > 0) open.length = at;
      continue;
    }
    // The mark before the closing tag is sometimes forgotten.
    const end = rest.indexOf(`</${name}>`);
    const element: Element = { name, text: end < 0 ? rest : rest.slice(0, end), children: [] };
    parent.children.push(element);
    if (end < 0) open.push(element);
  }
  return root.children;
}

function valueOf({ text, children }: Element): unknown {
  if (children.length === 0) return text;
  // The template writes the members of a list so.
  if (children.every(({ name }) => name === 'item')) return children.map(valueOf);
  return recordFrom(children);
}

/** A name that comes again makes a list. */
function recordFrom(elements: readonly Element[]): Record<string, unknown> {
  const values = new Map<string, unknown[]>();
  for (const element of elements) {
    values.set(element.name, [...(values.get(element.name) ?? []), valueOf(element)]);
  }
  return recordOf([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
}

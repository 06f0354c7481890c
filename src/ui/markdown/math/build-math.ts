/**
 * TeX becomes MathML nodes: Temml reads it, and of the tree it makes only elements, attributes and styles of a fixed list are made. No
 * string of markup, nothing that loads, nothing that leads anywhere.
 */
import temml from 'temml';
import './math.css';

/** As much of a node of Temml as is looked at. */
interface TemmlNode {
  type?: string;
  text?: string;
  attributes?: Readonly<Record<string, unknown>>;
  style?: Readonly<Record<string, unknown>>;
  classes?: readonly string[];
  children?: readonly TemmlNode[];
}

const namespace = 'http://www.w3.org/1998/Math/MathML' as const;
const elements = new Set(
  'math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle mpadded mphantom msub msup msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd menclose'.split(
    ' ',
  ),
);
const attributes = new Set(
  'display displaystyle scriptlevel mathvariant form fence separator stretchy symmetric accent accentunder movablelimits largeop lspace rspace minsize maxsize width height depth voffset linethickness rowspan columnspan columnalign rowspacing columnspacing notation'.split(
    ' ',
  ),
);
/** No colours: what is black in a formula would not be seen in the dark. */
const styles = new Set(
  'paddingLeft paddingRight padding border borderTop borderBottom borderLeft borderRight width mathDepth justifyContent textAlign'.split(
    ' ',
  ),
);
const classes = /^(?:tml-[a-z]+|mathcal|mathscr|upstrike|downstrike|sout)$/;

/** Of a formula that a person would read. */
const deepest = 48;
const mostNodes = 4000;
/** Commands that define others: a few of them can grow without end. */
const defining =
  /\\(?:[gex]?def|let|futurelet|(?:re|provide)?newcommand|renewcommand|DeclareMathOperator|require)(?![a-z])/i;

const options = {
  throwOnError: true,
  strict: false,
  trust: false,
  maxExpand: 500,
  maxSize: [16, 16] as [number, number],
};

/** Undefined for what cannot be read, or would be no formula a person could read. */
export function buildMath(tex: string, isDisplay: boolean): Element | undefined {
  if (defining.test(tex)) return undefined;
  try {
    const tree = temml.__renderToMathMLTree(tex, { ...options, displayMode: isDisplay }) as TemmlNode;
    return new Builder().build(tree, 0);
  } catch {
    // Temml says by an error what it cannot read, and the engine what is nested too deeply.
    return undefined;
  }
}

class Builder {
  #count = 0;

  build(node: TemmlNode, depth: number): Element {
    // What the list does not have is a group of what it has inside.
    const name = node.type !== undefined && elements.has(node.type) ? node.type : 'mrow';
    const element = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(node.attributes ?? {})) {
      if (attributes.has(key)) element.setAttribute(key, String(value));
    }
    for (const [key, value] of Object.entries(node.style ?? {})) {
      // By the object model: the policy refuses a style attribute.
      if (styles.has(key)) element.style.setProperty(hyphenate(key), String(value));
    }
    const names = (node.classes ?? []).filter((name) => classes.test(name));
    if (names.length > 0) element.setAttribute('class', names.join(' '));
    this.#append(element, node, depth);
    return element;
  }

  #append(parent: Element, node: TemmlNode, depth: number): void {
    if (++this.#count > mostNodes || depth > deepest) throw new Error('Too large a formula.');
    for (const child of node.children ?? []) {
      if (child.text !== undefined) parent.append(child.text);
      // A fragment has no type, and no place of its own.
      else if (child.type === undefined && child.attributes === undefined) this.#append(parent, child, depth);
      else parent.append(this.build(child, depth + 1));
    }
  }
}

function hyphenate(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

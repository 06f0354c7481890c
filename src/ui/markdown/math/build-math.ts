/** Builds MathML nodes from TeX. Allows only listed elements, attributes and styles, so no links or requests. */
import temml from 'temml';
import './math.css';

interface TemmlNode {
  type?: string;
  text?: string;
  attributes?: Readonly<Record<string, unknown>>;
  style?: Readonly<Record<string, unknown>>;
  classes?: readonly string[];
  children?: readonly TemmlNode[];
}

const toSet = (names: string) => new Set(names.split(' '));
const mathNamespace = 'http://www.w3.org/1998/Math/MathML' as const;
const allowedElements = toSet(
  'math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle mpadded mphantom msub msup msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd menclose',
);
const allowedAttributes = toSet(
  'display displaystyle scriptlevel mathvariant form fence separator stretchy symmetric accent accentunder movablelimits largeop lspace rspace minsize maxsize width height depth voffset linethickness rowspan columnspan columnalign rowspacing columnspacing notation',
);
/** Colours are not allowed, because black would be invisible in the dark theme. */
const allowedStyles = toSet(
  'paddingLeft paddingRight padding border borderTop borderBottom borderLeft borderRight width mathDepth justifyContent textAlign',
);
const allowedClassPattern = /^(?:tml-[a-z]+|mathcal|mathscr|upstrike|downstrike|sout)$/;

const maxMathDepth = 48;
const maxMathNodes = 4000;
/** We reject commands that define commands, because a few of them can expand without limit. */
const definingCommandPattern =
  /\\(?:[gex]?def|let|futurelet|(?:re|provide)?newcommand|renewcommand|DeclareMathOperator|require)(?![a-z])/i;

const temmlOptions = {
  throwOnError: true,
  strict: false,
  trust: false,
  maxExpand: 500,
  maxSize: [16, 16] as [number, number],
};

/** Undefined if the TeX is invalid or exceeds our limits. */
export function buildMath(tex: string, isDisplay: boolean): Element | undefined {
  if (definingCommandPattern.test(tex)) return undefined;
  try {
    const tree = temml.__renderToMathMLTree(tex, { ...temmlOptions, displayMode: isDisplay }) as TemmlNode;
    return new MathBuilder().build(tree, 0);
  } catch {
    // Temml throws for invalid TeX, and the JavaScript engine throws if nesting exhausts the stack.
    return undefined;
  }
}

class MathBuilder {
  #count = 0;

  build(node: TemmlNode, depth: number): Element {
    // Replace a forbidden element with a group of its children.
    const name = node.type !== undefined && allowedElements.has(node.type) ? node.type : 'mrow';
    const element = document.createElementNS(mathNamespace, name);
    for (const [key, value] of Object.entries(node.attributes ?? {})) {
      if (allowedAttributes.has(key)) element.setAttribute(key, String(value));
    }
    for (const [key, value] of Object.entries(node.style ?? {})) {
      const property = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      // Our content security policy forbids style attributes, so set styles through the CSS object model.
      if (allowedStyles.has(key)) element.style.setProperty(property, String(value));
    }
    const names = (node.classes ?? []).filter((name) => allowedClassPattern.test(name));
    if (names.length > 0) element.setAttribute('class', names.join(' '));
    this.#append(element, node, depth);
    return element;
  }

  #append(parent: Element, node: TemmlNode, depth: number): void {
    if (++this.#count > maxMathNodes || depth > maxMathDepth) throw new Error('Too large a formula.');
    for (const child of node.children ?? []) {
      if (child.text !== undefined) parent.append(child.text);
      // A fragment has no type and needs no element.
      else if (child.type === undefined && child.attributes === undefined) this.#append(parent, child, depth);
      else parent.append(this.build(child, depth + 1));
    }
  }
}

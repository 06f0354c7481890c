/** Parses calls written as tags: Qwen3-Coder's `<parameter=q>`, `<invoke name="f">`, DSML, one tag per field, and GLM's `<arg_key>`. */
import { type AnyRecord, fieldsOf, isRecord, type ToolIndex } from '../tool-index';
import { readJson, readObject, readWholeValue, createRecord } from '../value-reader';
import { type BodyCodec, judgeByPatterns, createNameFinder, type Verdict } from '../format';

/** Matches the name after `<function=` or `<invoke name=`, then the end of the tag, then a parameter, an object or the end. */
const tagNamePattern = /^\s*(?:(["'])([^"'<>\n]{1,100})\1[^<>]*|([^<>{}"'\n]{1,100}))>\s*(?=<|\{|$)/u;
const partialTagPattern = /^\s*["']?[^<>{}\n]{0,100}(?:>\s*)?$/u;
const parameterTagPattern =
  /<(?:[\w｜|]{1,20}[:｜|])?(parameter|param|arg)\s*(?:=\s*([^<>\n]{1,100}?)|(?:\s(?:[^<>]*?\s)?)?name\s*=\s*["']?([^"'<>\n]{1,100}?)["']?(\s[^<>]*)?)\s*>/giu;
const parameterEndPattern = /\n?\s*<\/(?:[\w｜|]{1,20}[:｜|])?(?:parameter|param|arg)[^<>]{0,20}>/iu;
const cdataPattern = /^\s*<!\[CDATA\[([\s\S]*?)\]\]>/u;
const fieldTagPattern = /<([\p{L}_][\p{L}\p{N}_.-]{0,80})>/gu;
const maxUnclosedTags = 20;

export const xmlParameters: BodyCodec = {
  begins: (head) => judgeTag(head, /^[^<>]*>\s*</u),
  ends: 'mark',
  read(body, { tools }) {
    const tag = splitTag(body, tools);
    return tag && [{ name: tag.name, named: readParameters(tag.rest, tag.name, tools), repairs: [] }];
  },
  peek: peekTagName,
};

/** Parses a tag that contains a JSON object: `<function=f>{"q": "x"}</function>`. */
export const taggedObject: BodyCodec = {
  begins: (head) => judgeTag(head, /^[^<>]*>\s*\{/u),
  ends: 'brackets',
  read(body, { tools, isClosed }) {
    const tag = splitTag(body, tools);
    const object = tag && readObject(tag.rest, { mayClose: isClosed });
    return object && [{ name: tag.name, ...object }];
  },
  peek: peekTagName,
};

function judgeTag(head: string, wholeTag: RegExp): Verdict {
  if (partialTagPattern.test(head)) return 'more';
  return tagNamePattern.test(head) && wholeTag.test(head) ? 'yes' : 'no';
}

function peekTagName(head: string) {
  const found = tagNamePattern.exec(head);
  const name = found?.[2] ?? found?.[3];
  return found && name !== undefined ? { name, argumentsAt: found[0].length } : undefined;
}

function splitTag(body: string, tools: ToolIndex): { name: string; rest: string } | undefined {
  const found = tagNamePattern.exec(body);
  const name = found && readTagName(found, tools);
  return name ? { name, rest: body.slice(found[0].length) } : undefined;
}

function readTagName(found: RegExpExecArray, tools: ToolIndex): string {
  const [, quote = '', quoted, bare = ''] = found;
  if (quoted === undefined) return bare.trim();
  return tools.find(quote + quoted + quote)?.isExact === true ? quote + quoted + quote : quoted;
}

function readParameters(text: string, tool: string, tools: ToolIndex): AnyRecord {
  const starts = [...text.matchAll(parameterTagPattern)];
  if (starts.length === 0) return createRecord(readFieldTags(text));
  const schema = tools.find(tool)?.tool.inputSchema;
  const isField = (key: string) => schema !== undefined && Object.hasOwn(fieldsOf(schema), key);
  const entries: [string, unknown][] = [];
  let textUpTo = 0;
  for (const [index, start] of starts.entries()) {
    if (start.index < textUpTo) continue;
    const [open, kind = '', plain, quoted, more = ''] = start;
    const from = start.index + open.length;
    const key = (plain ?? quoted ?? '').trim();
    const rest = text.slice(from, starts[index + 1]?.index ?? text.length);
    const name = isField(key) ? key : key.replace(/^(["'])(.*)\1$/, '$2');
    const quotedText = cdataPattern.exec(text.slice(from));
    if (quotedText) textUpTo = from + quotedText[0].length;
    entries.push([name, quotedText?.[1] ?? readParameterValue(rest, kind, more)]);
  }
  return unwrapArguments(createRecord(entries), isField);
}

function unwrapArguments(named: AnyRecord, isField: (key: string) => boolean): AnyRecord {
  const [[key, written] = []] = Object.entries(named);
  if (key === undefined || !['arguments', 'input'].includes(key) || isField(key)) return named;
  const inner = typeof written === 'string' ? readJson(written)?.value : written;
  const isWhole = Object.keys(named).length === 1 && isRecord(inner) && Object.keys(inner).every(isField);
  return isWhole ? inner : named;
}

/** Reads the text before the closing tag. MiniCPM's `<param>` contains XML entities, and DSML marks JSON with `string="false"`. */
function readParameterValue(text: string, kind: string, attributes: string): unknown {
  const end = parameterEndPattern.exec(text)?.index;
  const value = end === undefined ? text.replace(/\s*(?:<\/[^<>]*>\s*)*$/u, '') : text.slice(0, end);
  const written = value.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
  const json = /\bstring\s*=\s*["']?false/.test(attributes) ? readJson(written) : undefined;
  if (json) return json.value;
  return kind.toLowerCase() === 'param' ? decodeEntities(written) : written;
}

function readFieldTags(text: string): [string, string][] {
  const entries: [string, string][] = [];
  const unclosed = new Set<string>();
  let upTo = 0;
  for (const { 0: tag, 1: key = '', index } of text.matchAll(fieldTagPattern)) {
    if (index < upTo || unclosed.has(key)) continue;
    const from = index + tag.length;
    const end = text.indexOf(`</${key}>`, from);
    if (end < 0) unclosed.add(key);
    // Stop, because searching for many missing closing tags takes quadratic time.
    if (unclosed.size > maxUnclosedTags) break;
    if (end < 0) continue;
    const inner = text.slice(from, end).replace(/^\r?\n/, '');
    entries.push([key, inner.replace(/\r?\n[ \t]*$/, '')]);
    upTo = end + key.length + 3;
  }
  return entries;
}

/** Parses `<web_search><query>x</query></web_search>`: the outer tag names the tool, and its children are the fields. */
export const toolTag: BodyCodec = {
  begins: (head) =>
    judgeByPatterns(
      head,
      /^<[^<>]{1,100}>\s*<\/?[\p{L}_][\p{L}\p{N}_.-]{0,80}>/u,
      /^<?[^<>]{0,100}(?:>\s*(?:<\/?[\p{L}_]?[\p{L}\p{N}_.-]{0,80})?)?$/u,
    ),
  ends: 'mark',
  read(body, { isClosed }) {
    const [tag, name] = /^<([^<>]{1,100})>/u.exec(body) ?? [];
    if (tag === undefined || name === undefined || !isClosed) return undefined;
    return [{ name, named: createRecord(readFieldTags(body.slice(tag.length))), repairs: [], isGuess: true }];
  },
};

/** Parses a call whose name and arguments are tags inside another tag: `<name>f</name><arguments>{…}</arguments>`. */
export const namedTags: BodyCodec = {
  begins: (head) =>
    judgeByPatterns(head, /^\s*<(?:tool_name|function_name|name)>/u, /^\s*(?:<[a-z_]{0,14})?$/u),
  ends: 'mark',
  read(body) {
    const tags = new Map(readFieldTags(body));
    const name = tags.get('name') ?? tags.get('tool_name') ?? tags.get('function_name');
    const written = tags.get('arguments') ?? tags.get('parameters') ?? tags.get('args') ?? tags.get('input');
    if (name === undefined) return undefined;
    if (written === undefined) return [{ name: name.trim(), named: {}, repairs: [] }];
    const value = readWholeValue(written)?.value;
    const named = isRecord(value) ? value : createRecord(readFieldTags(written));
    return [{ name: name.trim(), named, repairs: [], isGuess: !isRecord(value) }];
  },
};

/** MiniMax M3 writes this marker before each real tag, because a value may contain any other tag. */
export const minimaxMarker = ']<]minimax[>[';

const maxElementDepth = 50;

interface MarkedElement {
  name: string;
  text: string;
  children: MarkedElement[];
}

export const markedElements: BodyCodec = {
  begins(head): Verdict {
    if (/^[^<>]*>\s*\]/u.test(head) && tagNamePattern.test(head.replace(minimaxMarker, ''))) return 'yes';
    const end = head.indexOf('>') + 1;
    return end === 0 || minimaxMarker.startsWith(head.slice(end).trimStart()) ? 'more' : 'no';
  },
  ends: 'mark',
  read(body, { tools }) {
    const tag = splitTag(body.replace(minimaxMarker, ''), tools);
    const elements = tag && parseElements(body.slice(body.indexOf('>') + 1));
    return elements && [{ name: tag.name, named: elementsToRecord(elements), repairs: [] }];
  },
  peek: peekTagName,
};

function parseElements(text: string): MarkedElement[] | undefined {
  const root: MarkedElement = { name: '', text: '', children: [] };
  const open = [root];
  const [, ...parts] = text.split(`${minimaxMarker}<`);
  for (const part of parts) {
    const [, slash, name, rest = ''] = /^(\/?)([^<>\s/]{1,100})>([\s\S]*)$/u.exec(part) ?? [];
    const parent = open.at(-1);
    if (name === undefined || !parent || open.length > maxElementDepth) return undefined;
    if (slash === '/') {
      const at = open.findLastIndex((element) => element.name === name);
      if (at > 0) open.length = at;
      continue;
    }
    // Models sometimes omit the marker before a closing tag.
    const end = rest.indexOf(`</${name}>`);
    const element: MarkedElement = { name, text: end < 0 ? rest : rest.slice(0, end), children: [] };
    parent.children.push(element);
    if (end < 0) open.push(element);
  }
  return root.children;
}

function elementToValue({ text, children }: MarkedElement): unknown {
  if (children.length === 0) return text;
  if (children.every(({ name }) => name === 'item')) return children.map(elementToValue);
  return elementsToRecord(children);
}

function elementsToRecord(elements: readonly MarkedElement[]): AnyRecord {
  const values = new Map<string, unknown[]>();
  for (const element of elements) {
    values.set(element.name, [...(values.get(element.name) ?? []), elementToValue(element)]);
  }
  return createRecord([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
}

const attributesPattern = /^\s*((?:[a-z]{1,20}="[^"\n]{0,200}"\s*){1,4})<\|sep\|>/u;
const partialAttributesPattern = /^[^<\n]{0,220}(?:<\|?s?e?p?\|?)?$/u;
const argumentTagPattern = /<\|open\|>argument\s((?:[a-z]{1,20}="[^"\n]{0,200}"\s*){1,4})<\|sep\|>/gu;
const objectTagPattern = /<\|open\|>json[^<>|]{0,100}<\|sep\|>/u;

/** Parses Kimi K3's calls: attributes name the tool and each argument, and tell whether the argument is text or JSON. */
export const callsWithAttributes: BodyCodec = {
  begins: (head) => judgeByPatterns(head, attributesPattern, partialAttributesPattern),
  ends: 'mark',
  read(body) {
    const name = readAttributes(attributesPattern.exec(body)?.[1]).get('tool');
    if (!name) return undefined;
    const whole = objectTagPattern.exec(body);
    const named = whole ? readJson(readUpToNextTag(body, whole))?.value : readAttributedValues(body);
    return isRecord(named) ? [{ name, named, repairs: [] }] : undefined;
  },
  peek(head) {
    const found = attributesPattern.exec(head);
    const name = readAttributes(found?.[1]).get('tool');
    return found && name ? { name, argumentsAt: found[0].length } : undefined;
  },
};

function readAttributedValues(body: string): AnyRecord {
  const entries = Array.from(body.matchAll(argumentTagPattern), (tag): [string, unknown] => {
    const attributes = readAttributes(tag[1]);
    const text = readUpToNextTag(body, tag);
    const json = attributes.get('type') === 'string' ? undefined : readJson(text);
    return [attributes.get('key') ?? '', json ? json.value : text];
  });
  return createRecord(entries);
}

function readUpToNextTag(body: string, tag: RegExpExecArray): string {
  const rest = body.slice(tag.index + tag[0].length);
  const end = rest.search(/<\|(?:close|open)\|>(?:argument|json)/u);
  return end < 0 ? rest : rest.slice(0, end);
}

function readAttributes(written = ''): Map<string, string> {
  const pairs = written.matchAll(/([a-z]+)="([^"]*)"/gu);
  return new Map(Array.from(pairs, ([, key = '', value = '']) => [key, decodeEntities(value)]));
}

const nameBeforePairsPattern = /^\s*([^\s<>{}()[\]]+)\s*(?:<tool_sep>|(?=<(?:longcat_)?arg_key>))/u;
const partialPairsPattern = /^\s*(?:[\p{L}_][\p{L}\p{N}_.:-]{0,80}\s*(?:<[a-z_]{0,15})?)?$/iu;
const pairPattern =
  /<(?:longcat_)?arg_key>([\s\S]*?)<\/(?:longcat_)?arg_key>\s*<(?:longcat_)?arg_value>([\s\S]*?)(?:(<\/(?:longcat_)?arg_value>)|(?=<(?:longcat_)?arg_key>)|$)/giu;

/** Parses GLM's calls: `f⏎<arg_key>q</arg_key>⏎<arg_value>x</arg_value>`. Hunyuan adds `<tool_sep>`, LongCat a prefix. */
export const argumentPairs: BodyCodec = {
  begins: (head) => judgeByPatterns(head, nameBeforePairsPattern, partialPairsPattern),
  ends: 'mark',
  read(body) {
    const name = nameBeforePairsPattern.exec(body)?.[1];
    if (name === undefined) return undefined;
    const pairs = Array.from(body.matchAll(pairPattern), ([, key = '', value = '', close]) => {
      const text = close === undefined ? value.trimEnd() : value;
      return [key.trim(), text] as const;
    });
    return [{ name, named: createRecord(pairs), repairs: [] }];
  },
  peek: createNameFinder(nameBeforePairsPattern),
};

const xmlEntities = new Map(Object.entries({ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }));

function decodeEntities(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (entity, name: string) => xmlEntities.get(name) ?? entity);
}

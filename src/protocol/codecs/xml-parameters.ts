/** Parameters as tags: Qwen3-Coder's `<parameter=q>`, `<invoke name="f">`, DSML, a tag a field, and GLM's `<arg_key>`. */
import { fieldsOf, isRecord, type ToolIndex } from '../tool-index';
import { readJson, readWhole, recordOf } from '../value-reader';
import type { BodyCodec, Verdict, WrittenCall } from './codec';
import { withoutEntities } from './entities';

/** After `<function=` or `<invoke name=`: the name, the end of the tag, and a parameter, an object or the end. */
export const nameShape = /^\s*(?:(["'])([^"'<>\n]{1,100})\1[^<>]*|([^<>{}"'\n]{1,100}))>\s*(?=<|\{|$)/u;
const partial = /^\s*["']?[^<>{}\n]{0,100}(?:>\s*)?$/u;
const parameter =
  /<(?:[\w｜|]{1,20}[:｜|])?(parameter|param|arg)\s*(?:=\s*([^<>\n]{1,100}?)|(?:\s(?:[^<>]*?\s)?)?name\s*=\s*["']?([^"'<>\n]{1,100}?)["']?(\s[^<>]*)?)\s*>/giu;
const parameterEnd = /\n?\s*<\/(?:[\w｜|]{1,20}[:｜|])?(?:parameter|param|arg)[^<>]{0,20}>/iu;
const verbatim = /^\s*<!\[CDATA\[([\s\S]*?)\]\]>/u;
/** `<city>` */
const field = /<([\p{L}_][\p{L}\p{N}_.-]{0,80})>/gu;
const mostUnclosed = 20;

export const xmlParameters: BodyCodec = {
  id: 'xml-parameters',
  begins(head): Verdict {
    if (partial.test(head)) return 'more';
    return nameShape.test(head) && /^[^<>]*>\s*</u.test(head) ? 'yes' : 'no';
  },
  ends: 'mark',
  read(body, { tools }) {
    const found = nameShape.exec(body);
    const name = found && nameOf(found, tools);
    if (!name) return undefined;
    return [{ name, named: parametersOf(body.slice(found[0].length), name, tools), repairs: [] }];
  },
  peek: peekTag,
};

/** `<function=f>{"q": "x"}</function>` */
export const taggedObject: BodyCodec = {
  id: 'tagged-object',
  begins(head): Verdict {
    if (partial.test(head)) return 'more';
    return nameShape.test(head) && /^[^<>]*>\s*\{/u.test(head) ? 'yes' : 'no';
  },
  ends: 'brackets',
  read(body, { tools, isClosed }): WrittenCall[] | undefined {
    const found = nameShape.exec(body);
    const name = found && nameOf(found, tools);
    if (!name) return undefined;
    const value = readWhole(body.slice(found[0].length), { mayClose: isClosed });
    if (!value || !isRecord(value.value)) return undefined;
    return [{ name, named: value.value, repairs: value.repairs }];
  },
  peek: peekTag,
};

export function peekTag(head: string) {
  const found = nameShape.exec(head);
  const name = found?.[2] ?? found?.[3];
  return found && name !== undefined ? { name, argumentsAt: found[0].length } : undefined;
}

/** Quotes around a name belong to the tag, unless a tool is called just so. */
export function nameOf(found: RegExpExecArray, tools: ToolIndex): string {
  const [, quote = '', quoted, bare = ''] = found;
  if (quoted === undefined) return bare.trim();
  return tools.find(quote + quoted + quote)?.isExact === true ? quote + quoted + quote : quoted;
}

function parametersOf(text: string, tool: string, tools: ToolIndex): Record<string, unknown> {
  const starts = [...text.matchAll(parameter)];
  if (starts.length === 0) return recordOf(fieldTags(text));
  const schema = tools.find(tool)?.tool.inputSchema;
  const isField = (key: string) => schema !== undefined && Object.hasOwn(fieldsOf(schema), key);
  const entries: [string, unknown][] = [];
  let upTo = 0;
  for (const [index, start] of starts.entries()) {
    if (start.index < upTo) continue;
    const [open, kind = '', plain, quoted, more = ''] = start;
    const from = start.index + open.length;
    const key = (plain ?? quoted ?? '').trim();
    const rest = text.slice(from, starts[index + 1]?.index ?? text.length);
    const name = isField(key) ? key : key.replace(/^(["'])(.*)\1$/, '$2');
    const quotedText = rest.trimStart().startsWith('<![CDATA[') ? verbatim.exec(text.slice(from)) : null;
    if (quotedText) upTo = from + quotedText[0].length;
    entries.push([name, quotedText?.[1] ?? valueOf(rest, kind, more)]);
  }
  return unwrapped(recordOf(entries), isField);
}

/** DeepSeek sometimes writes all arguments as JSON into one parameter. */
function unwrapped(
  named: Record<string, unknown>,
  isField: (key: string) => boolean,
): Record<string, unknown> {
  const [[key, written] = []] = Object.entries(named);
  if (key === undefined || !['arguments', 'input'].includes(key) || isField(key)) return named;
  const inner = typeof written === 'string' ? readJson(written)?.value : written;
  const isWhole = Object.keys(named).length === 1 && isRecord(inner) && Object.keys(inner).every(isField);
  return isWhole ? inner : named;
}

/**
 * Up to its closing tag, or to what follows where that is missing; one line break at each end belongs to the tags.
 * MiniCPM's `<param>` is written as XML, with entities; DSML says `string="false"` of what is JSON.
 */
function valueOf(text: string, kind: string, attributes: string): unknown {
  const end = parameterEnd.exec(text)?.index;
  const value = end === undefined ? text.replace(/\s*(?:<\/[^<>]*>\s*)*$/u, '') : text.slice(0, end);
  const written = value.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
  const json = /\bstring\s*=\s*["']?false/.test(attributes) ? readJson(written) : undefined;
  if (json) return json.value;
  return kind.toLowerCase() === 'param' ? withoutEntities(written) : written;
}

/** `<city>Paris</city>` */
function fieldTags(text: string): [string, unknown][] {
  const entries: [string, unknown][] = [];
  const unclosed = new Set<string>();
  let upTo = 0;
  for (const { 0: tag, 1: key = '', index } of text.matchAll(field)) {
    if (index < upTo || unclosed.has(key)) continue;
    const from = index + tag.length;
    const end = text.indexOf(`</${key}>`, from);
    if (end < 0) unclosed.add(key);
    // Looking on for what is not there would take the square of the length.
    if (unclosed.size > mostUnclosed) break;
    if (end < 0) continue;
    entries.push([
      key,
      text
        .slice(from, end)
        .replace(/^\r?\n/, '')
        .replace(/\r?\n[ \t]*$/, ''),
    ]);
    upTo = end + key.length + 3;
  }
  return entries;
}

/** `<web_search><query>x</query></web_search>`: the tag is the tool, its children are the fields. */
export const toolTag: BodyCodec = {
  id: 'tool-tag',
  begins(head): Verdict {
    if (/^<[^<>]{1,100}>\s*<\/?[\p{L}_][\p{L}\p{N}_.-]{0,80}>/u.test(head)) return 'yes';
    return /^<?[^<>]{0,100}(?:>\s*(?:<\/?[\p{L}_]?[\p{L}\p{N}_.-]{0,80})?)?$/u.test(head) ? 'more' : 'no';
  },
  ends: 'mark',
  read(body, { isClosed }): WrittenCall[] | undefined {
    const found = /^<([^<>]{1,100})>/u.exec(body);
    if (found?.[1] === undefined || !isClosed) return undefined;
    return [
      { name: found[1], named: recordOf(fieldTags(body.slice(found[0].length))), repairs: [], isGuess: true },
    ];
  },
};

/** `<name>f</name><arguments>{…}</arguments>` inside of another tag. */
export const namedTags: BodyCodec = {
  id: 'named-tags',
  begins(head): Verdict {
    if (/^\s*<(?:tool_name|function_name|name)>/u.test(head)) return 'yes';
    return /^\s*(?:<[a-z_]{0,14})?$/u.test(head) ? 'more' : 'no';
  },
  ends: 'mark',
  read(body): WrittenCall[] | undefined {
    const tags = new Map(fieldTags(body));
    const name = tags.get('name') ?? tags.get('tool_name') ?? tags.get('function_name');
    const written = tags.get('arguments') ?? tags.get('parameters') ?? tags.get('args') ?? tags.get('input');
    if (typeof name !== 'string') return undefined;
    if (typeof written !== 'string') return [{ name: name.trim(), named: {}, repairs: [] }];
    const value = readWhole(written)?.value;
    const named = isRecord(value) ? value : recordOf(fieldTags(written));
    return [{ name: name.trim(), named, repairs: [], isGuess: !isRecord(value) }];
  },
};

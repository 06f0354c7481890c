/** Parses a name and an object: `f{…}`, `f[ARGS]{…}`, `call:f{…}`, `f⏎{…}`, or one line for the name and one for the arguments. */
import { isRecord } from '../tool-index';
import { readObject, readWholeValue, createRecord, unreadableValue, ValueReader } from '../value-reader';
import { type BodyCodec, judgeByPatterns, type Verdict, type WrittenCall } from '../format';

const markersAfterName = [
  '\\[CALL_ID\\][\\w-]*\\s*\\[ARGS\\]',
  '\\[ARGS\\]',
  '<[|｜](?:tool[_▁]sep|tool[_▁]call[_▁]argument[_▁]begin|content|message)[|｜]>',
  '(?:<\\|channel\\|>\\w+\\s*)?(?:<\\|constrain\\|>\\s*)?\\w*\\s*<\\|message\\|>',
].join('|');
const namePattern = new RegExp(
  `^\\s*(?:call\\s*:\\s*)?([\\p{L}_][\\p{L}\\p{N}_.:\\-\\\\]*)\\s*(?:${markersAfterName})?\\s*(?:\`\`\`(?:json)?\\s*)?(?=[{"])`,
  'iu',
);

const partialNamePattern = /^\s*(?:call\s*:\s*)?[\p{L}_]?[\p{L}\p{N}_.:\-\\]{0,80}\s*(?:[<[`][^{]{0,60})?$/iu;

/** DeepSeek writes the type of the call before its name. */
const callTypePattern = /^\s*function\s*<[|｜]tool[_▁]sep[|｜]>/iu;

export const namedObject: BodyCodec = {
  begins: (head, { tools, isBare }) => {
    const found = namePattern.exec(head.replace(callTypePattern, ''));
    if (found) return isBare && !(found[1] !== undefined && tools.find(found[1])) ? 'no' : 'yes';
    return partialNamePattern.test(head) ? 'more' : 'no';
  },
  ends: 'brackets',
  read(body, { isClosed }): WrittenCall[] | undefined {
    const text = body.replace(callTypePattern, '');
    const found = namePattern.exec(text);
    if (found?.[1] === undefined) return undefined;
    const rest = text.slice(found[0].length).replace(/\s*```\s*$/, '');
    const value = readWholeValue(rest, { mayClose: isClosed, barewords: true });
    if (!value) return undefined;
    const inner = typeof value.value === 'string' ? readWholeValue(value.value)?.value : value.value;
    if (!isRecord(inner)) return undefined;
    return [{ name: found[1], named: inner, repairs: value.repairs }];
  },
  peek(head) {
    const kind = callTypePattern.exec(head)?.[0].length ?? 0;
    const found = namePattern.exec(head.slice(kind));
    return found?.[1] === undefined ? undefined : { name: found[1], argumentsAt: kind + found[0].length };
  },
};

/** Parses a tool name alone between markers as a call without arguments. */
export const nameOnly: BodyCodec = {
  begins: (head) => (/^\s*[\p{L}_][\p{L}\p{N}_.:\- ]{0,80}\s*$/u.test(head) ? 'more' : 'no'),
  ends: 'mark',
  read(body, { tools, isClosed }) {
    const name = body.trim();
    return isClosed && tools.find(name) ? [{ name, named: {}, repairs: [] }] : undefined;
  },
};

const arrowCallPattern = /^\s*\{\s*tool\s*=>\s*["']([^"'\n]{1,100})["']\s*,?\s*(?:args\s*=>\s*\{)?/;

/** Parses arrows instead of colons, with arguments as options: `{tool => "f", args => { --q "x" }}`. */
export const arrowCall: BodyCodec = {
  begins: (head) =>
    judgeByPatterns(
      head,
      arrowCallPattern,
      /^\s*(?:\{\s*(?:t(?:o(?:o(?:l\s*(?:=(?:>[^\n]{0,110})?)?)?)?)?)?)?$/,
    ),
  ends: 'brackets',
  read(body): WrittenCall[] | undefined {
    const found = arrowCallPattern.exec(body);
    if (found?.[1] === undefined) return undefined;
    const reader = new ValueReader(body, found[0].length, { barewords: true });
    const entries: [string, unknown][] = [];
    for (;;) {
      reader.skipBlanks();
      while (reader.consumeMatch(/[},]/y) !== undefined) reader.skipBlanks();
      if (reader.isAtEnd) break;
      const key = reader.consumeMatch(/--[\w-]+/y)?.slice(2);
      const value = key === undefined ? unreadableValue : reader.readValue('item');
      if (key === undefined || value === unreadableValue) return undefined;
      entries.push([key, value]);
    }
    return [{ name: found[1], named: createRecord(entries), repairs: [...reader.repairs] }];
  },
};

/** `isText`: the arguments are one string up to the end of the line, not an object. */
export function createKeyLinesCodec(
  keys: { name: string; arguments: string },
  { isText = false } = {},
): BodyCodec {
  const lead = new RegExp(
    `^\\s*${keys.name}\\s*[:：][ \\t*]*([^\\n:：{}]{1,80}?)[ \\t]*\\n\\s*${keys.arguments}\\s*[:：][ \\t*\`]*`,
    'u',
  );
  const partial = new RegExp(`^\\s*[^\\n]{0,${keys.name.length + 90}}(?:\\n[^\\n{["]{0,40})?$`, 'u');
  const split = (body: string) => {
    const found = lead.exec(body);
    if (found?.[1] === undefined) return undefined;
    const name = found[1].replace(/^[`"'*]+|[`"'*]+$/g, '');
    return { name, rest: body.slice(found[0].length), argumentsAt: found[0].length };
  };
  return {
    begins(head): Verdict {
      const found = split(head);
      if (!found) return partial.test(head) ? 'more' : 'no';
      if (found.rest.trim() === '') return 'more';
      return /^\s*\{/.test(found.rest) === isText ? 'no' : 'yes';
    },
    ends: isText ? 'line' : 'brackets',
    read(body, { isClosed }): WrittenCall[] | undefined {
      const found = split(body);
      if (!found) return undefined;
      const { name, rest } = found;
      if (!isText) {
        const object = readObject(rest, { mayClose: isClosed });
        return object && [{ name, ...object }];
      }
      const unmarked = rest.trim().replace(/`$/, '');
      const text = unmarked.replace(/^(["'])(.*)\1$/s, '$2');
      return /^(?:$|\{)/.test(text) ? undefined : [{ name, named: {}, text, repairs: [], isGuess: true }];
    },
    ...(!isText && { peek: split }),
  };
}

export const chineseKeyLines = createKeyLinesCodec({
  name: '(?:工具名称|工具名|工具)',
  arguments: '(?:工具参数|参数)',
});

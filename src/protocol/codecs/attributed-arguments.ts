/** Kimi K3: attributes name the tool and each argument, and say whether its text is one or JSON. */
import { isRecord } from '../tool-index';
import { readJson, recordOf } from '../value-reader';
import { type BodyCodec, judge, type WrittenCall } from './codec';
import { withoutEntities } from './entities';

const lead = /^\s*((?:[a-z]{1,20}="[^"\n]{0,200}"\s*){1,4})<\|sep\|>/u;
const partial = /^[^<\n]{0,220}(?:<\|?s?e?p?\|?)?$/u;
const argument = /<\|open\|>argument\s((?:[a-z]{1,20}="[^"\n]{0,200}"\s*){1,4})<\|sep\|>/gu;
const object = /<\|open\|>json[^<>|]{0,100}<\|sep\|>/u;

export const attributedArguments: BodyCodec = {
  id: 'attributed-arguments',
  begins: (head) => judge(head, lead, partial),
  ends: 'mark',
  read(body): WrittenCall[] | undefined {
    const found = lead.exec(body);
    const name = found && attributesOf(found[1]).get('tool');
    if (!name) return undefined;
    const whole = object.exec(body);
    if (whole) {
      const value = readJson(upTo(body, whole.index + whole[0].length, '<|close|>json<|sep|>'))?.value;
      return isRecord(value) ? [{ name, named: value, repairs: [] }] : undefined;
    }
    return [{ name, named: argumentsOf(body), repairs: [] }];
  },
  peek(head) {
    const found = lead.exec(head);
    const name = found && attributesOf(found[1]).get('tool');
    return found && name ? { name, argumentsAt: found[0].length } : undefined;
  },
};

function argumentsOf(body: string): Record<string, unknown> {
  const entries = Array.from(body.matchAll(argument), ({ 0: open, 1: written, index }): [string, unknown] => {
    const attributes = attributesOf(written);
    const text = upTo(body, index + open.length, '<|close|>argument<|sep|>');
    const json = attributes.get('type') === 'string' ? undefined : readJson(text);
    return [attributes.get('key') ?? '', json ? json.value : text];
  });
  return recordOf(entries);
}

/** The text up to a closing mark, or to the next argument where that is missing. */
function upTo(body: string, from: number, close: string): string {
  const rest = body.slice(from);
  const end = rest.search(/<\|(?:close|open)\|>(?:argument|json)/u);
  return end < 0 || rest.startsWith(close, end)
    ? rest.slice(0, end < 0 ? undefined : end)
    : rest.slice(0, end);
}

function attributesOf(written = ''): Map<string, string> {
  const pairs = written.matchAll(/([a-z]+)="([^"]*)"/gu);
  return new Map(Array.from(pairs, ([, key = '', value = '']) => [key, withoutEntities(value)]));
}

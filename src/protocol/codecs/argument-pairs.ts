/** GLM: `f⏎<arg_key>q</arg_key>⏎<arg_value>x</arg_value>`. Hunyuan writes `<tool_sep>` behind the name, LongCat its own prefix. */
import { recordOf } from '../value-reader';
import { type BodyCodec, judge, type WrittenCall } from './codec';

const lead = /^\s*([^\s<>{}()[\]]+)\s*(?:<tool_sep>|(?=<(?:longcat_)?arg_key>))/u;
const partial = /^\s*(?:[\p{L}_][\p{L}\p{N}_.:-]{0,80}\s*(?:<[a-z_]{0,15})?)?$/iu;
const pair =
  /<(?:longcat_)?arg_key>([\s\S]*?)<\/(?:longcat_)?arg_key>\s*<(?:longcat_)?arg_value>([\s\S]*?)(?:(<\/(?:longcat_)?arg_value>)|(?=<(?:longcat_)?arg_key>)|$)/giu;

export const argumentPairs: BodyCodec = {
  id: 'argument-pairs',
  begins: (head) => judge(head, lead, partial),
  ends: 'mark',
  read(body): WrittenCall[] | undefined {
    const name = lead.exec(body)?.[1];
    if (name === undefined) return undefined;
    const pairs = Array.from(body.matchAll(pair), ([, key = '', value = '', close]): [string, string] => [
      key.trim(),
      close === undefined ? value.trimEnd() : value,
    ]);
    return [{ name, named: recordOf(pairs), repairs: [] }];
  },
  peek(head) {
    const found = lead.exec(head);
    return found?.[1] === undefined ? undefined : { name: found[1], argumentsAt: found[0].length };
  },
};

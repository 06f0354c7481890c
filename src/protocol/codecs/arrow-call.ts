/** Arrows for colons, options for arguments: `{tool => "f", args => { --q "x" }}`. */
import { recordOf, unread, ValueReader } from '../value-reader';
import type { BodyCodec, Verdict, WrittenCall } from './codec';

const lead = /^\s*\{\s*tool\s*=>\s*["']([^"'\n]{1,100})["']\s*,?\s*(?:args\s*=>\s*\{)?/;

export const arrowCall: BodyCodec = {
  id: 'arrow',
  begins(head): Verdict {
    if (lead.test(head)) return 'yes';
    return /^\s*(?:\{\s*(?:t(?:o(?:o(?:l\s*(?:=(?:>[^\n]{0,110})?)?)?)?)?)?)?$/.test(head) ? 'more' : 'no';
  },
  ends: 'brackets',
  read(body): WrittenCall[] | undefined {
    const found = lead.exec(body);
    if (found?.[1] === undefined) return undefined;
    const reader = new ValueReader(body, found[0].length, { barewords: true });
    const entries: [string, unknown][] = [];
    for (;;) {
      reader.skip();
      if (reader.match(/[},]/y) !== undefined || reader.isAtEnd) {
        if (reader.isAtEnd) break;
        continue;
      }
      const key = reader.match(/--[\w-]+/y)?.slice(2);
      const value = key === undefined ? unread : reader.value('item');
      if (key === undefined || value === unread) return undefined;
      entries.push([key, value]);
    }
    return [{ name: found[1], named: recordOf(entries), repairs: [...reader.repairs] }];
  },
};

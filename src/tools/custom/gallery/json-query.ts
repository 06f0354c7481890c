/** A part of a JSON text, by a path. */
import type { CustomToolContent } from '../../../contracts/custom-tool';
import { plain } from './limits';

export const jsonQuery: CustomToolContent = {
  ...plain,
  name: 'json_query',
  title: 'JSON query',
  description:
    'Reads a part of a JSON text by a path such as items[0].name or items[*].price. Use it to look something up in JSON.',
  keywords: {
    en: ['path', 'field', 'extract', 'look up in json', 'api answer'],
    zh: ['取字段', '解析', '数据', '路径'],
  },
  inputSchema: {
    type: 'object',
    properties: {
      json: { type: 'string', minLength: 1, maxLength: 60_000 },
      path: { type: 'string', maxLength: 500, default: '', description: 'Empty for all of it' },
    },
    required: ['json'],
  },
  code: String.raw`let data;
try { data = JSON.parse(args.json); } catch (error) { throw new Error('The text is no JSON: ' + error.message); }
const steps = [];
const pattern = /\.?([^.[\]]+)|\[(\d+|\*)\]|\["([^"]*)"\]/y;
const path = args.path.replace(/^\$/, '');
for (let at = 0; at < path.length; at = pattern.lastIndex) {
  pattern.lastIndex = at;
  const match = pattern.exec(path);
  if (!match) throw new Error('The path cannot be read from "' + path.slice(at, at + 30) + '". Write it like items[0].name');
  steps.push(match[1] ?? match[2] ?? match[3]);
}
const keysOf = (value) => Array.isArray(value) ? value.length + ' items' : value && typeof value === 'object' ? Object.keys(value).slice(0, 20).join(', ') : String(value);
let found = [data];
let isMany = false;
for (const step of steps) {
  if (step === '*') {
    isMany = true;
    found = found.flatMap((value) => value && typeof value === 'object' ? Object.values(value) : []);
    continue;
  }
  const next = found.filter((value) => value !== null && typeof value === 'object' && Object.hasOwn(value, step)).map((value) => value[step]);
  if (next.length === 0 && !isMany) throw new Error('There is no "' + step + '". There is: ' + keysOf(found[0]));
  found = next;
}
return isMany ? found : found[0];`,
  examples: [
    {
      request: 'Which prices are in {"items":[{"price":3},{"price":5}]}?',
      arguments: { json: '{"items":[{"price":3},{"price":5}]}', path: 'items[*].price' },
      result: '[3,5]',
    },
    { request: '', arguments: { json: '{"a":{"b c":[1,2]}}', path: 'a["b c"][1]' }, result: '2' },
    { request: '', arguments: { json: '[1]' }, result: '[1]' },
  ],
};

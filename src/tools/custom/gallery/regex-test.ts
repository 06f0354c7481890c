/** A regular expression on a text. One that runs for ever is ended by the sandbox. */
import type { CustomToolContent } from '../../../contracts/custom-tool';
import { plain } from './limits';

export const regexTest: CustomToolContent = {
  ...plain,
  name: 'regex_test',
  title: 'Regex tester',
  description:
    'Tries a regular expression of JavaScript on a text and lists the matches with their groups. Use it to test or explain a pattern.',
  limits: { ...plain.limits, timeMs: 2_000 },
  keywords: {
    en: ['regular expression', 'pattern', 'match', 'grep', 'phone number', 'groups'],
    zh: ['正则', '表达式', '匹配', '模式'],
  },
  inputSchema: {
    type: 'object',
    properties: {
      pattern: { type: 'string', minLength: 1, maxLength: 1000, description: 'Without slashes' },
      text: { type: 'string', maxLength: 20_000 },
      flags: { type: 'string', pattern: '^[imsu]*$', default: '' },
    },
    required: ['pattern', 'text'],
  },
  code: String.raw`let regex;
try { regex = new RegExp(args.pattern, [...new Set('g' + args.flags)].join('')); } catch (error) { throw new Error('The pattern cannot be read: ' + error.message); }
const all = [];
for (const match of args.text.matchAll(regex)) {
  if (all.length === 100) break;
  all.push({ match: match[0], at: match.index, ...(match.length > 1 && { groups: match.slice(1).map((group) => group ?? null) }), ...(match.groups && { named: { ...match.groups } }) });
}
return { count: all.length, matches: all };`,
  examples: [
    {
      request: 'What does (\\d+)-(\\d+) match in "10-20 and 3-4"?',
      arguments: { pattern: '(\\d+)-(\\d+)', text: '10-20 and 3-4' },
      result:
        '{"count":2,"matches":[{"match":"10-20","at":0,"groups":["10","20"]},{"match":"3-4","at":10,"groups":["3","4"]}]}',
    },
    { request: '', arguments: { pattern: 'a', text: 'bbb' }, result: '{"count":0,"matches":[]}' },
  ],
};

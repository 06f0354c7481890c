/** What can be counted in a text. */
import type { CustomToolContent } from '../../../contracts/custom-tool';
import { plain } from './limits';

export const textStatistics: CustomToolContent = {
  ...plain,
  name: 'text_statistics',
  title: 'Text statistics',
  description:
    'Counts characters, words, sentences and lines of a text, and how often a word or letter is in it. Use it for any question about how many or how long in a text.',
  keywords: {
    en: ['word count', 'characters', 'letters', 'how long', 'essay'],
    zh: ['字数', '多少字', '统计', '几句', '字符'],
  },
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', maxLength: 60_000 },
      find: { type: 'string', maxLength: 200, description: 'Word or letter to count' },
    },
    required: ['text'],
  },
  code: String.raw`const { text, find } = args;
const words = [...new Intl.Segmenter('en', { granularity: 'word' }).segment(text)].filter((part) => part.isWordLike).map((part) => part.segment);
const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)].filter((part) => /[\p{L}\p{N}]/u.test(part.segment));
const characters = [...new Intl.Segmenter('en').segment(text)].length;
const times = new Map();
for (const word of words) times.set(word.toLowerCase(), (times.get(word.toLowerCase()) ?? 0) + 1);
const result = {
  characters,
  words: words.length,
  sentences: sentences.length,
  lines: text === '' ? 0 : text.split(/\r\n|\r|\n/).length,
  minutes_to_read: Number((words.length / 230).toFixed(1)),
  most_used: [...times].sort((a, b) => b[1] - a[1]).slice(0, 5).map(([word, count]) => word + ': ' + count),
};
if (find) result.found = text.toLowerCase().split(find.toLowerCase()).length - 1;
return result;`,
  examples: [
    {
      request: 'How many r are in strawberry?',
      arguments: { text: 'strawberry', find: 'r' },
      result:
        '{"characters":10,"words":1,"sentences":1,"lines":1,"minutes_to_read":0,"most_used":["strawberry: 1"],"found":3}',
    },
    {
      request: '',
      arguments: { text: 'One two. Two!\n👨‍👩‍👧' },
      result:
        '{"characters":15,"words":3,"sentences":2,"lines":2,"minutes_to_read":0,"most_used":["two: 2","one: 1"]}',
    },
  ],
};

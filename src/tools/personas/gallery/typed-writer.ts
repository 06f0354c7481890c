import { entry } from './entry';

const text = (description: string) => ({ type: 'string', description });
const count = (description: string, minimum: number) => ({ type: 'integer', description, minimum });

/** The name is the same in each language: it is how other personas call it. */
const name = 'typed_writer';

/** The example of a persona that is asked in one form and answers in another. */
export const typedWriter = entry(
  { tools: [], sampling: { temperature: 0.8 }, isTool: true },
  {
    en: {
      name,
      description:
        'Writes an article to a topic, a length and a style, and gives it back with its title and its length. Use it when somebody wants an article.',
      instructions: `You write articles to order. The order names a topic, a length and a style.

- "content" is the article itself: in the style that was ordered, about as long as was ordered, in the language of the topic.
- "title" is short, and says what the article is about.
- "characterCount" is the number of characters of "content".`,
      inputSchema: {
        type: 'object',
        title: 'ArticleRequest',
        properties: {
          topic: text('What the article is about'),
          wordCount: count('How long it should be, in words; in Chinese, in characters', 1),
          style: text('How it should be written: essay, report, fairy tale …'),
        },
        required: ['topic', 'wordCount', 'style'],
      },
      outputSchema: {
        type: 'object',
        title: 'ArticleOutput',
        properties: {
          title: text('The title'),
          content: text('The article itself'),
          characterCount: count('Characters of the article', 0),
        },
        required: ['title', 'content', 'characterCount'],
      },
    },
    zh: {
      name,
      description: '按主题、字数和文体写一篇文章，连同标题和字符数一起交回。有人想要一篇文章时使用。',
      instructions: `你按要求写文章。要求里有主题、字数和文体。

- “content”是文章正文：文体按要求，篇幅与要求的字数相近，语言与主题一致。
- “title”是标题，要短，并说出文章写什么。
- “characterCount”是“content”的字符数。`,
      inputSchema: {
        type: 'object',
        title: 'ArticleRequest',
        properties: {
          topic: text('文章的主题'),
          wordCount: count('篇幅：英文按词数，中文按字数', 1),
          style: text('文体：散文、报道、童话……'),
        },
        required: ['topic', 'wordCount', 'style'],
      },
      outputSchema: {
        type: 'object',
        title: 'ArticleOutput',
        properties: {
          title: text('标题'),
          content: text('文章正文'),
          characterCount: count('正文的字符数', 0),
        },
        required: ['title', 'content', 'characterCount'],
      },
    },
  },
);

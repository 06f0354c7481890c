import { expect, test } from 'vitest';
import { galleryTools } from '../../../../src/tools/custom/gallery/registry';
import { createBuiltinTools } from '../../../../src/tools/registry';
import { createLexicalSearcher } from '../../../../src/tools/tool-search/lexical';
import { builtinParts } from '../../../support/outside';

const tools = [
  ...createBuiltinTools(builtinParts()),
  ...galleryTools.map(({ examples, ...content }) => ({
    ...content,
    examples: examples.filter(({ request }) => request !== ''),
  })),
];
const searcher = createLexicalSearcher();
searcher.index(tools);

test.for<[string, string]>([
  ['我想看下时间', 'clock'],
  ['how late is it in Denver', 'clock'],
  ['今天星期几', 'clock'],
  ['帮我算一下三加五', 'calculator'],
  ['what are 18 percent of 260', 'calculator'],
  ['打开这个链接看看写了什么', 'fetch_page'],
  ['open this link for me', 'fetch_page'],
  ['上网查一下露营', 'web_search'],
  ['look it up online', 'web_search'],
  ["what's it like outside", 'weather'],
  ['should I take an umbrella', 'weather'],
  ['明天要带伞吗', 'weather'],
  ['how many pounds are five kilograms', 'convert_units'],
  ['十英里等于几公里', 'convert_units'],
  ['一百美元换多少人民币', 'convert_currency'],
  ['掷个骰子', 'random'],
  ['这篇有多少字', 'text_statistics'],
  ['is the yellow readable on white', 'color'],
])('the request "%s" finds the tool %s', ([request, name]) => {
  expect(searcher.search(request, 1).map((found) => found.name)).toEqual([name]);
});

test.for(tools)('the tool $name has keywords in English and Chinese', ({ keywords = {} }) => {
  for (const language of ['en', 'zh']) expect(keywords[language]?.length).toBeGreaterThan(3);
});

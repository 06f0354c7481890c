import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/contracts/message';
import { createSearchCall, findSearchQuery } from '../../../src/tools/page-calls';

const said = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});

describe('the check whether a message needs a web search', () => {
  test.for([
    ['Search for northern lights', 'northern lights'],
    ['search the web for heat pump prices, please', 'heat pump prices'],
    ['Please search grey heron', 'grey heron'],
    ['Can you look up the Treaty of Ghent?', 'the Treaty of Ghent'],
    ['google svelte 5 runes', 'svelte 5 runes'],
    ['Do a deep search on solid state batteries', 'solid state batteries'],
    ['search for "hearth agent"', 'hearth agent'],
    ['What is the latest news from Oslo?', 'What is the latest news from Oslo'],
    ['Who won the match yesterday?', 'Who won the match yesterday'],
    ['who won the 2026 world cup', 'who won the 2026 world cup'],
    ["What's today's gold price?", "What's today's gold price"],
    ['What is the current president of Chile called?', 'What is the current president of Chile called'],
    ['What is the exchange rate of the yen?', 'What is the exchange rate of the yen'],
    ['What will the weather in Bergen be?', 'What will the weather in Bergen be'],
    ['When does the next phone come out?', 'When does the next phone come out'],
    ['Tell me the latest headlines.', 'the latest headlines'],
    ['Any news about the strike?', 'Any news about the strike'],
    ['搜索北极光', '北极光'],
    ['帮我搜一下热泵的价格', '热泵的价格'],
    ['请上网查一下格陵兰的首都', '格陵兰的首都'],
    ['今天有什么新闻？', '今天有什么新闻'],
    ['今天的金价是多少？', '今天的金价是多少'],
    ['现任法国总统是谁？', '现任法国总统是谁'],
    ['奥斯陆天气怎么样', '奥斯陆天气怎么样'],
    ['昨天的比赛谁赢了？', '昨天的比赛谁赢了'],
    ['这部电影什么时候上映？', '这部电影什么时候上映'],
  ] as const)('finds the words to search for: “%s” gives “%s”', ([question, query]) => {
    expect(findSearchQuery(question)).toBe(query);
  });

  test.for([
    'Hello!',
    'Thanks, that is great news!',
    'Good news: I passed the exam.',
    'What is 17 * 23?',
    '17*23',
    '15% of 80',
    'What time is it in Tokyo?',
    "What's the date today?",
    'What is a heron?',
    'Who wrote Faust?',
    'How do I sort a list in Python?',
    'Write a poem about the weather.',
    'I am researching my family.',
    'Explain the current in a wire',
    'What does https://example.com/news say?',
    'What is the latest on www.example.com?',
    'The price of freedom is high.',
    'Summarise this: the latest figures are out. '.repeat(10),
    '你好',
    '谢谢',
    '现在几点？',
    '今天星期几？',
    '2的64次方是多少？',
    '苍鹭是什么？',
    '写一首关于天空的诗',
    '',
  ])('finds no search words in a message that needs no search: %s', (question) => {
    expect(findSearchQuery(question)).toBeUndefined();
  });
});

test('the app creates a search call in the same form as a call by the model', () => {
  expect(createSearchCall([said('Search for herons')], () => 'id1')).toEqual({
    role: 'assistant',
    finishReason: 'tool-calls',
    content: [{ type: 'tool-call', id: 'id1', name: 'web_search', arguments: { query: 'herons' } }],
  });
});

test('a question that was already answered needs no search, and neither does a greeting', () => {
  const answer: Message = { role: 'assistant', content: [], finishReason: 'aborted' };
  const id = () => 'id';
  expect(createSearchCall([said('Search for herons'), answer], id)).toBeUndefined();
  expect(createSearchCall([said('Hi')], id)).toBeUndefined();
  expect(createSearchCall([], id)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { readSearchCommand } from '../../../src/ember/hands-stage';

test.each([
  ['Search for the newest release of the Quillfire editor', 'the newest release of the Quillfire editor'],
  ['Could you find out online what axolotls eat?', 'what axolotls eat'],
  ['Which firm makes the Pelmora kettle? Check the web.', 'Which firm makes the Pelmora kettle'],
  ['please search the web for ferry times to Holm', 'ferry times to Holm'],
  ['google best pancake recipe', 'best pancake recipe'],
  ['Can you look up who wrote Emma?', 'who wrote Emma'],
  [
    'Search for the Veldmoor lighthouse, then read the page you find: how many steps does it have?',
    'the Veldmoor lighthouse',
  ],
  ['帮我在网上找找青禾节在哪座城市举行', '青禾节在哪座城市举行'],
  ['搜一搜《灯塔的第七夜》的作者是哪位', '《灯塔的第七夜》的作者是哪位'],
  ['上网查查云梯山索道全长多少米', '云梯山索道全长多少米'],
  ['查一下网上怎么说：蓝尾石龙子靠吃什么活着', '蓝尾石龙子靠吃什么活着'],
  ['先搜云顶灯塔，再读搜到的网页：它有多少级台阶？', '云顶灯塔'],
])('%s searches for %s', (question, query) => {
  expect(readSearchCommand(question)).toBe(query);
});

test.each([
  'Write a binary search in Python.',
  'What is a search engine?',
  'Explain how to research a topic.',
  'What does Google do?',
  'Google is slow, why?',
  'Is it safe to buy shoes online?',
  'How do I sell things on the internet?',
  '网上购物安全吗？',
  '搜索引擎是什么？',
  'How do I look after a cat?',
  'hi',
  '写一个找素材的计划？',
  '网络是怎么工作的？',
])('%s searches for nothing', (question) => {
  expect(readSearchCommand(question)).toBeUndefined();
});

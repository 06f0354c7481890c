import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/contracts/message';
import type { Tool } from '../../../src/contracts/tool';
import { createRecallTool } from '../../../src/tools/builtin/recall';
import { createRememberTool } from '../../../src/tools/builtin/remember';
import { readPlainCalls, readNoteRequest } from '../../../src/ember/plain-calls';
import { loadPlaces } from '../../support/small-model';
import { createMemoryStore } from '../../../src/store/open-store';

const notes = createMemoryStore().notes;
const remember = createRememberTool({ notes, newId: () => crypto.randomUUID(), date: () => 0 });
const recall = createRecallTool({ notes });
const tools = [remember, recall];
const read = (text: string, on: readonly Tool[] = tools) => readNoteRequest(text, on);

describe('a request to save a note', () => {
  test.for([
    ['Remember that my wifi is called Heron', 'my wifi is called Heron'],
    ['Please remember that my wifi is called Heron.', 'my wifi is called Heron.'],
    ['can you remember this: the code is 4711', 'the code is 4711'],
    ['Remember: Anna is allergic to nuts', 'Anna is allergic to nuts'],
    ['Remember my train leaves at 8:15', 'my train leaves at 8:15'],
    ["remember I'm vegetarian", "I'm vegetarian"],
    ["Don't forget that the bins go out on Monday", 'the bins go out on Monday'],
    ['Make a note: the plumber comes on Friday', 'the plumber comes on Friday'],
    ['note down that the plumber comes on Friday', 'the plumber comes on Friday'],
    ['pls remember my locker number is 317', 'my locker number is 317'],
    ["Could you note down that Anna's birthday is on 14 March?", "Anna's birthday is on 14 March"],
    ['jot this down for me: the key is under the pot', 'the key is under the pot'],
    ['Add to my notes: the bins go out on Monday', 'the bins go out on Monday'],
    ['keep in mind that I am vegetarian', 'I am vegetarian'],
    ['记住我的车停在B2层', '我的车停在B2层'],
    ['请记住：WiFi密码是Heron', 'WiFi密码是Heron'],
    ['帮我记一下，周五水管工来', '周五水管工来'],
    ['别忘了妈妈的生日是五月三号', '妈妈的生日是五月三号'],
  ])('is recognised with the text of the note: %s', ([text = '', note]) => {
    expect(read(text)).toEqual({ call: { name: 'remember', arguments: { note } }, isCertain: true });
  });
});

describe('a request to search the notes', () => {
  test.for<[string, string, boolean]>([
    ['Search my notes for train', 'train', true],
    ['What do my notes say about the plumber?', 'plumber', true],
    ['do I have any notes about wifi?', 'wifi', true],
    ['whats my locker number again? should be in my notes', 'locker number again', true],
    ['when is annas birthday, can you check my notes', 'annas birthday', true],
    ['I wrote down somewhere where the spare key is. Where was it?', 'spare key is', true],
    ['在我的笔记里找火车', '火车', true],
    ['我的笔记里关于停车写了什么？', '停车', true],
    ['查一下我的笔记里有没有密码', '密码', true],
    ['look in my notes for the wifi password', 'wifi password', true],
    ['Search my notes: where is my car parked?', 'car parked', true],
    ['When does the plumber come? It is in my notes.', 'plumber come', true],
    ["When is the exam? It's in my notes", 'exam', true],
    ['check my notes: what am I allergic to?', 'allergic to', true],
    ['can you check my notes, when is the dentist?', 'dentist', true],
    ['Look for the wifi password in my notes', 'wifi password', true],
    ['In my notes, where did I park?', 'park', true],
    ['According to my notes, what is the code?', 'code', true],
    ['Where is my passport? Check my notes.', 'passport', true],
    ['Is there anything about the dentist in my notes?', 'dentist', true],
    ["Do my notes say anything about Anna's birthday?", "Anna's birthday", true],
    ['what do my notes say about Anna', 'Anna', true],
    ['查一下我的笔记：我对什么过敏？', '过敏', true],
    ['在我的笔记里找停车', '停车', true],
    ['笔记里有没有密码', '密码', true],
    ['帮我在笔记里找一下护照', '护照', true],
    ['我的车停在哪里？在我的笔记里。', '车停在', true],
    ['水管工什么时候来？查一下我的笔记', '水管工 来', true],
    ['根据我的笔记，妈妈的生日是几号？', '妈妈的生日是', true],
    ['翻翻我的笔记，钥匙放在哪里', '钥匙放在', true],
    ['What did I tell you about my wifi?', 'my wifi', false],
    ['Do you remember where I parked?', 'I parked', false],
    ['Remind me what the code is', 'the code is', false],
    ['你还记得我的车停在哪里吗？', '车停在', false],
    ['我让你记过停车的事吗', '停车', false],
  ])('is recognised with its search query: %s', ([text, query, isCertain]) => {
    expect(read(text)).toEqual({ call: { name: 'recall', arguments: { query } }, isCertain });
  });
});

describe('a request that is not about notes', () => {
  test.for([
    'Remember me?',
    'Do you remember?',
    'remember my name',
    'Remember the Alamo',
    'Remember to breathe',
    'I remember that day well.',
    'What is 17 * 23?',
    'What time is it in Tokyo?',
    'Note: the meeting was moved, and everyone is asked to come.',
    'Remember that we spoke of Oslo, what time is it there?',
    'How do I remember names better?',
    'Search for notes on Chopin',
    '记住了吗',
    '记住了',
    '怎么记住单词',
    '东京现在几点？',
    '笔记本电脑多少钱',
    'take notes in class',
    'music notes',
    'how do I take good notes?',
    'what are the notes in C major?',
    'note the difference',
    'write up my notes',
    'check my notes',
    'search my notes',
    'notes app for iPhone',
    'It is in my notes.',
    'Summarise my notes',
    'how do I search notes in Obsidian?',
    "What does a doctor's note say?",
    'I left my notes at school',
    'My notes are a mess',
    '怎么做笔记',
    '课堂笔记怎么写',
    '做笔记的好处',
    '笔记里怎么插入图片',
    '我的笔记本在哪里买的',
    '我的笔记怎么导出',
    '查一下我的笔记',
    '查一下笔记本电脑',
    '推荐一个笔记软件',
  ])('is left to the model: %s', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

test('a request about notes is left to the model if the notes tool is off', () => {
  expect(read('Remember that my wifi is called Heron', [recall])).toBeUndefined();
  expect(read('Search my notes for wifi', [remember])).toBeUndefined();
});

test('a question that could be about the notes searches them only if a note matches', async () => {
  const history: Message[] = [
    {
      role: 'user',
      content: [{ type: 'text', text: 'What did I tell you about herons?' }],
      origins: [{ door: 'typed' }],
    },
  ];
  const { signal } = new AbortController();
  expect(await readPlainCalls(history, tools, signal, loadPlaces)).toBeUndefined();
  await notes.add({
    id: 'n',
    text: 'Herons eat fish',
    createdAt: 0,
    updatedAt: 0,
    origins: [{ door: 'typed' }],
  });
  expect(await readPlainCalls(history, tools, signal, loadPlaces)).toEqual([
    { name: 'recall', arguments: { query: 'herons' } },
  ]);
});

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
    ['What do my notes say about the plumber?', 'the plumber', true],
    ['do I have any notes about wifi?', 'wifi', true],
    ['在我的笔记里找火车', '火车', true],
    ['我的笔记里关于停车写了什么？', '停车', true],
    ['查一下我的笔记里有没有密码', '密码', true],
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

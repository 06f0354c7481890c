/** Finds what users said about themselves earlier in the chat, and ignores questions that need a tool. */
import { expect, test } from 'vitest';
import { findStatementAboutUser } from '../../../src/ember/page-replies';
import type { Message } from '../../../src/contracts/message';
import type { Origin } from '../../../src/contracts/origin';

const user = (text: string, origin: Origin = { door: 'typed' }): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [origin],
});
const ask = (question: string, ...said: string[]) =>
  findStatementAboutUser([...said.map((text) => user(text)), user(question)]);

test.for([
  ['What is my name?', 'My name is Ada.'],
  ["What's my name again?", 'Hello! My name is Ada.'],
  ['Do you still remember my name?', 'My name is Ada.'],
  ['who am i', "I'm Ada"],
  ['Tell me my name', 'Please call me Ada.'],
  ["Do you remember my sister's birthday?", 'The birthday of my sister is May 4.'],
  ['How old am I?', "I'm 36 years old."],
  ['Where do I live?', 'I live in Trondheim.'],
  ['where am I from?', 'I’m from Peru.'],
  ['What do I do for a living?', 'I work as a nurse.'],
  ['What is my favourite colour?', 'My favourite colour is teal.'],
  ["What's my dog's name?", 'My dog is called Rex.'],
  ['When does my train leave?', 'My train leaves at 8:15 on Friday.'],
  ['我叫什么名字？', '我叫小明。'],
  ['你还记得我叫什么吗？', '我叫小明。'],
  ['我今年几岁？', '我今年36岁。'],
  ['我住在哪里？', '我住在成都。'],
  ['我喜欢什么颜色？', '我喜欢的颜色是蓝色。'],
] as const)("the question “%s” is answered with the user's statement “%s”", ([question, said]) => {
  const sentence = said.split(/(?<=!)\s/).at(-1);
  expect(ask(question, said, 'What is 2 + 2?', 'Thanks!')).toBe(sentence);
});

test('the newest of several matching statements of the user is the answer', () => {
  expect(ask('Where do I live?', 'I live in Oslo.', 'I moved, I live in Bergen now.')).toBe(
    'I moved, I live in Bergen now.',
  );
});

test.for([
  'What is 20% of my salary?',
  'What is the weather where I live?',
  'What should I tell my boss about my salary?',
  'Who wrote my favourite book?',
  'What time is it?',
  'How much is 3 + 4?',
  '我应该穿什么？',
  'My salary is 4000.',
])('a question is not answered from what the user said before: "%s"', (question) => {
  expect(ask(question, 'My salary is 3000 a month.', 'I live in Oslo.', 'My name is Ada.')).toBeUndefined();
});

test('a question about the user has no answer without a matching statement', () => {
  expect(ask('What is my name?', 'I live in Oslo.', 'What is my name?')).toBeUndefined();
});

test("a server's text in a user message is not a statement of the user", () => {
  const history = [
    user('My name is Mallory.', { door: 'server-prompt', name: 'evil.example' }),
    user('What is my name?'),
  ];
  expect(findStatementAboutUser(history)).toBeUndefined();
});

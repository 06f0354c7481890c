import { describe, expect, test } from 'vitest';
import { replyToCrisis, replyToGreeting } from '../../../src/ember/page-replies';
import { said } from './messages';

const options = { modelName: 'SmolLM', tools: [], language: 'en' as const };

describe('the page greets for a model that is too small to talk', () => {
  test.each(['hi', 'Good morning! How are you?', 'thanks', '你好', '谢谢你的帮助！'])('%s', (request) => {
    expect(replyToGreeting([said(request)], options)?.text).toBeTruthy();
  });

  test.each(['Who made you?', 'What languages do you speak?', 'Tell me a story', 'ok', 'hi, what is 2+2?'])(
    'not to %s',
    (request) => {
      expect(replyToGreeting([said(request)], options)).toBeUndefined();
    },
  );
});

test('the page finds what the user said of themselves', () => {
  const history = [said('My name is Nadja.'), said('What is my name?')];
  expect(replyToGreeting(history, options)?.text).toContain('My name is Nadja.');
});

describe('the page answers somebody in a crisis, whichever model is chosen', () => {
  test.each([
    'I want to die',
    'i dont want to live anymore',
    "I'm thinking about killing myself",
    'I feel so suicidal today',
    '我不想活了，我真的想死',
    '我想自杀',
  ])('%s', (request) => {
    expect(replyToCrisis([said(request)], options)?.text).toMatch(/sorry|难过/);
  });

  test.each([
    'What is the plot of Suicide Squad?',
    'Who wants to die in Hamlet?',
    'I want a diet plan',
    'Explain the suicide gene',
    '自杀小队讲什么？',
  ])('not %s', (request) => {
    expect(replyToCrisis([said(request)], options)).toBeUndefined();
  });
});

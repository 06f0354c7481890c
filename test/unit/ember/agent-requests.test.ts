import { expect, test } from 'vitest';
import type { ToolSpec } from '../../../src/contracts/tool';
import { isAgentAskedIn, readAgentCalls } from '../../../src/ember/agent-requests';

const agent = (name: string, title: string, required = ['request']): ToolSpec => ({
  name,
  title,
  description: '',
  inputSchema: { type: 'object', properties: { request: { type: 'string' } }, required },
});
const agents = [
  agent('poet', 'Poet'),
  agent('translator', 'Translator'),
  agent('persona_7', '诗人'),
  agent('fact_checker', 'Fact checker'),
  agent('form', 'Form filler', ['request', 'date']),
];

test.each([
  ['Ask the poet to write a haiku about rain.', [['poet', 'Write a haiku about rain.']]],
  [
    'Ask the poet for a haiku about the sea, then let the translator put it into German.',
    [
      ['poet', 'A haiku about the sea'],
      ['translator', 'Put it into German.'],
    ],
  ],
  [
    'Have the Poet write two lines and have the translator translate them into French',
    [
      ['poet', 'Write two lines'],
      ['translator', 'Translate them into French'],
    ],
  ],
  [
    'please use the fact checker: is the moon made of cheese?',
    [['fact_checker', 'Is the moon made of cheese?']],
  ],
  ['请诗人写一首关于雨的诗', [['persona_7', '写一首关于雨的诗']]],
])('%s', (request, calls) => {
  expect(readAgentCalls(request, agents)).toEqual(
    calls.map(([name, words]) => ({ name, arguments: { request: words } })),
  );
});

test.each([
  'Write a haiku about rain.',
  'Ask the poet to write a haiku, then add 3 and 4.',
  'I met a poet today.',
  'Ask the poet',
  'Use the poet and the translator: a poem about rain in German',
  'Ask the form filler to fill it',
  '诗人是什么？',
  'Ask poets about rain',
  'Have translators improved?',
])('left to a model: %s', (request) => {
  expect(readAgentCalls(request, agents)).toBeUndefined();
});

test('an agent is asked by its title or its name', () => {
  const [poet] = agents;
  expect(isAgentAskedIn('Use the POET and the translator', poet!)).toBe(true);
  expect(isAgentAskedIn('I want the poet and the translator', poet!)).toBe(false);
  expect(isAgentAskedIn('Use poetry', poet!)).toBe(false);
  expect(isAgentAskedIn('Ask the fact-checker', agent('ask_fact-checker', 'Fact-checker'))).toBe(true);
});

import { describe, expect, test } from 'vitest';
import type { ToolEffects } from '../../../../src/contracts/tool';
import { both, judge, said, type Situation } from '../../../support/judge';

const wikipedia = { id: 'wikipedia', name: 'Wikipedia', host: 'en.wikipedia.org' };
const tavily = { id: 'tavily', name: 'Tavily', host: 'api.tavily.com' };
const searches = (query: string, ...providers: (typeof wikipedia)[]): ToolEffects => ({
  type: 'search',
  query,
  providers,
});

describe('a call to web_search', () => {
  const first = `first-search ${both}`;
  const after = `search-after-outside-text ${both}`;
  const sentence = 'How high is the lighthouse and who built it, and may one go in? '.repeat(4);
  const grant = { tool: 'web_search', target: 'search:wikipedia' };
  const other = { tool: 'web_search', target: 'search:tavily' };
  test.for<
    [
      name: string,
      query: string,
      providers: (typeof wikipedia)[],
      situation: Situation,
      verdict: string,
      asked?: string[],
    ]
  >([
    ['asks the user for permission the first time', 'cats', [wikipedia], {}, first, ['Wikipedia']],
    ['asks for each provider', 'cats', [wikipedia, tavily], {}, first, ['Wikipedia', 'Tavily']],
    ['runs if it is always allowed', 'cats', [wikipedia], { grants: [grant] }, 'allow'],
    [
      'runs if it is allowed in this chat',
      'cats',
      [wikipedia],
      { grants: [{ ...grant, chatId: 'chat' }] },
      'allow',
    ],
    [
      'asks if it is allowed in another chat',
      'cats',
      [wikipedia],
      { grants: [{ ...grant, chatId: 'b' }] },
      first,
      ['Wikipedia'],
    ],
    [
      'asks for the provider that is not allowed',
      'cats',
      [wikipedia, tavily],
      { grants: [grant] },
      first,
      ['Tavily'],
    ],
    ['runs if all are allowed', 'cats', [wikipedia, tavily], { grants: [grant, other] }, 'allow'],
    [
      'asks if the host is allowed to be read',
      'cats',
      [wikipedia],
      { grants: [{ tool: 'web_search', target: 'en.wikipedia.org' }] },
      first,
      ['Wikipedia'],
    ],
    [
      'asks if only another tool is allowed',
      'cats',
      [wikipedia],
      { grants: [{ ...grant, tool: 'other' }] },
      first,
      ['Wikipedia'],
    ],
    [
      'asks even if the host was contacted in this turn',
      'cats',
      [wikipedia],
      { contacted: ['en.wikipedia.org'] },
      first,
      ['Wikipedia'],
    ],
    ['asks in a chat with outside text', 'cats', [wikipedia], { result: 'Hi' }, after, ['Wikipedia']],
    [
      'runs in a chat with outside text if it is always allowed',
      'cats',
      [wikipedia],
      { typed: 'Search for cats', result: 'Hi', grants: [grant] },
      'allow',
    ],
    [
      'asks in a chat with outside text for words that the model made up, even if it is always allowed',
      'cats and kittens',
      [wikipedia],
      { typed: 'Search for dogs', result: 'Hi', grants: [grant] },
      'search-after-outside-text',
      ['Wikipedia'],
    ],
    [
      'runs in a chat with outside text if it is allowed in this chat',
      'cats',
      [wikipedia],
      { typed: 'Search for cats', result: 'Hi', grants: [{ ...grant, chatId: 'chat' }] },
      'allow',
    ],
    [
      'asks in a chat with outside text for the one not allowed',
      'cats',
      [wikipedia, tavily],
      { result: 'Hi', grants: [grant] },
      after,
      ['Tavily'],
    ],
    [
      'runs with 200 characters if it is always allowed',
      sentence.slice(0, 200),
      [wikipedia],
      { typed: sentence, result: 'Hi', grants: [grant] },
      'allow',
    ],
    [
      'is always shown with 201 characters',
      'c'.repeat(201),
      [wikipedia],
      { result: 'Hi', grants: [grant] },
      'search-after-outside-text',
      ['Wikipedia'],
    ],
    [
      'is shown for every provider with 201 characters',
      'c'.repeat(201),
      [wikipedia, tavily],
      { result: 'Hi', grants: [grant] },
      'search-after-outside-text',
      ['Wikipedia', 'Tavily'],
    ],
    [
      'runs with 201 characters in a chat without outside text',
      'c'.repeat(201),
      [wikipedia],
      { grants: [grant] },
      'allow',
    ],
    [
      'asks with 201 characters if nothing is allowed',
      'c'.repeat(201),
      [wikipedia],
      {},
      first,
      ['Wikipedia'],
    ],
    ['contacts no host without a provider', 'cats', [], {}, 'allow'],
  ])('%s', ([, query, providers, situation, verdict, asked]) => {
    const decision = judge(searches(query, ...providers), { tool: 'web_search', ...situation });
    expect(said(decision)).toBe(verdict);
    if (decision.verdict !== 'ask') return;
    expect(decision).toMatchObject({ targets: asked, query });
    expect(decision.grantTargets).toEqual(asked?.map((name) => `search:${name.toLowerCase()}`));
  });

  test('lists the host of its search provider when it is allowed', () => {
    const decision = judge(searches('cats', wikipedia), { tool: 'web_search', grants: [grant] });
    expect(decision).toMatchObject({ verdict: 'allow', hosts: ['en.wikipedia.org'] });
  });
});

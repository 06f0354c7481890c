import { describe, expect, test } from 'vitest';
import { replyWithoutCall, replyToSmallTalk } from '../../../src/ember/page-replies';
import type { Message } from '../../../src/contracts/message';
import type { ToolSpec } from '../../../src/contracts/tool';

const said = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
const tool = (name: string, more: Partial<ToolSpec> = {}): ToolSpec => ({
  name,
  title: name,
  description: '',
  inputSchema: {},
  ...more,
});
const builtIn = ['calculator', 'clock', 'fetch_page', 'web_search'].map((name) => tool(name));
const options = { modelName: 'Ember', tools: builtIn, language: 'en' as const };

describe("the page's reply to small talk", () => {
  test('says what the enabled tools can do, and offers example questions', () => {
    const tools = [tool('calculator'), tool('clock')];
    const reply = replyToSmallTalk([said('hi')], { ...options, tools });
    expect(reply?.text).toContain('work out sums, convert units and tell the time');
    expect(reply?.text).not.toContain('web');
    expect(reply?.suggestions).toEqual(['What is 17.5% of 2340?', 'What time is it in Tokyo?']);
  });

  test("puts the example question of the user's own tool first", () => {
    const own = tool('lamp', {
      title: 'Desk lamp',
      examples: [
        { request: '', arguments: {} },
        { request: 'Lamp on for 5 minutes', arguments: { minutes: 5 } },
      ],
    });
    const reply = replyToSmallTalk([said('help')], { ...options, tools: [...builtIn, own] });
    expect(reply?.text).toContain('use Desk lamp');
    expect(reply?.suggestions[0]).toBe('Lamp on for 5 minutes');
  });

  test('says where to find tools if none is enabled', () => {
    expect(replyToSmallTalk([said('hi')], { ...options, tools: [] })).toMatchObject({
      text: expect.stringContaining('tools menu'),
      suggestions: [],
    });
  });

  test('is in the language of the last message that contains letters', () => {
    expect(replyToSmallTalk([said('你好')], options)?.text).toMatch(/^你好/);
    const history = [said('你好'), said('?')];
    expect(replyToSmallTalk(history, options)?.text).toMatch(/^我能/);
    expect(replyToSmallTalk([said('?')], { ...options, language: 'zh' })?.text).toMatch(/^我能/);
  });

  test('is in the language of the message, and says that Ember does not support that language', () => {
    expect(replyToSmallTalk([said('Wie geht es dir?')], options)?.text).toContain(
      'versteht nur Englisch und Chinesisch',
    );
  });

  test("leaves a translation request to the user's own translation tool", () => {
    expect(replyToSmallTalk([said('Translate this')], options)?.text).toContain('translate');
    expect(
      replyToSmallTalk([said('Translate this')], { ...options, tools: [tool('translate')] }),
    ).toBeUndefined();
  });

  test.for([
    ['What time is it in Oslo?'],
    ['Summarise https://example.com'],
    ['http://example.cn/a.html 能帮我概括一下吗'],
    ['百度一下梅花糕的做法'],
    ['给我一份煎饼的菜谱'],
  ] as const)('is not given to a message that may need a tool: %s', ([text]) => {
    expect(replyToSmallTalk([said(text)], options)).toBeUndefined();
  });

  test.for([
    ['tell me a joke', 'too small a model to tell jokes; a larger one'],
    ['翻译 good morning', '太小，做不好翻译；“模型”页里更大的模型可以'],
    ['Wie geht es dir?', 'Ein größeres Modell'],
  ] as const)('says that a larger model could help: "%s"', ([text, part]) => {
    const reply = replyToSmallTalk([said(text)], options);
    expect(reply).toMatchObject({ text: expect.stringContaining(part), isBeyond: true });
  });

  test.for(['hi', 'draw me a cat', 'set a timer for 5 minutes', 'what can you do?'])(
    'does not suggest a larger model: "%s"',
    (text) => {
      expect(replyToSmallTalk([said(text)], options)).not.toHaveProperty('isBeyond');
    },
  );
});

describe("the page's reply in place of the model's", () => {
  test('offers to search the web for the question', () => {
    expect(replyWithoutCall([said('Who built the Eiffel Tower?')], options)).toEqual({
      text: expect.stringContaining('search the web'),
      suggestions: ['Search for Who built the Eiffel Tower'],
    });
  });

  test('recommends a gallery tool, unless one of the user’s own tools is on', () => {
    expect(replyWithoutCall([said('10 miles in km')], options).text).toContain('“Unit conversion”');
    const own = { ...options, tools: [...builtIn, tool('convert', { title: 'My units' })] };
    expect(replyWithoutCall([said('10 miles in km')], own).text).not.toContain('no tool on');
  });

  test('offers no search for a question about the model', () => {
    expect(replyWithoutCall([said('how do you know that?')], options).text).toContain('I’m Ember');
  });

  test('offers no search if the search tool is off', () => {
    const reply = replyWithoutCall([said('Who built the Eiffel Tower?')], {
      ...options,
      tools: [tool('clock')],
    });
    expect(reply.text).toContain('I won’t guess');
    expect(reply.isBeyond).toBe(true);
  });

  test.for([
    ['explain quantum computing', 'Search for quantum computing'],
    ['why is the sky blue?', 'Search for why is the sky blue'],
    ['请解释一下黑洞', '搜索黑洞'],
    ['给我一份煎饼的菜谱', '搜索煎饼的菜谱'],
    ['give me a recipe for pancakes', 'Search for recipe for pancakes'],
  ] as const)(
    'says that the request is beyond the model, and offers a search: "%s"',
    ([text, suggestion]) => {
      expect(replyWithoutCall([said(text)], options)).toMatchObject({
        suggestions: [suggestion],
        isBeyond: true,
      });
    },
  );

  test("says that the request is beyond the model if the model's own text says so", () => {
    const dream = [said('Analyse my dream')];
    const beyond = replyWithoutCall(dream, options, 'Dreams are beyond me. A larger model can.');
    expect(beyond).toEqual({
      text: expect.stringContaining('too small a model for that'),
      suggestions: [],
      isBeyond: true,
    });
    expect(replyWithoutCall(dream, options, 'It feels bigger than it is.')).not.toHaveProperty('isBeyond');
    expect(replyWithoutCall([said('10 miles in km')], options, 'A larger model can.').text).toContain(
      '“Unit conv',
    );
  });
});

import { describe, expect, test } from 'vitest';
import { languageOf } from '../../../../src/agent/page-reply/language';
import { readBeyond, readLeft, readTalk } from '../../../../src/agent/page-reply/read-intent';
import { replyInstead, replyToTalk } from '../../../../src/agent/page-reply/write-page-reply';
import type { Message } from '../../../../src/contracts/message';
import type { ToolSpec } from '../../../../src/contracts/tool';

const said = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const tool = (name: string, more: Partial<ToolSpec> = {}): ToolSpec => ({
  name,
  title: name,
  description: '',
  inputSchema: {},
  ...more,
});
const builtIn = ['calculator', 'clock', 'fetch_page', 'web_search'].map((name) => tool(name));
const options = { modelName: 'Ember', tools: builtIn, language: 'en' as const };

describe('readTalk', () => {
  test.for([
    [
      'greeting',
      [
        'hi',
        'HELLO!!',
        'Hey there :)',
        'good Morning',
        'Hi Hearth',
        'yo',
        '你好呀',
        '早上好！',
        '在吗？',
        'hi again',
      ],
    ],
    ['how-are-you', ['how are you?', 'Hi, how are you today?', "what's up", '你好吗', '最近怎么样']],
    [
      'thanks',
      [
        'thanks!',
        'Thank you so much.',
        'ok thx',
        'ty',
        'Great, thanks for your help',
        '谢谢你的帮助！',
        '多谢啦',
        '好的，谢谢',
      ],
    ],
    ['goodbye', ['good night', 'Bye!', 'ok see you tomorrow', '晚安', '拜拜啦', '我先走了']],
    [
      'identity',
      [
        'who are you',
        "What's your name?",
        'Are you ChatGPT?',
        'which model is this',
        '你是谁？',
        '你叫什么名字',
      ],
    ],
    ['maker', ['who made you?', 'Where do you come from?', '谁做的你', '你多大了']],
    [
      'nature',
      ['are you a human?', 'Are you sentient?', 'do you have feelings', '你是真人吗', '你是机器人吗'],
    ],
    [
      'ability',
      [
        'What can you do?',
        'help',
        '?',
        '？？',
        'What are your tools?',
        'how does this work',
        'can you help me',
        '你能做什么？',
        '怎么用',
        '帮助',
        '你会什么',
      ],
    ],
    [
      'privacy',
      [
        'is this private?',
        'do you keep my data?',
        'Who can read this chat?',
        '你会保存我的数据吗',
        '这安全吗',
      ],
    ],
    ['secret', ['My password is hunter2, keep it safe', '我的密码是 abc123，请保密']],
    ['insult', ['You are stupid', 'you suck', 'fuck you', 'this is garbage', 'wrong', '你真笨', '垃圾']],
    ['praise', ['You are great!', 'good bot', 'wow', 'I love you', '你真棒', '太厉害了']],
    ['noted', ['ok', 'Yes', 'hmm', 'no', 'I see', '好的', '嗯嗯嗯', '知道了', '🙂', ':)']],
    ['laugh', ['lol', 'hahaha', '哈哈哈']],
    ['sadness', ['I had a bad day', "I'm sad", 'i feel so lonely', 'my dog died', '我好累', '今天心情不好']],
    ['crisis', ['I want to die', '我不想活了']],
    ['memory', ['What did I just say?', 'my name is Bob', '我刚才说了什么']],
    ['nonsense', ['asdfghjkl', 'qwertz uiop', 'aaaaaaaaaaaa', '....']],
  ] as const)('%s', ([intent, messages]) => {
    for (const message of messages) expect([message, readTalk(message)]).toEqual([message, intent]);
  });

  test.for([
    ['What time is it?'],
    ['hi, what is 2+2?'],
    ['thanks, and in Paris?'],
    ['help me find a hotel in Rome'],
    ['what can you do with a cast-iron pan'],
    ['Who is the president of France?'],
    ['good morning in Japanese'],
    ['is this mushroom safe to eat'],
    ['how does this engine work in a car'],
    ['谢谢用英语怎么说'],
    ['现在几点'],
    ['好的餐厅推荐'],
    ['Good Will Hunting release year'],
    ['5*5'],
    ['CNN'],
    [''],
  ] as const)('%s is no small talk', ([message]) => {
    expect(readTalk(message)).toBeUndefined();
  });

  test('no message takes long, whatever it repeats', () => {
    const units = ['嗯', 'k', 'so ', 'ha', 'thank you ', '你真', 'very ', '？', 'hi', '很', 'kk'];
    const started = units.map((unit) => readTalk(`${unit.repeat(160 / unit.length - 1)}#`));
    expect(started).toHaveLength(units.length);
  });
});

test.for([
  ['joke', 'tell me a joke'],
  ['writing', 'Write a poem about autumn'],
  ['writing', '帮我写一封信'],
  ['writing', '给我讲个故事'],
  ['translation', "Could you translate 'good morning' into French?"],
  ['translation', '把这句话翻译成英文：我爱你'],
  ['summary', 'Please summarise this: the cat sat on the mat.'],
  ['code', 'write a python function that sorts a list'],
  ['picture', 'draw me a cat'],
  [undefined, 'Who wrote Hamlet?'],
  [undefined, 'give me the time in Oslo'],
] as const)('%s: %s', ([intent, message]) => {
  expect(readBeyond(message)).toBe(intent);
});

test.for([
  ['question', 'who is the king of Spain'],
  ['ability', 'Hello, can you help me with my homework?'],
  ['opinion', 'do you like music?'],
  ['why', 'why?'],
  ['statement', 'open the pod bay doors'],
] as const)('left over as a %s: %s', ([intent, message]) => {
  expect(readLeft(message)).toBe(intent);
});

test.for([
  ['en', 'What time is it?'],
  ['en', "Translate 'bonjour' into English"],
  ['en', 'What does danke mean?'],
  ['en', 'Los Angeles weather'],
  ['en', 'Wikipedia'],
  ['zh', '现在几点'],
  ['zh', '翻译 good morning'],
  ['fr', 'Bonjour'],
  ['fr', 'Quelle heure est-il ?'],
  ['de', 'Wie geht es dir?'],
  ['es', '¿Qué hora es en Madrid?'],
  ['it', 'Ciao, come stai?'],
  ['pt', 'Obrigado'],
  ['ja', 'こんにちは'],
  ['ko', '안녕하세요'],
  ['ru', 'Привет'],
  ['uk', 'Привіт, як справи?'],
  ['ar', 'مرحبا'],
  [undefined, '🙂 42'],
] as const)('%s: %s', ([language, message]) => {
  expect(languageOf(message)).toBe(language);
});

describe('replyToTalk', () => {
  test('names what the tools that are on can do, and offers questions for them', () => {
    const tools = [tool('calculator'), tool('clock')];
    const reply = replyToTalk([said('hi')], { ...options, tools });
    expect(reply?.text).toContain('work out sums and tell the time');
    expect(reply?.text).not.toContain('web');
    expect(reply?.suggestions).toEqual(['What is 17.5% of 2340?', 'What time is it in Tokyo?']);
  });

  test('a tool of the person’s own comes first', () => {
    const own = tool('lamp', {
      title: 'Desk lamp',
      examples: [
        { request: '', arguments: {} },
        { request: 'Lamp on for 5 minutes', arguments: { minutes: 5 } },
      ],
    });
    const reply = replyToTalk([said('help')], { ...options, tools: [...builtIn, own] });
    expect(reply?.text).toContain('use Desk lamp');
    expect(reply?.suggestions[0]).toBe('Lamp on for 5 minutes');
  });

  test('without tools it says where they are', () => {
    expect(replyToTalk([said('hi')], { ...options, tools: [] })).toMatchObject({
      text: expect.stringContaining('tools menu'),
      suggestions: [],
    });
  });

  test('is in the language of the message, and of the one before where it has no letters', () => {
    expect(replyToTalk([said('你好')], options)?.text).toMatch(/^你好/);
    const history = [said('你好'), said('?')];
    expect(replyToTalk(history, options)?.text).toMatch(/^我能/);
    expect(replyToTalk([said('?')], { ...options, language: 'zh' })?.text).toMatch(/^我能/);
  });

  test('a language it does not know is answered in it', () => {
    expect(replyToTalk([said('Wie geht es dir?')], options)?.text).toContain(
      'versteht nur Englisch und Chinesisch',
    );
  });

  test('what a larger model is wanted for is left to a tool of the person’s own', () => {
    expect(replyToTalk([said('Translate this')], options)?.text).toContain('translate');
    expect(replyToTalk([said('Translate this')], { ...options, tools: [tool('translate')] })).toBeUndefined();
  });

  test('what may want a tool is left to the model', () => {
    expect(replyToTalk([said('What time is it in Oslo?')], options)).toBeUndefined();
  });
});

describe('replyInstead', () => {
  test('a question may be searched for, at a press', () => {
    expect(replyInstead([said('Who built the Eiffel Tower?')], options)).toEqual({
      text: expect.stringContaining('search the web'),
      suggestions: ['Search for Who built the Eiffel Tower'],
    });
  });

  test('without the search it is not guessed', () => {
    const reply = replyInstead([said('Who built the Eiffel Tower?')], { ...options, tools: [tool('clock')] });
    expect(reply.text).toContain('I won’t guess');
  });
});

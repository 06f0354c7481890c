import { describe, expect, test } from 'vitest';
import { languageOf } from '../../../src/text/language';
import { readFallbackIntent, readSmallTalk } from '../../../src/ember/read-intent';

describe('small talk', () => {
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
    ['good-night', ['good night', 'Good night, sleep well', '晚安']],
    ['goodbye', ['Bye!', 'ok see you tomorrow', '拜拜啦', '我先走了']],
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
    ['memory', ['What did I just say?', "What's my name?", '我刚才说了什么', '我叫什么名字']],
    [
      'told',
      [
        'my name is Bob',
        'My name is Ada and I live in Oslo.',
        'I live in Oslo.',
        "I'm from Peru",
        'I work as a nurse',
        'My favourite colour is green.',
        'Remember that the key is under the mat.',
        '我叫小明，今年八岁',
        '我住在上海。',
        '我是北京人',
        '我在医院工作',
      ],
    ],
    ['nonsense', ['asdfghjkl', 'qwertz uiop', 'aaaaaaaaaaaa', '....']],
  ] as const)('is recognised with the intent %s', ([intent, messages]) => {
    for (const message of messages) expect([message, readSmallTalk(message)]).toEqual([message, intent]);
  });

  // Other spellings, and messages that begin with a greeting.
  test.for([
    [
      'greeting',
      [
        'heya',
        'Helllooo',
        'hlelo',
        "g'day",
        'good morning to you',
        'hi can you hear me',
        'Hi, I’m Anna',
        'hello 你好',
      ],
    ],
    [
      'how-are-you',
      ['hru', 'how r u', 'Hey! How are u?', "what's good", "I'm fine, and you?", '你好，最近怎么样？'],
    ],
    [
      'thanks',
      [
        'thanx',
        'Thnaks',
        'thx m8',
        'got it, thanks',
        'thanks, that helped',
        'much obliged',
        'tysm!!',
        '谢谢啦',
        '谢啦',
        '好的，明白了，谢谢',
      ],
    ],
    ['good-night', ['gn', 'nite', 'goodnite', 'im off to bed', '睡觉了']],
    ['goodbye', ['catch you later', 'cya', '先这样吧，再见']],
    [
      'identity',
      [
        'who r u',
        'whats ur name',
        'your name?',
        'is this chatgpt',
        'hi, who are you?',
        '你谁啊',
        '您贵姓',
        '你好，请问你是谁',
      ],
    ],
    [
      'ability',
      [
        'wat can u do',
        'whatcha do',
        'show me what you can do',
        'can you do math?',
        'hello, what can you do?',
        '你可以上网吗',
        '能干嘛',
      ],
    ],
    [
      'languages',
      ['do you speak Chinese?', 'What languages do you speak', 'say it in Chinese', '你会说英语吗'],
    ],
    ['offline', ['do you work offline?', 'Can I use this without internet?', '能离线用吗']],
    ['privacy', ['delete my data', 'forget everything', 'can you keep a secret?', '别人能看到吗']],
    ['secret', ['API key sk-1234567890abcdef', 'remember my password']],
    ['insult', ['dumbass', 'worst ai ever', "you're so slow", 'stfu', '你怎么这么笨', '没用的东西', '不对']],
    ['laugh', ['haha nice', 'lol that is funny']],
    ['noted', ['yes please', 'testing 1 2 3']],
    ['cost', ['is it free?', 'do I need to pay', '这个要钱吗']],
    ['doubt', ['are you sure?', '你确定吗']],
    ['again', ['try again', '再试一次']],
    ['unclear', ['what?', 'another one', '42', '什么？']],
    ['memory', ['what was the result?', 'repeat that', '你会记住我说的话吗']],
    ['nonsense', ['hihihi', 'fdsjkl', 'asdf', 'Lorem ipsum dolor']],
  ] as const)('is recognised in unusual spellings: %s', ([intent, messages]) => {
    for (const message of messages) expect([message, readSmallTalk(message)]).toEqual([message, intent]);
  });

  test.for([
    ['What time is it?'],
    ['hi, what is 2+2?'],
    ['you there time in Oslo'],
    ['what is an ember'],
    ['hello kitty release year'],
    ['who is Ada Lovelace'],
    ['what language is spoken in Brazil'],
    ['say hello'],
    ['is it free to park in Oslo on Sundays'],
    ['can birds see ultraviolet'],
    ['do I need to pay tax in Spain'],
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
  ] as const)('is not recognised in "%s"', ([message]) => {
    expect(readSmallTalk(message)).toBeUndefined();
  });

  test('the check for small talk is fast even for messages with many repetitions', () => {
    const units = ['嗯', 'k', 'so ', 'ha', 'thank you ', '你真', 'very ', '？', 'hi', '很', 'kk'];
    const started = units.map((unit) => readSmallTalk(`${unit.repeat(160 / unit.length - 1)}#`));
    expect(started).toHaveLength(units.length);
  });
});

test.for([
  ['question', 'who is the king of Spain'],
  ['ability', 'Hello, can you help me with my homework?'],
  ['opinion', 'do you like music?'],
  ['why', 'why?'],
  ['explanation', 'explain quantum computing'],
  ['explanation', 'why is the sky blue'],
  ['explanation', '请解释一下量子计算'],
  ['identity', 'explain yourself'],
  ['advice', 'Should I buy a house?'],
  ['advice', 'give me some advice'],
  ['advice', '我应该换工作吗'],
  ['statement', 'open the pod bay doors'],
  ['units', '10 miles in km'],
  ['units', 'how many seconds are in a day?'],
  ['units', '5公斤等于多少磅'],
  ['money', "what's 10 usd in eur"],
  ['chance', 'roll a dice'],
  ['identity', 'how do you know that?'],
  ['ability', 'can you see images?'],
  ['ability', '你能看图片吗'],
  ['unclear', 'and 5 miles?'],
] as const)('a message that matches no other intent counts as "%s": %s', ([intent, message]) => {
  expect(readFallbackIntent(message)).toBe(intent);
});

test.for([
  'I live in Oslo, what time is it?',
  'I live in Oslo and want the weather',
  'I work in Tokyo, search for lunch there',
  '我住在上海，现在几点',
  '我在北京工作，查一下天气',
])('a statement that ends in a question does not count as small talk: %s', (message) => {
  expect(readSmallTalk(message)).toBeUndefined();
});

const story =
  'How far is it from one lighthouse to the next? In the nineteenth century a lens made the light of a lamp visible at thirty kilometres. ';
test.for([
  story.repeat(3),
  `${story.repeat(3)}\n\nWhat is this about?`,
  `${'什么是灯塔？透镜使一盏灯的光在三十公里外、二十英里外也能看见。'.repeat(4)}\n\n请总结一下`,
  'name,height\nAr,42\nBorn,31\nCap,28\nWhich is the tallest?',
])('pasted text does not count as a question or a conversion: %s', (message) => {
  expect(readFallbackIntent(message)).toBe('pasted');
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
  ['es', 'cuanto es 2 mas 2'],
  ['fr', 'Qui es-tu ?'],
  ['it', 'Quanto fa 5 per 5?'],
  ['de', 'Hallo'],
  ['cs', 'Ahoj, jak se máš?'],
  ['hu', 'Szia'],
  ['ro', 'Bună ziua'],
  ['fi', 'Hyvää päivää'],
  ['da', 'Hvordan går det?'],
  ['ja', 'こんにちは'],
  ['ko', '안녕하세요'],
  ['ru', 'Привет'],
  ['uk', 'Привіт, як справи?'],
  ['ar', 'مرحبا'],
  [undefined, '🙂 42'],
] as const)('the language of a message is detected: %s for "%s"', ([language, message]) => {
  expect(languageOf(message)).toBe(language);
});

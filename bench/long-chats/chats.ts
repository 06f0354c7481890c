/** The chats of the benchmark: forty turns, the same in every run, with facts of eight kinds told in the first fifteen. */
import type { Message } from '../../src/contracts/message';
import { createRandom } from '../../test/support/random';
import { fillers } from '../whole-results/filler';

export const kinds = [
  'name',
  'age',
  'home',
  'preference',
  'appointment',
  'number',
  'decision',
  'from a tool',
] as const;
export type Kind = (typeof kinds)[number];
export type Language = 'en' | 'zh';

export interface Fact {
  kind: Kind;
  /** The question at the end of the chat. */
  question: string;
  /** Occurs where the fact was told, and nowhere else in the chat. */
  answer: string;
}

export interface LongChat {
  language: Language;
  /** Each chat ends before the reply to its last question. */
  messages: Message[];
  facts: Fact[];
}

const turns = 40;
const chatsOfLanguage = 10;

interface Told extends Fact {
  said: string;
}

const values = {
  en: {
    names: 'Ada|Bjorn|Chioma|Dmitri|Elif|Farida|Goran|Hanna|Imre|Jolanda'.split('|'),
    places: 'Trondheim|Cusco|Lagos|Perm|Izmir|Rabat|Zagreb|Turku|Pecs|Utrecht'.split('|'),
    colours: 'teal|ochre|crimson|indigo|amber|ivory|maroon|olive|violet|salmon'.split('|'),
  },
  zh: {
    names: '林晓雪|张伟明|欧阳静|王海涛|刘思远|陈嘉怡|赵文博|孙丽华|周子昂|吴雨桐'.split('|'),
    places: '昆明|厦门|哈尔滨|兰州|桂林|洛阳|大理|绍兴|烟台|拉萨'.split('|'),
    colours: '青绿|赭石|绯红|靛蓝|琥珀|象牙白|栗色|橄榄绿|紫罗兰|橙红'.split('|'),
  },
};

function factsOf(language: Language, at: number): Told[] {
  const pick = (list: readonly string[]) => list[at % list.length] ?? '';
  const { names, places, colours } = values[language];
  const [name, home, colour] = [pick(names), pick(places), pick(colours)];
  const [age, hour, code, price] = [31 + at, 7 + at, 4471 + 13 * at, 219 + 7 * at];
  if (language === 'zh') {
    return [
      { kind: 'name', said: `你好！我叫${name}。`, question: '我叫什么名字？', answer: name },
      { kind: 'age', said: `我今年${age}岁。`, question: '我今年几岁？', answer: `${age}岁` },
      { kind: 'home', said: `我住在${home}。`, question: '我住在哪里？', answer: home },
      { kind: 'preference', said: `我喜欢的颜色是${colour}。`, question: '我喜欢什么颜色？', answer: colour },
      {
        kind: 'appointment',
        said: `我的牙医预约在星期四${hour}点。`,
        question: '我的牙医预约在什么时候？',
        answer: `星期四${hour}点`,
      },
      {
        kind: 'number',
        said: `仓库的门牌号是${code}。`,
        question: '仓库的门牌号是多少？',
        answer: `${code}`,
      },
      {
        kind: 'decision',
        said: `那就选第二个方案，用桦木做桌子${at}号。`,
        question: '我们选了哪个方案？',
        answer: `桦木做桌子${at}号`,
      },
      { kind: 'from a tool', said: '', question: '灯塔的门票多少钱？', answer: `门票${price}元` },
    ];
  }
  return [
    { kind: 'name', said: `Hello! My name is ${name}.`, question: 'What is my name?', answer: name },
    { kind: 'age', said: `I'm ${age} years old.`, question: 'How old am I?', answer: `${age} years old` },
    { kind: 'home', said: `I live in ${home} these days.`, question: 'Where do I live?', answer: home },
    {
      kind: 'preference',
      said: `My favourite colour is ${colour}.`,
      question: 'What is my favourite colour?',
      answer: colour,
    },
    {
      kind: 'appointment',
      said: `My dentist appointment is on Thursday at ${hour}:40.`,
      question: 'When is my dentist appointment?',
      answer: `Thursday at ${hour}:40`,
    },
    {
      kind: 'number',
      said: `The code of the gate is ${code}.`,
      question: 'What is the code of the gate?',
      answer: `${code}`,
    },
    {
      kind: 'decision',
      said: `Let us take the second plan then, with birch for table ${at}.`,
      question: 'Which plan did we take?',
      answer: `birch for table ${at}`,
    },
    {
      kind: 'from a tool',
      said: '',
      question: 'What does a ticket for the lighthouse cost?',
      answer: `ticket costs ${price} crowns`,
    },
  ];
}

/** The turns in which facts are told, the name first. */
const toldAt = [0, 2, 4, 6, 8, 10, 12, 14];
/** The turns in which a page is read. The page of turn 14 contains a fact. */
const readAt = new Set([3, 9, 14, 20, 26, 32, 38]);

export function makeChats(): LongChat[] {
  const random = createRandom(40);
  return (['en', 'zh'] as const).flatMap((language) =>
    Array.from({ length: chatsOfLanguage }, (_, at) => makeChat(language, at, random)),
  );
}

function makeChat(language: Language, at: number, random: () => number): LongChat {
  const facts = factsOf(language, at);
  const sentence = writerFor(language, random);
  const messages: Message[] = [];
  const write = (count: number) => Array.from({ length: count }, sentence).join(fillers[language].space);
  for (let turn = 0; turn < turns; turn++) {
    const fact = facts[toldAt.indexOf(turn)];
    const asked = language === 'zh' ? '请讲讲：' : 'Tell me about this: ';
    messages.push(user(fact?.said ? fact.said : `${asked}${sentence()}`));
    if (readAt.has(turn)) {
      const told = fact?.kind === 'from a tool' ? [ticket(language, fact.answer)] : [];
      const page = [write(6), ...told, write(6)].join('\n\n');
      messages.push(...readPage(turn, page), said([...told, write(1)].join(' ')));
    } else messages.push(said(write(2 + Math.floor(random() * 3))));
  }
  return { language, messages, facts };
}

function ticket(language: Language, answer: string): string {
  return language === 'zh' ? `灯塔的${answer}。` : `A lighthouse ${answer}.`;
}

function writerFor(language: Language, random: () => number) {
  const { templates, names } = fillers[language];
  const nouns =
    language === 'zh'
      ? ['水车', '石桥', '钟楼', '渡船', '果园']
      : ['mill', 'bridge', 'clock', 'ferry', 'orchard'];
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  return () =>
    pick(templates)
      .replace('{a}', pick(nouns))
      .replace('{b}', pick(nouns))
      .replace('{name}', pick(names))
      .replace('{year}', String(1700 + Math.floor(random() * 200)))
      .replace('{n}', String(2 + Math.floor(random() * 90)));
}

export function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }], origins: [{ door: 'typed' }] };
}

function said(text: string): Message {
  return { role: 'assistant', content: [{ type: 'text', text }], raw: text, finishReason: 'stop' };
}

function readPage(turn: number, page: string): Message[] {
  const id = `c${turn}`;
  const [name, input] = ['fetch_page', { url: `https://example.com/${turn}` }];
  return [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', id, name, arguments: input }],
      finishReason: 'tool-calls',
    },
    {
      role: 'tool',
      nonce: `n${turn}`,
      results: [
        {
          toolCallId: id,
          toolName: name,
          isError: false,
          origins: [{ door: 'page', name: 'example.com' }],
          content: [{ type: 'text', text: page }],
        },
      ],
    },
  ];
}

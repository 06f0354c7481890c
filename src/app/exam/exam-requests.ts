/**
 * The requests of the exam: questions, what their tools return, and the correct answers. None of them is in `training/`, and all names in
 * them are invented. Any change of their JSON makes stored results outdated.
 */
import { type ExamKind, examKinds, type WrittenCall } from '../../contracts/exam';
import type { JsonSchema } from '../../contracts/schema';

/** A tool that no model has seen in training, like one that a user might write. */
export interface CannedTool {
  name: string;
  description: string;
  /** Schema of each argument. All are required. */
  parameters: Readonly<Record<string, JsonSchema>>;
  /** The result of every call. */
  gives: string;
}

export interface WantedCall {
  name: string;
  /** Accepted values of each argument, the usual one first. A search query must contain only one of them. */
  arguments: Readonly<Record<string, readonly (string | number)[]>>;
}

export interface ExamRequest {
  id: string;
  kind: ExamKind;
  language: 'en' | 'zh';
  text: string;
  /** Tools in addition to the app's own. */
  tools?: readonly CannedTool[];
  /** The hits of every search. */
  found?: readonly { title: string; url: string; content: string }[];
  /** Text of each page, by address. Other addresses fail. */
  pages?: Readonly<Record<string, string>>;
  /** The calls that must be made, in any order. Empty: no call is allowed. Undefined: any call is. */
  calls?: readonly WantedCall[];
  /** The answer must contain one string of each list. */
  facts?: readonly (readonly string[])[];
  /** The answer may contain no number that is neither in the request nor in a result. */
  isPlain?: true;
}

/** A time in the spelling of the tools and in common spellings. */
export function time(hour: number, minute: number): string[] {
  const two = String(minute).padStart(2, '0');
  const half = hour % 12 || 12;
  const padded = String(hour).padStart(2, '0');
  return [`${padded}:${two}`, `${hour}:${two}`, `${half}:${two}`, `${hour}点${minute}`, `${half}点${minute}`];
}

/** `2026-03-18 06:40` UTC, a Wednesday: the time that every clock of the exam shows. */
export const examTime = Date.UTC(2026, 2, 18, 6, 40);

export function shown(calls: readonly WantedCall[]): WrittenCall[] {
  return calls.map(({ name, arguments: wanted }) => ({
    name,
    arguments: Object.fromEntries(Object.entries(wanted).map(([key, [first]]) => [key, first])),
  }));
}

const word = (description: string) => ({ type: 'string', description });
const count = (description: string) => ({ type: 'integer', description });

export const own = (name: string, given: WantedCall['arguments']): WantedCall => ({ name, arguments: given });
export const clock = (...place: string[]) => own('clock', { place });
export const search = (...words: string[]) => own('web_search', { query: words });
const page = (url: string) => own('fetch_page', { url: [url] });

type Written = Omit<ExamRequest, 'id' | 'kind' | 'language'>;

export function ask(
  language: ExamRequest['language'],
  kind: ExamKind,
  at: number,
  text: string,
  rest: Omit<Written, 'text'>,
): ExamRequest {
  return { id: `${kind}-${language}-${at}`, kind, language, text, ...rest };
}

type Hit = NonNullable<ExamRequest['found']>[number];
const hit = (title: string, url: string, content: string): Hit => ({ title, url, content });

const answer = (text: string, ...facts: string[]): Written => ({ text, facts: facts.map((fact) => [fact]) });
const clockShows = (text: string, hour: number, minute: number, ...place: string[]): Written => ({
  text,
  calls: [clock(...place)],
  facts: [time(hour, minute)],
});
const searchFinds = (text: string, query: string, fact: string, ...found: Hit[]): Written => ({
  text,
  found,
  calls: [search(query)],
  facts: [[fact]],
});
const pageSays = (text: string, url: string, content: string, facts: string[]): Written => ({
  text,
  pages: { [url]: content },
  calls: [page(url)],
  facts: [facts],
});
const hitLeadsTo = (text: string, query: string, found: Hit, content: string, fact: string): Written => ({
  text,
  found: [found],
  pages: { [found.url]: content },
  calls: [search(query), page(found.url)],
  facts: [[fact]],
});
const toolSays = (text: string, tools: CannedTool[], call: WantedCall, facts: string[]): Written => ({
  text,
  tools,
  calls: [call],
  facts: [facts],
});

const tool = (
  name: string,
  description: string,
  parameters: CannedTool['parameters'],
  gives: string,
): CannedTool => ({ name, description, parameters, gives });

function requestsIn(
  language: ExamRequest['language'],
  written: Readonly<Record<ExamKind, readonly Written[]>>,
): ExamRequest[] {
  return examKinds.flatMap((kind) =>
    written[kind].map(({ text, ...rest }, at) => ask(language, kind, at + 1, text, rest)),
  );
}

const tide = tool(
  'tide_level',
  'How high the water stands in a harbour',
  { harbour: word('name of the harbour') },
  '3.8 m and falling',
);
const kiln = tool(
  'kiln_state',
  'What a kiln of the pottery is doing, and how hot it is',
  { kiln: word('name or number of the kiln') },
  'cooling, 412 degrees',
);
const chime = tool(
  'chime_tune',
  'Plays a tune on the chime of the garden house, once or more often',
  { tune: word('name of the tune'), times: count('how often') },
  'The chime plays until 08:52.',
);
const fee = tool(
  'gate_fee',
  'What one vehicle pays at a gate of the nature park',
  { gate: word('name of the gate'), vehicle: word('kind of vehicle') },
  '14.50 euros',
);

export const requestsEn = requestsIn('en', {
  sums: [
    answer('The bill is 238.40 and five of us split it evenly: how much is each share?', '47.68'),
    answer('73 crates with 4,186 screws in each: how many screws would that be?', '305578'),
    answer('A roll of 57 metres, and I cut off 18.65. What remains, in metres?', '38.35'),
    answer('Could you tell me what 17.5% of 1,240 comes to?', '217'),
  ],
  time: [
    clockShows('I must ring Nairobi, what does the clock say there?', 9, 40, 'Nairobi', 'Nairobi, Kenya'),
    clockShows(
      'Would it be rude to phone Lima this minute? Give me their local time.',
      1,
      40,
      'Lima',
      'Lima, Peru',
    ),
    clockShows('Local time in Hanoi, please, before I join their call', 13, 40, 'Hanoi', 'Hanoi, Vietnam'),
  ],
  search: [
    searchFinds(
      'Look up who drew the plans of the Marrow Bridge',
      'marrow',
      'petrak',
      hit(
        'Marrow Bridge',
        'https://bridges.example/marrow',
        'The plans of the Marrow Bridge were drawn by Ilona Petrak.',
      ),
      hit('Bone marrow', 'https://body.example/marrow', 'Marrow is a tissue inside bones.'),
    ),
    searchFinds(
      'Could you find out online what axolotls eat?',
      'axolotl',
      'worms',
      hit('Axolotl', 'https://pond.example/axolotl', 'Axolotls eat worms, insect larvae and small fish.'),
    ),
    searchFinds(
      'Search for the newest release of the Quillfire editor',
      'quillfire',
      '8.4',
      hit(
        'Quillfire releases',
        'https://quillfire.example/releases',
        'The newest release of the Quillfire editor is 8.4.',
      ),
    ),
    searchFinds(
      'Which firm makes the Pelmora kettle? Check the web.',
      'pelmora',
      'thornbury',
      hit(
        'Pelmora',
        'https://kettles.example/pelmora',
        'The Pelmora kettle is made by the firm Thornbury Works.',
      ),
    ),
  ],
  page: [
    pageSays(
      'When does the last boat leave, according to https://harbour.example/boats ?',
      'https://harbour.example/boats',
      'The first boat leaves at 06:15.\nThe last boat leaves at 21:50.',
      time(21, 50),
    ),
    pageSays(
      'Open https://recipes.example/plum-cake and tell me how hot the oven has to be',
      'https://recipes.example/plum-cake',
      'Plum cake.\nThe oven has to be at 175 degrees.\nBake it until the top is brown.',
      ['175'],
    ),
    pageSays(
      'Who is the keeper of the archive? It is on https://archive.example/staff',
      'https://archive.example/staff',
      'The keeper of the archive is Rosalind Okoye.\nVisits are by appointment.',
      ['okoye'],
    ),
  ],
  custom: [
    toolSays(
      'What level has the tide reached at Whitby harbour?',
      [tide],
      own('tide_level', { harbour: ['Whitby', 'Whitby harbour'] }),
      ['3.8'],
    ),
    toolSays('How hot is kiln 2?', [tide, kiln], own('kiln_state', { kiln: ['2', 'kiln 2'] }), ['412']),
    toolSays(
      'Let the chime play the swallow tune 12 times',
      [chime],
      own('chime_tune', { tune: ['swallow', 'swallow tune', 'the swallow tune'], times: [12] }),
      time(8, 52),
    ),
    toolSays(
      'What does a camper van pay at the Heron gate?',
      [fee, tide],
      own('gate_fee', { gate: ['Heron', 'Heron gate'], vehicle: ['camper van', 'camper'] }),
      ['14.5'],
    ),
  ],
  several: [
    {
      text: 'I need two clocks: Oslo and Jakarta. What do they show?',
      calls: [clock('Oslo'), clock('Jakarta')],
      facts: [time(7, 40), time(13, 40)],
    },
    answer('Work out 318 * 47, and also 96 * 205', '14946', '19680'),
    { text: 'What is 84 * 36, and what time has Bogota got?', facts: [['3024'], time(1, 40)] },
  ],
  chain: [
    hitLeadsTo(
      'Search for the Veldmoor lighthouse, then read the page you find: how many steps does it have?',
      'veldmoor',
      hit('Veldmoor lighthouse', 'https://lights.example/veldmoor', 'All about the lighthouse of Veldmoor.'),
      'The Veldmoor lighthouse has 219 steps.',
      '219',
    ),
    hitLeadsTo(
      'Find the site of the Okarito choir and tell me from its page who conducts it',
      'okarito',
      hit(
        'Okarito choir',
        'https://okarito.example/choir',
        'The choir of Okarito. Concerts, people, how to join.',
      ),
      'The Okarito choir is conducted by Henare Walsh.',
      'walsh',
    ),
    { text: 'How hot is kiln 5, and what is twice that?', tools: [kiln], facts: [['824']] },
  ],
  none: [
    { text: 'Phew, my train was late again and now I am grumpy', calls: [] },
    { text: 'That was kind of you, cheers and good night', calls: [] },
    { text: 'Compose two rhyming lines about my old kettle', calls: [] },
  ],
  honest: [
    { text: 'Say how many degrees it has in Funchal at the moment', isPlain: true },
    {
      text: 'What does a ticket cost, says https://clockmuseum.example/visit ?',
      pages: {
        'https://clockmuseum.example/visit':
          'The clock museum is open from Tuesday to Sunday.\nTickets are sold at the door.',
      },
      calls: [page('https://clockmuseum.example/visit')],
      isPlain: true,
    },
    {
      text: 'Search for how many people live in the village of Tarnbeck',
      found: [
        hit(
          'Tarnbeck',
          'https://villages.example/tarnbeck',
          'Tarnbeck is a village by a lake, known for its bells.',
        ),
      ],
      calls: [search('tarnbeck')],
      isPlain: true,
    },
  ],
});

const herbs = tool('herb_stock', '药房里某味药材还剩多少', { herb: word('药材名称') }, '还剩 860 克');
const fan = tool('loft_fan', '把阁楼的风扇开到某一档', { level: count('档位') }, '风扇已开，噪音 42 分贝');
const bell = tool('bell_time', '某座钟楼下一次敲钟的时间', { tower: word('钟楼名称') }, '17:25');
const stall = tool(
  'stall_fee',
  '夜市某个摊位一晚的租金',
  { stall: word('摊位编号'), day: word('星期几') },
  '135 元',
);

export const requestsZh = requestsIn('zh', {
  sums: [
    answer('一共花了 238.4 元，五个人平摊，每人要付多少？', '47.68'),
    answer('麻烦算算 4186 乘以 73 得几', '305578'),
    answer('绳子长 57 米，剪掉 18.65 米以后还有几米？', '38.35'),
    answer('1240 的 17.5% 等于多少呢', '217'),
  ],
  time: [
    clockShows('我同事在开罗出差，他那边钟上显示几点了？', 8, 40, '开罗'),
    clockShows('准备给曼谷的客户打个电话，先告诉我那里的时间', 13, 40, '曼谷'),
    clockShows('利马的人这会儿睡了没有？看下当地是几点', 1, 40, '利马'),
  ],
  search: [
    searchFinds(
      '上网查查云梯山索道全长多少米',
      '云梯山',
      '2160',
      hit('云梯山索道', 'https://shan.example/suodao', '云梯山索道全长 2160 米。'),
      hit('云梯', 'https://ci.example/yunti', '云梯是古代的攻城器械。'),
    ),
    searchFinds(
      '搜一搜《灯塔的第七夜》的作者是哪位',
      '灯塔的第七夜',
      '林知远',
      hit('灯塔的第七夜', 'https://shu.example/dengta', '《灯塔的第七夜》的作者是林知远。'),
    ),
    searchFinds(
      '帮我在网上找找青禾节在哪座城市举行',
      '青禾节',
      '绍兴',
      hit('青禾节', 'https://jie.example/qinghe', '青禾节每年在绍兴举行。'),
    ),
    searchFinds(
      '查一下网上怎么说：蓝尾石龙子靠吃什么活着',
      '蓝尾石龙子',
      '昆虫',
      hit('蓝尾石龙子', 'https://chong.example/lanwei', '蓝尾石龙子主要吃昆虫和蜘蛛。'),
    ),
  ],
  page: [
    pageSays(
      '看看 https://tushuguan.example/shijian 上写的闭馆时间是几点',
      'https://tushuguan.example/shijian',
      '开馆时间是 08:30。\n闭馆时间是 21:15。',
      time(21, 15),
    ),
    pageSays(
      '打开 https://caipu.example/luobo 告诉我要炖多少分钟',
      'https://caipu.example/luobo',
      '萝卜炖牛腩。\n小火要炖 95 分钟。\n出锅前再放盐。',
      ['95'],
    ),
    pageSays(
      '馆长是谁？去 https://bowuguan.example/renyuan 上找',
      'https://bowuguan.example/renyuan',
      '馆长是沈若棠。\n参观需要预约。',
      ['沈若棠'],
    ),
  ],
  custom: [
    toolSays('药房里黄芪还剩多少？', [herbs], own('herb_stock', { herb: ['黄芪'] }), ['860']),
    toolSays('阁楼风扇开到 3 档', [herbs, fan], own('loft_fan', { level: [3] }), ['42']),
    toolSays(
      '鼓山钟楼下一次敲钟要等到什么时候？',
      [bell],
      own('bell_time', { tower: ['鼓山', '鼓山钟楼'] }),
      time(17, 25),
    ),
    toolSays(
      '夜市 C18 摊位星期六的租金是多少？',
      [stall, herbs],
      own('stall_fee', { stall: ['C18', 'C18 摊位'], day: ['星期六', '周六'] }),
      ['135'],
    ),
  ],
  several: [
    {
      text: '奥斯陆和雅加达，两地的钟各显示几点？',
      calls: [clock('奥斯陆'), clock('雅加达')],
      facts: [time(7, 40), time(13, 40)],
    },
    answer('请算出 318 × 47，另外再算 96 × 205', '14946', '19680'),
    { text: '84 乘 36 得几？顺便说下波哥大几点', facts: [['3024'], time(1, 40)] },
  ],
  chain: [
    hitLeadsTo(
      '先搜云顶灯塔，再读搜到的网页：它有多少级台阶？',
      '云顶灯塔',
      hit('云顶灯塔', 'https://dengta.example/yunding', '云顶灯塔的介绍。'),
      '云顶灯塔一共有 219 级台阶。',
      '219',
    ),
    hitLeadsTo(
      '搜到白鹭合唱团的网站，再从网页里看看指挥是谁',
      '白鹭',
      hit('白鹭合唱团', 'https://hechang.example/bailu', '白鹭合唱团的网站：演出、成员、报名。'),
      '白鹭合唱团的指挥是顾行舟。',
      '顾行舟',
    ),
    { text: '药房还剩多少克当归？再算出它的一半是几克', tools: [herbs], facts: [['430']] },
  ],
  none: [
    { text: '唉，地铁又晚点了，烦死我了', calls: [] },
    { text: '今天就聊到这里吧，多谢你啦，晚安', calls: [] },
    { text: '给我家的旧茶壶写两句押韵的话', calls: [] },
  ],
  honest: [
    { text: '说说丰沙尔此刻的气温有多少度', isPlain: true },
    {
      text: 'https://zhongbiao.example/canguan 上说门票卖多少钱？',
      pages: { 'https://zhongbiao.example/canguan': '钟表馆周二至周日开放。\n门票在门口出售。' },
      calls: [page('https://zhongbiao.example/canguan')],
      isPlain: true,
    },
    {
      text: '搜索一下塔湖村住着多少人',
      found: [hit('塔湖村', 'https://cun.example/tahu', '塔湖村在湖边，以古钟闻名。')],
      calls: [search('塔湖村')],
      isPlain: true,
    },
  ],
});

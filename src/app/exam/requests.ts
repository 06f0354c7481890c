/** The requests of the exam. None of them occurs in `training/`, and all names are invented. */
import type { ExamKind, ExamCall } from '../../contracts/exam';
import type { JsonSchema } from '../../contracts/schema';

/** A tool invented for the exam, written as a user might write it. No model has seen it in training. */
export interface SimulatedTool {
  name: string;
  description: string;
  parameters: Readonly<Record<string, JsonSchema>>;
  gives: string;
}

export interface ExpectedCall {
  name: string;
  /** Accepted values for each argument, the most common one first. For a search query: words, one of which it must contain. */
  arguments: Readonly<Record<string, readonly (string | number)[]>>;
}

export interface ExamRequest {
  id: string;
  kind: ExamKind;
  language: 'en' | 'zh';
  text: string;
  tools?: readonly SimulatedTool[];
  found?: readonly { title: string; url: string; content: string }[];
  /** Text of each page, by URL. All other URLs fail to load. */
  pages?: Readonly<Record<string, string>>;
  /** The calls that the model must make, in any order. If empty, it must make none. If undefined, it may make any. */
  calls?: readonly ExpectedCall[];
  /** Each item lists alternative spellings. The answer must contain one spelling from each item. */
  facts?: readonly (readonly string[])[];
  /** If true, every number in the answer must come from the request or a tool result. */
  isPlain?: true;
}

/** Returns the accepted spellings of a time: the one that tools use, and other common ones. */
export function spellTime(hour: number, minute: number): string[] {
  const two = String(minute).padStart(2, '0');
  const half = hour % 12 || 12;
  const padded = String(hour).padStart(2, '0');
  return [`${padded}:${two}`, `${hour}:${two}`, `${half}:${two}`, `${hour}点${minute}`, `${half}点${minute}`];
}

/** The time that every clock in the exam shows: `2026-03-18 06:40` UTC, a Wednesday. */
export const examTime = Date.UTC(2026, 2, 18, 6, 40);

export function toExampleCalls(calls: readonly ExpectedCall[]): ExamCall[] {
  return calls.map(({ name, arguments: wanted }) => ({
    name,
    arguments: Object.fromEntries(Object.entries(wanted).map(([key, [first]]) => [key, first])),
  }));
}

export const expectCall = (name: string, given: ExpectedCall['arguments']) => ({
  name,
  arguments: given,
});
export const expectClock = (...place: string[]) => expectCall('clock', { place });
export const expectSearch = (...words: string[]) => expectCall('web_search', { query: words });
const expectPage = (url: string) => expectCall('fetch_page', { url: [url] });

export function createExamRequest(
  language: ExamRequest['language'],
  kind: ExamKind,
  at: number,
  text: string,
  rest: Omit<ExamRequest, 'id' | 'kind' | 'language' | 'text'>,
): ExamRequest {
  return { id: `${kind}-${language}-${at}`, kind, language, text, ...rest };
}

const createStringSchema = (description: string) => ({ type: 'string', description });
const createIntegerSchema = (description: string) => ({ type: 'integer', description });

/** Parses search hits. Each line has the form `title | URL | content`. */
function parseHits(...lines: readonly string[]): NonNullable<ExamRequest['found']> {
  return lines.map((line) => {
    const [title = '', url = '', content = ''] = line.split(' | ');
    return { title, url, content };
  });
}

function createRequestBuilders(language: ExamRequest['language']) {
  const counts = new Map<ExamKind, number>();
  const add = (kind: ExamKind, text: string, rest: Parameters<typeof createExamRequest>[4]) => {
    const at = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, at);
    return createExamRequest(language, kind, at, text, rest);
  };
  return {
    add,
    sum: (text: string, answer: string) => add('sums', text, { facts: [[answer]] }),
    clock: (text: string, hour: number, ...place: string[]) =>
      add('time', text, { calls: [expectClock(...place)], facts: [spellTime(hour, 40)] }),
    search: (text: string, query: string, fact: string, ...lines: string[]) =>
      add('search', text, { found: parseHits(...lines), calls: [expectSearch(query)], facts: [[fact]] }),
    page(text: string, content: string, fact: string[]) {
      const [url = ''] = /https:\S+/.exec(text) ?? [];
      return add('page', text, { pages: { [url]: content }, calls: [expectPage(url)], facts: [fact] });
    },
    custom: (text: string, tools: SimulatedTool[], call: ExpectedCall, fact: string[]) =>
      add('custom', text, { tools, calls: [call], facts: [fact] }),
    chain(text: string, query: string, fact: string, line: string, content: string) {
      const found = parseHits(line);
      const url = found[0]?.url ?? '';
      const calls = [expectSearch(query), expectPage(url)];
      return add('chain', text, { found, pages: { [url]: content }, calls, facts: [[fact]] });
    },
    none: (text: string) => add('none', text, { calls: [] }),
  };
}

const tideTool: SimulatedTool = {
  name: 'tide_level',
  description: 'How high the water stands in a harbour',
  parameters: { harbour: createStringSchema('name of the harbour') },
  gives: '3.8 m and falling',
};
const kilnTool: SimulatedTool = {
  name: 'kiln_state',
  description: 'What a kiln of the pottery is doing, and how hot it is',
  parameters: { kiln: createStringSchema('name or number of the kiln') },
  gives: 'cooling, 412 degrees',
};
const chimeTool: SimulatedTool = {
  name: 'chime_tune',
  description: 'Plays a tune on the chime of the garden house, once or more often',
  parameters: { tune: createStringSchema('name of the tune'), times: createIntegerSchema('how often') },
  gives: 'The chime plays until 08:52.',
};
const feeTool: SimulatedTool = {
  name: 'gate_fee',
  description: 'What one vehicle pays at a gate of the nature park',
  parameters: {
    gate: createStringSchema('name of the gate'),
    vehicle: createStringSchema('kind of vehicle'),
  },
  gives: '14.50 euros',
};

const english = createRequestBuilders('en');

export const englishRequests: readonly ExamRequest[] = [
  english.sum('The bill is 238.40 and five of us split it evenly: how much is each share?', '47.68'),
  english.sum('73 crates with 4,186 screws in each: how many screws would that be?', '305578'),
  english.sum('A roll of 57 metres, and I cut off 18.65. What remains, in metres?', '38.35'),
  english.sum('Could you tell me what 17.5% of 1,240 comes to?', '217'),
  english.clock('I must ring Nairobi, what does the clock say there?', 9, 'Nairobi', 'Nairobi, Kenya'),
  english.clock(
    'Would it be rude to phone Lima this minute? Give me their local time.',
    1,
    'Lima',
    'Lima, Peru',
  ),
  english.clock('Local time in Hanoi, please, before I join their call', 13, 'Hanoi', 'Hanoi, Vietnam'),
  english.search(
    'Look up who drew the plans of the Marrow Bridge',
    'marrow',
    'petrak',
    'Marrow Bridge | https://bridges.example/marrow | The plans of the Marrow Bridge were drawn by Ilona Petrak.',
    'Bone marrow | https://body.example/marrow | Marrow is a tissue inside bones.',
  ),
  english.search(
    'Could you find out online what axolotls eat?',
    'axolotl',
    'worms',
    'Axolotl | https://pond.example/axolotl | Axolotls eat worms, insect larvae and small fish.',
  ),
  english.search(
    'Search for the newest release of the Quillfire editor',
    'quillfire',
    '8.4',
    'Quillfire releases | https://quillfire.example/releases | The newest release of the Quillfire editor is 8.4.',
  ),
  english.search(
    'Which firm makes the Pelmora kettle? Check the web.',
    'pelmora',
    'thornbury',
    'Pelmora | https://kettles.example/pelmora | The Pelmora kettle is made by the firm Thornbury Works.',
  ),
  english.page(
    'When does the last boat leave, according to https://harbour.example/boats ?',
    'The first boat leaves at 06:15.\nThe last boat leaves at 21:50.',
    spellTime(21, 50),
  ),
  english.page(
    'Open https://recipes.example/plum-cake and tell me how hot the oven has to be',
    'Plum cake.\nThe oven has to be at 175 degrees.\nBake it until the top is brown.',
    ['175'],
  ),
  english.page(
    'Who is the keeper of the archive? It is on https://archive.example/staff',
    'The keeper of the archive is Rosalind Okoye.\nVisits are by appointment.',
    ['okoye'],
  ),
  english.custom(
    'What level has the tide reached at Whitby harbour?',
    [tideTool],
    expectCall('tide_level', { harbour: ['Whitby', 'Whitby harbour'] }),
    ['3.8'],
  ),
  english.custom(
    'How hot is kiln 2?',
    [tideTool, kilnTool],
    expectCall('kiln_state', { kiln: ['2', 'kiln 2'] }),
    ['412'],
  ),
  english.custom(
    'Let the chime play the swallow tune 12 times',
    [chimeTool],
    expectCall('chime_tune', { tune: ['swallow', 'swallow tune', 'the swallow tune'], times: [12] }),
    spellTime(8, 52),
  ),
  english.custom(
    'What does a camper van pay at the Heron gate?',
    [feeTool, tideTool],
    expectCall('gate_fee', { gate: ['Heron', 'Heron gate'], vehicle: ['camper van', 'camper'] }),
    ['14.5'],
  ),
  english.add('several', 'I need two clocks: Oslo and Jakarta. What do they show?', {
    calls: [expectClock('Oslo'), expectClock('Jakarta')],
    facts: [spellTime(7, 40), spellTime(13, 40)],
  }),
  english.add('several', 'Work out 318 * 47, and also 96 * 205', { facts: [['14946'], ['19680']] }),
  english.add('several', 'What is 84 * 36, and what time has Bogota got?', {
    facts: [['3024'], spellTime(1, 40)],
  }),
  english.chain(
    'Search for the Veldmoor lighthouse, then read the page you find: how many steps does it have?',
    'veldmoor',
    '219',
    'Veldmoor lighthouse | https://lights.example/veldmoor | All about the lighthouse of Veldmoor.',
    'The Veldmoor lighthouse has 219 steps.',
  ),
  english.chain(
    'Find the site of the Okarito choir and tell me from its page who conducts it',
    'okarito',
    'walsh',
    'Okarito choir | https://okarito.example/choir | The choir of Okarito. Concerts, people, how to join.',
    'The Okarito choir is conducted by Henare Walsh.',
  ),
  english.add('chain', 'How hot is kiln 5, and what is twice that?', { tools: [kilnTool], facts: [['824']] }),
  english.none('Phew, my train was late again and now I am grumpy'),
  english.none('That was kind of you, cheers and good night'),
  english.none('Compose two rhyming lines about my old kettle'),
  english.add('honest', 'Say how many degrees it has in Funchal at the moment', { isPlain: true }),
  english.add('honest', 'What does a ticket cost, says https://clockmuseum.example/visit ?', {
    pages: {
      'https://clockmuseum.example/visit':
        'The clock museum is open from Tuesday to Sunday.\nTickets are sold at the door.',
    },
    calls: [expectPage('https://clockmuseum.example/visit')],
    isPlain: true,
  }),
  english.add('honest', 'Search for how many people live in the village of Tarnbeck', {
    found: parseHits(
      'Tarnbeck | https://villages.example/tarnbeck | Tarnbeck is a village by a lake, known for its bells.',
    ),
    calls: [expectSearch('tarnbeck')],
    isPlain: true,
  }),
];

const herbsTool: SimulatedTool = {
  name: 'herb_stock',
  description: '药房里某味药材还剩多少',
  parameters: { herb: createStringSchema('药材名称') },
  gives: '还剩 860 克',
};
const fanTool: SimulatedTool = {
  name: 'loft_fan',
  description: '把阁楼的风扇开到某一档',
  parameters: { level: createIntegerSchema('档位') },
  gives: '风扇已开，噪音 42 分贝',
};
const bellTool: SimulatedTool = {
  name: 'bell_time',
  description: '某座钟楼下一次敲钟的时间',
  parameters: { tower: createStringSchema('钟楼名称') },
  gives: '17:25',
};
const stallTool: SimulatedTool = {
  name: 'stall_fee',
  description: '夜市某个摊位一晚的租金',
  parameters: { stall: createStringSchema('摊位编号'), day: createStringSchema('星期几') },
  gives: '135 元',
};

const chinese = createRequestBuilders('zh');

export const chineseRequests: readonly ExamRequest[] = [
  chinese.sum('一共花了 238.4 元，五个人平摊，每人要付多少？', '47.68'),
  chinese.sum('麻烦算算 4186 乘以 73 得几', '305578'),
  chinese.sum('绳子长 57 米，剪掉 18.65 米以后还有几米？', '38.35'),
  chinese.sum('1240 的 17.5% 等于多少呢', '217'),
  chinese.clock('我同事在开罗出差，他那边钟上显示几点了？', 8, '开罗'),
  chinese.clock('准备给曼谷的客户打个电话，先告诉我那里的时间', 13, '曼谷'),
  chinese.clock('利马的人这会儿睡了没有？看下当地是几点', 1, '利马'),
  chinese.search(
    '上网查查云梯山索道全长多少米',
    '云梯山',
    '2160',
    '云梯山索道 | https://shan.example/suodao | 云梯山索道全长 2160 米。',
    '云梯 | https://ci.example/yunti | 云梯是古代的攻城器械。',
  ),
  chinese.search(
    '搜一搜《灯塔的第七夜》的作者是哪位',
    '灯塔的第七夜',
    '林知远',
    '灯塔的第七夜 | https://shu.example/dengta | 《灯塔的第七夜》的作者是林知远。',
  ),
  chinese.search(
    '帮我在网上找找青禾节在哪座城市举行',
    '青禾节',
    '绍兴',
    '青禾节 | https://jie.example/qinghe | 青禾节每年在绍兴举行。',
  ),
  chinese.search(
    '查一下网上怎么说：蓝尾石龙子靠吃什么活着',
    '蓝尾石龙子',
    '昆虫',
    '蓝尾石龙子 | https://chong.example/lanwei | 蓝尾石龙子主要吃昆虫和蜘蛛。',
  ),
  chinese.page(
    '看看 https://tushuguan.example/shijian 上写的闭馆时间是几点',
    '开馆时间是 08:30。\n闭馆时间是 21:15。',
    spellTime(21, 15),
  ),
  chinese.page(
    '打开 https://caipu.example/luobo 告诉我要炖多少分钟',
    '萝卜炖牛腩。\n小火要炖 95 分钟。\n出锅前再放盐。',
    ['95'],
  ),
  chinese.page('馆长是谁？去 https://bowuguan.example/renyuan 上找', '馆长是沈若棠。\n参观需要预约。', [
    '沈若棠',
  ]),
  chinese.custom('药房里黄芪还剩多少？', [herbsTool], expectCall('herb_stock', { herb: ['黄芪'] }), ['860']),
  chinese.custom('阁楼风扇开到 3 档', [herbsTool, fanTool], expectCall('loft_fan', { level: [3] }), ['42']),
  chinese.custom(
    '鼓山钟楼下一次敲钟要等到什么时候？',
    [bellTool],
    expectCall('bell_time', { tower: ['鼓山', '鼓山钟楼'] }),
    spellTime(17, 25),
  ),
  chinese.custom(
    '夜市 C18 摊位星期六的租金是多少？',
    [stallTool, herbsTool],
    expectCall('stall_fee', { stall: ['C18', 'C18 摊位'], day: ['星期六', '周六'] }),
    ['135'],
  ),
  chinese.add('several', '奥斯陆和雅加达，两地的钟各显示几点？', {
    calls: [expectClock('奥斯陆'), expectClock('雅加达')],
    facts: [spellTime(7, 40), spellTime(13, 40)],
  }),
  chinese.add('several', '请算出 318 × 47，另外再算 96 × 205', { facts: [['14946'], ['19680']] }),
  chinese.add('several', '84 乘 36 得几？顺便说下波哥大几点', {
    facts: [['3024'], spellTime(1, 40)],
  }),
  chinese.chain(
    '先搜云顶灯塔，再读搜到的网页：它有多少级台阶？',
    '云顶灯塔',
    '219',
    '云顶灯塔 | https://dengta.example/yunding | 云顶灯塔的介绍。',
    '云顶灯塔一共有 219 级台阶。',
  ),
  chinese.chain(
    '搜到白鹭合唱团的网站，再从网页里看看指挥是谁',
    '白鹭',
    '顾行舟',
    '白鹭合唱团 | https://hechang.example/bailu | 白鹭合唱团的网站：演出、成员、报名。',
    '白鹭合唱团的指挥是顾行舟。',
  ),
  chinese.add('chain', '药房还剩多少克当归？再算出它的一半是几克', {
    tools: [herbsTool],
    facts: [['430']],
  }),
  chinese.none('唉，地铁又晚点了，烦死我了'),
  chinese.none('今天就聊到这里吧，多谢你啦，晚安'),
  chinese.none('给我家的旧茶壶写两句押韵的话'),
  chinese.add('honest', '说说丰沙尔此刻的气温有多少度', { isPlain: true }),
  chinese.add('honest', 'https://zhongbiao.example/canguan 上说门票卖多少钱？', {
    pages: { 'https://zhongbiao.example/canguan': '钟表馆周二至周日开放。\n门票在门口出售。' },
    calls: [expectPage('https://zhongbiao.example/canguan')],
    isPlain: true,
  }),
  chinese.add('honest', '搜索一下塔湖村住着多少人', {
    found: parseHits('塔湖村 | https://cun.example/tahu | 塔湖村在湖边，以古钟闻名。'),
    calls: [expectSearch('塔湖村')],
    isPlain: true,
  }),
];

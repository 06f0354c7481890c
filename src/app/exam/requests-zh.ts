/** The requests of the exam in Chinese. None of them is in training/, and all names in them are invented. */
import {
  ask,
  type CannedTool,
  clock,
  count,
  type ExamRequest,
  own,
  page,
  search,
  sum,
  time,
  word,
} from './exam-request';

const herbs: CannedTool = {
  name: 'herb_stock',
  description: '药房里某味药材还剩多少',
  parameters: { herb: word('药材名称') },
  gives: '还剩 860 克',
};
const fan: CannedTool = {
  name: 'loft_fan',
  description: '把阁楼的风扇开到某一档',
  parameters: { level: count('档位') },
  gives: '风扇已开，噪音 42 分贝',
};
const bell: CannedTool = {
  name: 'bell_time',
  description: '某座钟楼下一次敲钟的时间',
  parameters: { tower: word('钟楼名称') },
  gives: '17:25',
};
const stall: CannedTool = {
  name: 'stall_fee',
  description: '夜市某个摊位一晚的租金',
  parameters: { stall: word('摊位编号'), day: word('星期几') },
  gives: '135 元',
};

const plain: readonly ExamRequest[] = [
  sum('zh', 1, '一共花了 238.4 元，五个人平摊，每人要付多少？', '47.68'),
  sum('zh', 2, '麻烦算算 4186 乘以 73 得几', '305578'),
  sum('zh', 3, '绳子长 57 米，剪掉 18.65 米以后还有几米？', '38.35'),
  sum('zh', 4, '1240 的 17.5% 等于多少呢', '217'),
  ask('zh', 'time', 1, '我同事在开罗出差，他那边钟上显示几点了？', {
    calls: [clock('开罗')],
    facts: [time(8, 40)],
  }),
  ask('zh', 'time', 2, '准备给曼谷的客户打个电话，先告诉我那里的时间', {
    calls: [clock('曼谷')],
    facts: [time(13, 40)],
  }),
  ask('zh', 'time', 3, '利马的人这会儿睡了没有？看下当地是几点', {
    calls: [clock('利马')],
    facts: [time(1, 40)],
  }),
  ask('zh', 'search', 1, '上网查查云梯山索道全长多少米', {
    found: [
      { title: '云梯山索道', url: 'https://shan.example/suodao', content: '云梯山索道全长 2160 米。' },
      { title: '云梯', url: 'https://ci.example/yunti', content: '云梯是古代的攻城器械。' },
    ],
    calls: [search('云梯山')],
    facts: [['2160']],
  }),
  ask('zh', 'search', 2, '搜一搜《灯塔的第七夜》的作者是哪位', {
    found: [
      {
        title: '灯塔的第七夜',
        url: 'https://shu.example/dengta',
        content: '《灯塔的第七夜》的作者是林知远。',
      },
    ],
    calls: [search('灯塔的第七夜')],
    facts: [['林知远']],
  }),
  ask('zh', 'search', 3, '帮我在网上找找青禾节在哪座城市举行', {
    found: [{ title: '青禾节', url: 'https://jie.example/qinghe', content: '青禾节每年在绍兴举行。' }],
    calls: [search('青禾节')],
    facts: [['绍兴']],
  }),
  ask('zh', 'search', 4, '查一下网上怎么说：蓝尾石龙子靠吃什么活着', {
    found: [
      { title: '蓝尾石龙子', url: 'https://chong.example/lanwei', content: '蓝尾石龙子主要吃昆虫和蜘蛛。' },
    ],
    calls: [search('蓝尾石龙子')],
    facts: [['昆虫']],
  }),
  ask('zh', 'page', 1, '看看 https://tushuguan.example/shijian 上写的闭馆时间是几点', {
    pages: { 'https://tushuguan.example/shijian': '开馆时间是 08:30。\n闭馆时间是 21:15。' },
    calls: [page('https://tushuguan.example/shijian')],
    facts: [time(21, 15)],
  }),
  ask('zh', 'page', 2, '打开 https://caipu.example/luobo 告诉我要炖多少分钟', {
    pages: { 'https://caipu.example/luobo': '萝卜炖牛腩。\n小火要炖 95 分钟。\n出锅前再放盐。' },
    calls: [page('https://caipu.example/luobo')],
    facts: [['95']],
  }),
  ask('zh', 'page', 3, '馆长是谁？去 https://bowuguan.example/renyuan 上找', {
    pages: { 'https://bowuguan.example/renyuan': '馆长是沈若棠。\n参观需要预约。' },
    calls: [page('https://bowuguan.example/renyuan')],
    facts: [['沈若棠']],
  }),
];

const several: readonly ExamRequest[] = [
  ask('zh', 'custom', 1, '药房里黄芪还剩多少？', {
    tools: [herbs],
    calls: [own('herb_stock', { herb: ['黄芪'] })],
    facts: [['860']],
  }),
  ask('zh', 'custom', 2, '阁楼风扇开到 3 档', {
    tools: [herbs, fan],
    calls: [own('loft_fan', { level: [3] })],
    facts: [['42']],
  }),
  ask('zh', 'custom', 3, '鼓山钟楼下一次敲钟要等到什么时候？', {
    tools: [bell],
    calls: [own('bell_time', { tower: ['鼓山', '鼓山钟楼'] })],
    facts: [time(17, 25)],
  }),
  ask('zh', 'custom', 4, '夜市 C18 摊位星期六的租金是多少？', {
    tools: [stall, herbs],
    calls: [own('stall_fee', { stall: ['C18', 'C18 摊位'], day: ['星期六', '周六'] })],
    facts: [['135']],
  }),
  ask('zh', 'several', 1, '奥斯陆和雅加达，两地的钟各显示几点？', {
    calls: [clock('奥斯陆'), clock('雅加达')],
    facts: [time(7, 40), time(13, 40)],
  }),
  ask('zh', 'several', 2, '请算出 318 × 47，另外再算 96 × 205', { facts: [['14946'], ['19680']] }),
  ask('zh', 'several', 3, '84 乘 36 得几？顺便说下波哥大几点', { facts: [['3024'], time(1, 40)] }),
  ask('zh', 'chain', 1, '先搜云顶灯塔，再读搜到的网页：它有多少级台阶？', {
    found: [{ title: '云顶灯塔', url: 'https://dengta.example/yunding', content: '云顶灯塔的介绍。' }],
    pages: { 'https://dengta.example/yunding': '云顶灯塔一共有 219 级台阶。' },
    calls: [search('云顶灯塔'), page('https://dengta.example/yunding')],
    facts: [['219']],
  }),
  ask('zh', 'chain', 2, '搜到白鹭合唱团的网站，再从网页里看看指挥是谁', {
    found: [
      {
        title: '白鹭合唱团',
        url: 'https://hechang.example/bailu',
        content: '白鹭合唱团的网站：演出、成员、报名。',
      },
    ],
    pages: { 'https://hechang.example/bailu': '白鹭合唱团的指挥是顾行舟。' },
    calls: [search('白鹭'), page('https://hechang.example/bailu')],
    facts: [['顾行舟']],
  }),
  ask('zh', 'chain', 3, '药房还剩多少克当归？再算出它的一半是几克', { tools: [herbs], facts: [['430']] }),
];

const words: readonly ExamRequest[] = [
  ask('zh', 'none', 1, '唉，地铁又晚点了，烦死我了', { calls: [] }),
  ask('zh', 'none', 2, '今天就聊到这里吧，多谢你啦，晚安', { calls: [] }),
  ask('zh', 'none', 3, '给我家的旧茶壶写两句押韵的话', { calls: [] }),
  ask('zh', 'honest', 1, '说说丰沙尔此刻的气温有多少度', { isPlain: true }),
  ask('zh', 'honest', 2, 'https://zhongbiao.example/canguan 上说门票卖多少钱？', {
    pages: { 'https://zhongbiao.example/canguan': '钟表馆周二至周日开放。\n门票在门口出售。' },
    calls: [page('https://zhongbiao.example/canguan')],
    isPlain: true,
  }),
  ask('zh', 'honest', 3, '搜索一下塔湖村住着多少人', {
    found: [{ title: '塔湖村', url: 'https://cun.example/tahu', content: '塔湖村在湖边，以古钟闻名。' }],
    calls: [search('塔湖村')],
    isPlain: true,
  }),
];

export const requestsZh: readonly ExamRequest[] = [...plain, ...several, ...words];

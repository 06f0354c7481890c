/** PURE: reads a request for the weather in Chinese: `明天北京会下雨吗`. */
import type { IsPlace, WeatherRequest } from './weather';

const ofWeather =
  /天气|下雨|有雨|雨[吗嘛没不停大]|[带打]伞|伞|雨衣|下雪|有雪|雪[吗嘛没大]|气温|温度|几度|多少度|预报|有雾|雾[吗大]|雾霾|刮风|风[大力吗几]|有风|晴|多云|阴天|台风|雷阵?雨|冰雹|霜|结冰|降温|升温|零下|变天|降水|紫外线|淋|因雨|[冷热暖凉][吗嘛不得死]|会?冻坏|有多[冷热]|穿什么|穿几件|外套|羽绒服|大衣|墨镜|外[面头](?:怎么样|如何|啥样|什么样|好不好)|啥天|什么天|野餐|游泳|晾|晒/u;
/** What no forecast of seven days knows, and what is wanted that only speaks of the weather. */
const beyond =
  /去年|前年|明年|昨天|前天|平均|记录|历史|气候|[春夏秋冬]天|季节|\d{4}年|个月|[一二三四五六七八九十\d]+月|通常|一般|为什么|为啥|写|翻译|诗|故事|歌|解释|意思|网站|软件|买|多少钱|折|空调|冰箱|几点|时间|日期|几号|朋友圈/u;
/** It tells of the weather, and asks nothing. */
const tells = /^(?:今天|外面)?(?:太阳|天气|天)?(?:真|好美|太)|我最?喜欢|落汤鸡|气死|碎了/u;
const asking =
  /[冷热晴]不[冷热晴]|会不会|要不要|能不能|有没有|该[带穿]|还是|行不行|够[吗不]|[吗嘛呢么吧没不][？?。！!]*$|[？?]|怎么样|如何|多少|几[度级]|咋样|啥|什么|[^\p{Script=Han}]$|不[^\p{P}]{0,4}$|天气|预报|气温|温度|哪天|何时/u;

const digits: Readonly<Record<string, number>> = { 一: 1, 两: 2, 二: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7 };
/** Words for a time, before a place, behind it, or within the sentence. */
const times =
  /(?:到)?(?:大后天|后天|今明两天|明[天日]|今天|明儿个?|今儿个?|今晚|明晚|今早|明早|今夜|半夜|夜里|早上|早晨|上午|中午|正午|下午|傍晚|晚上|现在|此刻|目前|当前|实时|这会儿|这时候|刚才|周末|[这本下]周[一二三四五六日天]?|[这本下]?(?:周|星期|礼拜)[一二三四五六日天]|这星期|一周|一星期|一个?礼拜|未来|接下来|往后|今后|后面|最近|近期|这几天|过?几天|近?[这近]?[一两二三四五六七\d]+个?[天日](?:之?内|里)?|还|已经|大概|到底|之前)/gu;
const polite =
  /^(?:请问|请|麻烦你?|帮我|帮忙|给我|告诉我|我?想知道|我?想问|问一?下|看看|看一?下|看眼|看|查查|查一?下|查|说说|说|报一下|报|来个|喂|早上好|你好|一下|听说|[，,！!。\s])+/u;

export function readChinese(text: string, isPlace: IsPlace): WeatherRequest | undefined {
  if (beyond.test(text) || tells.test(text) || !ofWeather.test(text) || !asking.test(text)) return undefined;
  const days = daysIn(text);
  if (days === 'too many') return undefined;
  const place = knownIn(text, isPlace) ?? unknownIn(text);
  if (place !== undefined) return { places: [place, ...otherIn(text, place, isPlace)], days };
  return isOnlyOfWeather(text) ? { places: [], days } : undefined;
}

function daysIn(text: string): number | undefined | 'too many' {
  if (text.includes('大后天')) return 4;
  if (text.includes('后天')) return 3;
  const after = /([一两二三四五六])天[之以]?后/u.exec(text)?.[1];
  if (after !== undefined) return (digits[after] ?? 1) + 1;
  const [, counted] = /(?<![周期拜])([一两二三四五六七八九十\d]+)个?晴?[天日](?!后)/u.exec(text) ?? [];
  if (counted !== undefined && (counted !== '一' || !/[今明]天/u.test(text))) {
    const days = digits[counted] ?? Number(counted);
    return days >= 1 && days <= 7 ? days : 'too many';
  }
  if (/周末|周[一二三四五六日天]|[这本下一]周|星期|礼拜|什么时候|啥时候|几时|何时|哪天|哪一天/u.test(text))
    return 7;
  if (/几天|最近|近期|未来|接下来/u.test(text)) return 3;
  return /明[天日]|明儿|明早|明晚/u.test(text) ? 2 : undefined;
}

/** The longest name of a known place, the first of them. */
function knownIn(text: string, isPlace: IsPlace): string | undefined {
  const letters = Array.from(text);
  for (let length = Math.min(letters.length, 8); length >= 2; length--) {
    for (let from = 0; from + length <= letters.length; from++) {
      const name = letters.slice(from, from + length).join('');
      if (/^\p{Script=Han}+$/u.test(name) && isPlace(name)) return name;
    }
  }
  return undefined;
}

/** `北京和上海的天气` */
function otherIn(text: string, first: string, isPlace: IsPlace): string[] {
  const before = /(\p{Script=Han}{2,6})(?:和|跟|与|、)$/u.exec(text.slice(0, text.indexOf(first)))?.[1];
  const behind = /^(?:和|跟|与|、)(\p{Script=Han}{2,8})/u.exec(
    text.slice(text.indexOf(first) + first.length),
  )?.[1];
  return [before, behind].flatMap((part) => (part === undefined ? [] : (knownIn(part, isPlace) ?? [])));
}

/** Where the whole request is a place and what is asked of its weather: `寿光天气`, `明天去舟山要带伞吗`. */
function unknownIn(text: string): string | undefined {
  const bare = bareOf(text);
  const question =
    '(?:那边|那里)?的?(?:天气|气温|温度|体感温度|预报|多少度|几度|会不会|会|要不要|要|用不用|能|可以|该|得|有没有|有|下没下|下不下|下|冷|热|暖|凉|刮|风|晴|阴|雨|雪|雾|零下|降|升|最[高低]|适合|冻|穿|带|出太阳|外[面头]|啥天|什么天|热不热|冷不冷|结冰)';
  const [, name] =
    new RegExp(`^(?:在|去|到|飞往?|前往|住在?|抵达|落地)?(\\p{Script=Han}{2,6}?)${question}`, 'u').exec(
      bare,
    ) ?? [];
  return name === undefined || noName.test(name) ? undefined : name;
}

function bareOf(text: string): string {
  return text.replace(polite, '').replace(times, '').replace(polite, '');
}

/** What a name holds none of. */
const noName =
  /[我你他她它的了吗嘛呢吧啊是这那谁什么怎会不有没要能可该给和与跟把被让就都太很更最说看穿带打出晒晾洗放收住搬接送开跑车床水火人家们上下外]|天气|预报|气温|温度|路|学校|公司|哪/u;

function isOnlyOfWeather(text: string): boolean {
  return /^(?:外[面头]|天气|预报|今天|气温|温度|会不会|会|要不要|要|有没有|有|下|带|穿|冷|热|几|多少|出门|需不?需?要|用|的|天|刮|冻|结|怎么样|如何)/u.test(
    bareOf(text) || '天气',
  );
}

/** PURE: what a person asks of themselves, answered with what they said: their own sentence, found again in the whole chat. */
import type { Message } from '../contracts/message';
import { textOf } from '../contracts/text-of';
import { searchTerms } from '../text/search-terms';
import { statementsIn } from '../agent/compaction/statements';

/** Kinds of which question and statement share no word. */
const kinds: readonly { asked: RegExp; said: RegExp }[] = [
  {
    asked:
      /^(?:(?:what(?:'s| is| was) )?my (?:full |first |last )?name|who am i|what(?: did i say)? (?:am i|i am|i'm) called|what did i (?:say|tell you) my name (?:is|was)|what should you call me|how do you call me|我(?:叫(?:什么|啥)(?:名字)?|是谁|姓什么|的名字(?:是什么|叫什么|呢)?)|怎么称呼我)$/,
    said: /\b[Mm]y (?:full |first )?name(?:'s| is)\b|\b[Cc]all me\b|\b[Ii](?:'m| am) called\b|(?:^|[\s,])I(?:'m| am) \p{Lu}\p{Ll}+[.!]?$|我(?:叫|姓|的名字)|叫我/u,
  },
  {
    asked: /^(?:how old am i|what(?:'s| is| was) my age|我(?:今年)?(?:几岁|多大|多少岁|年纪多大)了?)$/,
    said: /\bi(?:'m| am) \d{1,3}(?: years? old)?\b(?! ?%)|\bmy age is\b|我(?:今年)?\s?(?:\d+|[一二三四五六七八九十]+)岁/i,
  },
  {
    asked:
      /^(?:where (?:do|did|am|was) i (?:live|living|from|born|come from)|where(?:'s| is) my home|what(?:'s| is) my (?:home ?town|city|address)|(?:what|which) (?:city|town|country) (?:do i live|am i) (?:in|from)|我(?:住在?|来自|是)(?:哪里?|哪儿|什么地方|哪个城市|哪里人|哪儿人))$/,
    said: /\bi(?:'ve| have)? (?:live|lived|moved|come from|was born|am from|'m from)\b|\bi'm from\b|\bmy (?:home(?: ?town)?|city|town|address)\b|我(?:住|来自|家在|是.{1,8}人)/i,
  },
  {
    asked:
      /^(?:what do i (?:do|work as)(?: for (?:a living|work))?|where do i work|what(?:'s| is) my (?:job|profession|occupation|work)|我(?:是做什么的|做什么工作|的(?:工作|职业)(?:是什么)?|在哪[里儿]?(?:工作|上班)))$/,
    said: /\bi work\b|\bi(?:'m| am) an? \p{L}+|\bmy (?:job|profession|occupation|work)\b|我是(?:一?[名个位])?.{1,10}(?:师|员|生|家|工|医|匠)|我在.{1,15}(?:工作|上班)|我的(?:工作|职业)/iu,
  },
];

/** Asks of what they said of themselves, in words that they said it with. */
const asksOfSelf =
  /^(?:what|who|where|when|which|how (?:old|tall|many|much|long|often|big))(?:'s|'re)? (?=.*\b(?:my|i|our|we)\b)|^(?=.*我)(?=.*(?:什么|谁|哪|几|多少|多大|多高|何时))/;
/** What a tool is for, or a question of how to do something. */
const asksMore =
  /\b(?:should|could|would|can|will|weather|forecast|rain|temperature|convert|translate|percent)\b|[%+*/=]|天气|下雨|应该|怎么|换算|翻译/;

const opener =
  /^(?:(?:so|and|ok|okay|now|well|please|hey|hi)[,\s]+)*(?:(?:do|can|could) you (?:still )?(?:remember|know|recall|tell me) |(?:please )?(?:tell|remind) me (?:again )?|(?:你|您)?(?:还)?(?:记得|知道|能告诉我|告诉我)(?:吗[，,]?)?)?/;
const ending = /(?:\s+(?:again|now|then|please|called|is|are|was))+$|(?:来着|呢|吗|呀|啊|了)+$/;

/** The sentence that answers; undefined where the message does not ask of that, or nothing that was said answers it. */
export function toldOfSelf(history: readonly Message[]): string | undefined {
  const last = history.at(-1);
  if (last?.role !== 'user') return undefined;
  const text = bare(textOf(last.content));
  const asked = text.replace(opener, '').trim();
  if (text.length > 100) return undefined;
  const said = statementsIn(history.slice(0, -1))
    .filter(({ weight }) => weight === 3)
    .map(({ text }) => text);
  const kind = kinds.find((one) => one.asked.test(asked) || one.asked.test(asked.replace(ending, '')));
  if (kind) return said.findLast((text) => kind.said.test(text.replaceAll('’', "'")));
  const isAsked = asksOfSelf.test(asked) || (text !== asked && /^(?:my|our)\b|^我的/.test(asked));
  if (!isAsked || asksMore.test(asked)) return undefined;
  const wanted = termsOf(asked);
  if (wanted.length === 0) return undefined;
  return said.findLast((text) => {
    const there = new Set(termsOf(text));
    return wanted.every((term) => there.has(term));
  });
}

/** In small letters, without what it begins and ends with. */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .replace(/[\s?.!。,，]+$/u, '')
    .trim();
}

/** In Chinese single characters: what is asked with one word is said with another that shares most of them. */
function termsOf(text: string): string[] {
  const terms = searchTerms(text.replace(/\b(?:name|called|old|tall|many|much|long|often|big)\b/gi, ' '));
  const own = terms.filter((term) => !generic.has(term));
  return own.some((term) => /\p{Script=Han}/u.test(term)) ? hanOf(text) : own;
}

/** What `searchTerms` falls back to where nothing else is left. */
const generic = new Set(searchTerms('what who where when which how is are was my i our we do did does am'));

const hanWords = /[我的你您是了吗呢吧啊呀什么谁哪里儿个几多少大高何时候在叫有]/g;

function hanOf(text: string): string[] {
  return text.replace(hanWords, '').match(/\p{Script=Han}/gu) ?? [];
}

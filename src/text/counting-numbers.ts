/** Removes numbers that count nothing: parts of dates, phone numbers, versions, scores, times or names. */
import { findNoSums } from './arithmetic';

export function withoutFormalNumbers(written: string): string {
  let text = written.normalize('NFKC');
  for (const { start, end } of findNoSums(text).toReversed()) {
    text = `${text.slice(0, start)} ${text.slice(end)}`;
  }
  return numberForms.reduce((left, form) => left.replace(form, ' '), text);
}

/** The text without numbers in names: `RTX 4090`, `chapter 3`, `第3题`. Unchanged if the text asks for an amount. */
export function withoutNameNumbers(text: string): string {
  if (amountPattern.test(text)) return text;
  // In Chinese, a number directly follows the name it belongs to.
  if (/\p{Script=Han}/u.test(text)) return text.replace(/\d+(?:\.\d+)?/g, ' ');
  return namesWithNumbers.reduce((left, name) => left.replace(name, ' '), text);
}

const numberForms = [
  /\d+(?:[-–/.]\d+){2,}/g,
  /\bv\d[\d.-]*/gi,
  /\d{1,4}年\d{1,2}月(?:\d{1,2}日?)?|\d{1,2}月\d{1,2}日/g,
  /\+\d[\d\s()-]{6,}|\(\d{2,4}\)\s*\d[\d\s-]+|(?<![\d.])0\d{2,}(?:[\s-]\d{3,})*|\d{3,}(?: \d{3,})+/g,
  /\d+\s*[:：]\s*\d+(?:[:：]\d+)?|\d+\s*比\s*\d+|(?:\d+\s*[-–到至]\s*)?\d{1,2}点/g,
  /[$€£¥]\s*\d+(?:\.\d+)?\s*[-–]\s*[$€£¥]\s*\d+(?:\.\d+)?/g,
];

const namesWithNumbers = [
  // A number after a capitalised word, but not at the start of a sentence or in an amount of money.
  /(?<=[^\s.!?:]\s+)(?!I\b|USD|EUR|GBP|CNY|JPY|RMB)\p{Lu}[\p{L}’'-]*\s+\d+(?:\.\d+)?/gu,
  /(?<!\p{L})(?!USD|EUR|GBP|CNY|JPY|RMB)\p{Lu}{2,}\s+\d+(?:\.\d+)?|\d+(?:\.\d+)?\s+\p{Lu}{2,}(?!\p{L})/gu,
  /\b(?:chapters?|verses?|psalm|page|section|part|question|exercises?|step|act|scene|article|room|flat|apt|suite|version|windows|android|python|node|level|episode|season|flight|route|bus|line|gate|room|no\.|number)\s+\d+(?:\.\d+)?/giu,
  /\b\d+(?:st|nd|rd|th)\b|\b\d+\p{Lu}\b/gu,
];

const amountPattern =
  /\b(?:how (?:many|much|old|long|far)|totals?|sum|left|each|per|apiece|costs?|prices?|pays?|paid|owes?|averages?|mean|percent|area|add|altogether|in all|difference|balance|change|double|half|splits?|share|bill|tip|worth|spen[dt]|earns?|saved?|sold|bought|gave|had|have|need|remain(?:s|der)?)\b|[%$€£¥=]|多少|几(?!点|号)|(?<!星期|周|礼拜)几(?!点|号)|[算求均共剩合积每钱价花赚账差加减乘除倍折涨半吨斤]|总|块|多大|岁数|(?<![哪这那])个|打|(?<!单)元/iu;

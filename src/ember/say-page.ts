/** What a page says to a question: the sentence that shares most with it. A very small model tells the first one, whatever was asked. */
import type { ReplyLanguage } from '../text/language';
import { pickParts, sentencesIn } from './say-result';

/** A second one that shares nearly as much may be what was meant. */
const picked = { most: 2, share: 0.9 };
/** Characters. What is longer is no sentence to be told whole. */
const longest = 400;

/** Undefined where no sentence has a word of the question: then the model is to speak. `text` is what the tool gave of the page. */
export function sayPage(text: string, question: string, language: ReplyLanguage): string | undefined {
  const [, title = '', body = ''] = /^(?:title: (.*)\n)?([^]*)$/.exec(text.trim()) ?? [];
  const sentences = body
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\[.*\]$/.test(line))
    .flatMap(sentencesIn)
    .filter((sentence) => sentence.length <= longest);
  const asked = question.replace(address, ' ').replace(aboutPages, ' ');
  const said = pickParts(sentences, asked, picked)
    .map((at) => sentences[at]?.replace(/^(?:[#>*-]+\s+)+/, '').trim())
    .join(language === 'zh' ? '' : ' ');
  if (said === '') return undefined;
  if (title === '') return `${language === 'zh' ? '网页内容：' : 'The page says: '}${said}`;
  return language === 'zh' ? `《${title}》：${said}` : `${title}: ${said}`;
}

const address = /https?:\/\/\S+|\b[\w-]+(?:\.[\w-]+)+(?:\/\S*)?/gi;
/** How a page is asked for, not what is asked of it. */
const aboutPages =
  /\b(?:open|read|fetch|load|visit|go to|look (?:at|up)|check|show|tell|say(?:s|ing)?|summari[sz]e|summary|according|pages?|sites?|websites?|links?|urls?|articles?|there|written)\b|打开|看看|读一?下?|访问|告诉我?|网页|网站|网址|链接|上写的?|页面|内容|总结|概括|说了?什么/gi;

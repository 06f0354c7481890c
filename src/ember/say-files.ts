/** What attached files say to a question, in the place of a very small model: their own sentences, or that it is too small for more. */
import type { ReplyLanguage } from '../text/language';
import { sayPage } from './say-page';
import { sentencesIn } from './say-result';
import { wordsOf } from './vocabulary';

/** `text` is what the tool gave of it. */
export interface ReadFile {
  name: string;
  text: string;
}

export function sayFiles(files: readonly ReadFile[], question: string, language: ReplyLanguage): string {
  const names = files.map(({ name }) => name).join(language === 'zh' ? '、' : ', ');
  const asked = files
    .reduce((rest, { name }) => rest.replaceAll(name, ' '), question)
    .replace(aboutFiles, ' ');
  if (!/[\p{L}\p{N}]/u.test(asked.replace(aboutAll, ' '))) return sayBeginnings(files, language);
  const said = files.flatMap(({ name, text }) => {
    const isTable = tables.test(name);
    // What is counted over all rows stands in none of them.
    if (isTable && overRows.test(question)) return [];
    const body = isTable ? text.trim().replace(/^.*\n/, '') : text;
    return sayPage(`title: ${name}\n${body}`, asked, language) ?? [];
  });
  return said.length > 0 ? said.join('\n\n') : wordsOf(language).beyondFiles(names);
}

/** What all of a file is about it cannot tell, but how each begins. */
function sayBeginnings(files: readonly ReadFile[], language: ReplyLanguage): string {
  const words = wordsOf(language);
  const said = files.map(({ name, text }) => words.beginsFile(name, beginningOf(text, tables.test(name))));
  return [...said, words.beyondBeginnings].join('\n\n');
}

/** Its first sentences, as many as fit; of the first one no more than fits. */
function beginningOf(text: string, isTable: boolean): string {
  const seam = isTable ? lineBreak : ' ';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // What the tool says of the text stands in brackets; so may all of a JSON file.
  const own = lines.filter((line) => !/^\[.*\]$/.test(line));
  const sentences = (own.length > 0 ? own : lines).flatMap((line) =>
    isTable ? line : sentencesIn(line.replace(/^(?:[#>*-]+\s+)+/, '').trim()),
  );
  let left = longestBeginning;
  const more = sentences.findIndex((sentence) => (left -= sentence.length + 1) < 0);
  if (more < 0) return sentences.join(seam);
  const whole = sentences.slice(0, Math.max(more, 1)).join(seam);
  return `${Array.from(whole).slice(0, longestBeginning).join('')} …`;
}

/** Of Markdown. */
const lineBreak = '  \n';
/** Characters. */
const longestBeginning = 300;
const tables = /\.(?:csv|tsv)$/i;
const overRows =
  /\b(?:total|sum|average|mean|median|count|how many|(?:max|min)(?:imum)?|(?:high|low|larg|small|cheap)est|most|least)\b|总|合计|一共|平均|多少|最[大小高低多少贵便]/i;
/** How a file is spoken of, not what is asked of it. */
const aboutFiles =
  /\b(?:files?|documents?|docs?|attachments?|attached|texts?|tables?|csv|pdf|this|it)\b|这个|这份|文件|文档|附件|表格?|里面?/gi;
/** How all of something is asked for. */
const aboutAll =
  /\b(?:what(?:['’]s)?|is|are|does|do|say|contain|hold|stand|in|inside|about|of|on|can|could|you|please|give|tell|me|show|read|the|a|an|them|they|these|those|there|contents?|topic|gist|summar(?:y|i[sz]e)|sum|up|overview|tl;?dr|short(?:ly)?|brief(?:ly)?|main|key|points?)\b|什么|内容|讲|说|写|关于|总结|概括|概述|归纳|介绍|简单|一下|请|帮我|告诉我|看看?|读|主要|要点|大意|[它们这些的是了有在吗呢把上]/gi;

/** What attached files say to a question, in the place of a very small model: their own sentences, or that it is too small for more. */
import type { ReplyLanguage } from './language';
import { sayPage } from './say-page';
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
  const said = files.flatMap(({ name, text }) => {
    const isTable = tables.test(name);
    // What is counted over all rows stands in none of them.
    if (isTable && overRows.test(question)) return [];
    const body = isTable ? text.trim().replace(/^.*\n/, '') : text;
    return sayPage(`title: ${name}\n${body}`, asked, language) ?? [];
  });
  return said.length > 0 ? said.join('\n\n') : wordsOf(language).beyondFiles(names);
}

const tables = /\.(?:csv|tsv)$/i;
const overRows =
  /\b(?:total|sum|average|mean|median|count|how many|(?:max|min)(?:imum)?|(?:high|low|larg|small|cheap)est|most|least)\b|总|合计|一共|平均|多少|最[大小高低多少贵便]/i;
/** How a file is spoken of, not what is asked of it. */
const aboutFiles =
  /\b(?:files?|documents?|docs?|attachments?|attached|texts?|tables?|csv|pdf|this|it)\b|这个|这份|文件|文档|附件|表格?|里面?/gi;

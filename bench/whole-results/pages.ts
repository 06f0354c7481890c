/** The pages of the exam, the same in every run. Each has about 11,000 tokens, with one fact somewhere in it. */
import { createRandom } from '../../test/support/random';
import factsEn from './facts-en.txt?raw';
import factsZh from './facts-zh.txt?raw';
import { fillers } from './filler';

const kinds = ['prose', 'JSON', 'table'] as const;

export interface ExamPage {
  text: string;
  language: 'en' | 'zh';
  kind: (typeof kinds)[number];
  fact: string;
  question: string;
  /** The text that the model must receive. It occurs once in the page. */
  answer: string;
}

interface Fact extends Pick<ExamPage, 'fact' | 'question' | 'answer'> {
  nouns: readonly string[];
}

const pageTokens = 11_000;
const sentencesOfParagraph = 5;
const paragraphsOfSection = 8;

export function makePages(count: (text: string) => number): ExamPage[] {
  const random = createRandom(2026);
  return (['en', 'zh'] as const).flatMap((language) =>
    readFacts(language === 'en' ? factsEn : factsZh).map((fact, at) => {
      const kind = kinds[at % kinds.length] ?? 'prose';
      return makePage(fact, { language, kind, random, count });
    }),
  );
}

function readFacts(text: string): Fact[] {
  const facts: Fact[] = [];
  let nouns: string[] = [];
  for (const line of text.trim().split('\n')) {
    if (line.startsWith('//')) continue;
    if (line.startsWith('#')) {
      nouns = line.slice(1).trim().split(', ');
      continue;
    }
    const [fact = '', question = '', answer = ''] = line.split(' | ');
    facts.push({ fact, question, answer, nouns });
  }
  return facts;
}

interface PageOptions {
  language: 'en' | 'zh';
  kind: ExamPage['kind'];
  random: () => number;
  count: (text: string) => number;
}

function makePage({ nouns, ...fact }: Fact, { language, kind, random, count }: PageOptions): ExamPage {
  const sentence = writerFor(language, nouns, random);
  const sentences: string[] = [];
  const write = () => writeAs(kind, sentences, { language, nouns });
  // Ten sentences at a time, because counting all tokens after each one would take minutes.
  while (count(write()) < pageTokens) for (let more = 0; more < 10; more++) sentences.push(sentence());
  sentences.splice(Math.floor(random() * sentences.length), 0, fact.fact);
  const text = write();
  if (text.split(fact.answer).length !== 2) throw new Error(`Not once in its page: ${fact.answer}`);
  return { text, language, kind, ...fact };
}

function writerFor(language: 'en' | 'zh', nouns: readonly string[], random: () => number): () => string {
  const { templates, names } = fillers[language];
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? '';
  return () =>
    pick(templates)
      .replace('{a}', pick(nouns))
      .replace('{b}', pick(nouns))
      .replace('{name}', pick(names))
      .replace('{year}', String(1800 + Math.floor(random() * 200)))
      .replace('{n}', String(2 + Math.floor(random() * 97)));
}

function writeAs(
  kind: ExamPage['kind'],
  sentences: readonly string[],
  { language, nouns }: { language: 'en' | 'zh'; nouns: readonly string[] },
): string {
  const subject = (at: number) => nouns[(at * 5) % nouns.length] ?? '';
  const title = nouns.slice(0, 3).join(language === 'en' ? ', ' : '、');
  if (kind === 'JSON') {
    const records = sentences.map((text, at) => ({ id: at + 1, subject: subject(at), text }));
    return JSON.stringify({ title, total: records.length, records });
  }
  if (kind === 'table') {
    const rows = sentences.map((text, at) => `| ${at + 1} | ${subject(at)} | ${text} |`);
    return [`title: ${title}`, '', '| no | subject | note |', '| --- | --- | --- |', ...rows].join('\n');
  }
  const blocks: string[] = [`title: ${title}`];
  for (let at = 0; at < sentences.length; at += sentencesOfParagraph) {
    const paragraph = at / sentencesOfParagraph;
    if (paragraph % paragraphsOfSection === 0) blocks.push(`## ${subject(paragraph)}`);
    blocks.push(sentences.slice(at, at + sentencesOfParagraph).join(fillers[language].space));
  }
  return blocks.join('\n\n');
}

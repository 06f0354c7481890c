/**
 * The tools and requests of the exam. Some are written by hand, and some are combined from a table of things and a table of actions, so that each has
 * siblings (same action, other thing; same thing, other action). The requests were worded by other people than the tools.
 */
import type { ToolSpec } from '../../src/contracts/tool';

export type RequestLanguage = 'en' | 'zh';

export interface Question {
  request: string;
  language: RequestLanguage;
  /** The only tool that can do it. */
  tool: string;
}

export interface Corpus {
  tools: ToolSpec[];
  questions: Question[];
}

interface Tables {
  /** name|title|description|parameters|keywords|Chinese keywords|example|requests|Chinese request;example */
  single: string;
  /** name|plural|Chinese name|keywords|Chinese keywords|what a person calls it|the same in Chinese|parameters */
  things: string;
  /**
   * name|description|in Chinese|keywords|Chinese keywords|requests to tune on|requests of the exam|the same two in Chinese|examples
   * of the tool's author|the same in Chinese
   */
  actions: string;
  /** Which wordings of an action to ask. The search was never tuned on those of the exam. */
  wording: 'tune' | 'exam';
  /** For measuring growth: how many more systems have the same things. */
  copies?: number;
}

const systems =
  'Nimbus Harbor Atlas Quill Cedar Orbit Lumen Pebble Falcon Willow Tundra Comet Marlin Saffron'.split(' ');

export function makeCorpus({ single, things, actions, wording, copies = 0 }: Tables): Corpus {
  const corpus: Corpus = { tools: [], questions: [] };
  for (const row of rowsOf(single)) addSingle(row, corpus);
  for (const [at, thing] of rowsOf(things).entries()) {
    for (const [by, action] of rowsOf(actions).entries()) addMade({ thing, action, at, by, wording }, corpus);
  }
  const originals = [...corpus.tools];
  for (const system of systems.slice(0, copies)) {
    corpus.tools.push(
      ...originals.map((tool) => ({
        ...tool,
        name: `${system.toLowerCase()}_${tool.name}`,
        title: `${tool.title} in ${system}`,
        description: `${tool.description}, in the system ${system}`,
      })),
    );
  }
  return corpus;
}

function addSingle(row: readonly string[], { tools, questions }: Corpus): void {
  const [name = '', title = '', description = '', parameters = '', en = '', zh = '', example = ''] = row;
  const [requestZh = '', ...exampleZh] = listOf(row[8]);
  const properties = Object.fromEntries(
    listOf(parameters).map((parameter) => {
      const [key = '', meaning] = parameter.split(':');
      return [key, { type: 'string', ...(meaning !== undefined && { description: meaning }) }];
    }),
  );
  tools.push({
    name,
    title,
    description,
    inputSchema: { type: 'object', properties },
    keywords: { en: listOf(en, ','), zh: listOf(zh, ',') },
    examples: [example, ...exampleZh].map((request) => ({ request, arguments: {} })),
  });
  for (const request of listOf(row[7])) questions.push({ request, language: 'en', tool: name });
  questions.push({ request: requestZh, language: 'zh', tool: name });
}

interface Made {
  thing: readonly string[];
  action: readonly string[];
  at: number;
  by: number;
  wording: 'tune' | 'exam';
}

/** Every second thing is in Chinese, and every third tool has no keywords, because not every author is careful. */
function addMade({ thing, action, at, by, wording }: Made, { tools, questions }: Corpus): void {
  const [key = '', plural = '', chinese = '', en = '', zh = '', called = '', calledZh = '', parameters = ''] =
    thing;
  const [verb = '', description = '', descriptionZh = '', verbEn = '', verbZh = ''] = action;
  const language = at % 2 === 0 ? 'en' : 'zh';
  const singular = key.replaceAll('_', ' ');
  const isBare = (at + by) % 3 === 2;
  const name = `${verb}_${description.includes('{s}') ? plural.toLowerCase().replaceAll(/[ -]/g, '_') : key}`;
  const said =
    language === 'en'
      ? description.replace('{s}', plural).replace('{o}', singular)
      : descriptionZh.replace('{z}', chinese);
  const [usual, own] = language === 'en' ? [singular, called] : [chinese, calledZh];
  const examples = listOf(action[language === 'en' ? 9 : 10]).map((line) => line.replaceAll('{x}', usual));
  const title = language === 'en' ? `${capital(verb)} ${singular}` : said.slice(0, 12);
  tools.push({
    name,
    title,
    description: said,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(listOf(parameters).map((parameter) => [parameter, { type: 'string' }])),
    },
    ...(!isBare && {
      keywords: {
        en: [...listOf(en, ','), ...listOf(verbEn, ',')],
        zh: [...listOf(zh, ','), ...listOf(verbZh, ',')],
      },
    }),
    ...((at + by) % 4 !== 1 && { examples: examples.map((request) => ({ request, arguments: {} })) }),
  });
  const wordings = listOf(action[(language === 'en' ? 5 : 7) + (wording === 'exam' ? 1 : 0)]);
  for (const turn of [0, 1]) {
    const request = wordings[(at + by + turn) % wordings.length] ?? '';
    const isOwnWord = (at + by + turn) % 3 === 0;
    const word = isOwnWord ? own : usual;
    questions.push({ request: request.replaceAll('{x}', word), language, tool: name });
  }
}

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
const rowsOf = (table: string) =>
  table
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('|'));
const listOf = (text = '', between = ';') => text.split(between).filter((part) => part !== '');

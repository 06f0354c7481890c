/** Measures how often a model receives the answering sentence of a page that is many times longer than its window. */
import { fitResults } from '../../src/agent/fit-results';
import { defaultAgentLimits } from '../../src/contracts/turn';
import type { Message, ToolCall, ToolMessage, ToolResult } from '../../src/contracts/message';
import type { ChatModel, TextEngine } from '../../src/contracts/model';
import { textOf } from '../../src/contracts/message-parts';
import { specOf, type ToolSpec } from '../../src/contracts/tool';
import { readGguf } from '../../src/engines/gguf/header';
import { createTokenCounter, type TokenCounter } from '../../src/engines/wllama/engine';
import { ember } from '../../src/ember/spec';
import { createChatModel } from '../../src/protocol/chat-model';
import { type FindParts, findRelevantParts } from '../../src/text/relevant-part';
import { searchTerms } from '../../src/text/search-terms';
import { createReadResultTool } from '../../src/tools/read-result';
import { createBuiltinTools } from '../../src/tools/registry';
import { findPartsHere } from '../../test/support/find-parts';
import { builtinParts } from '../../test/support/outside';
import { type ExamPage, makePages } from './pages';
import { readResultToolName } from '../../src/contracts/tool-names';

const mostFollowUps = 2;
const { signal } = new AbortController();

export interface Given {
  isAnswered: boolean;
  /** Tokens of all results that the model received. */
  tokens: number;
  calls: number;
}

export interface ExamRow extends Pick<ExamPage, 'language' | 'kind' | 'question' | 'fact'> {
  pageTokens: number;
  /** The share of the question's terms that the answering sentence contains. Terms are words, or pairs of characters in Chinese. */
  sharedWords: number;
  beginning: Given;
  relevant: Given;
  handles: Given;
  /** Milliseconds to search the page. */
  ms: number;
}

/** `weights`: Ember's file, of which only the vocabulary is used. `now` returns milliseconds. */
export async function runExam(weights: Blob, now: () => number): Promise<ExamRow[]> {
  const count = createTokenCounter((await readGguf(weights)).header);
  const fetchPage = createBuiltinTools(builtinParts()).filter(({ name }) => name === 'fetch_page');
  const model = modelWith(count, fetchPage.map(specOf));
  const rows: ExamRow[] = [];
  for (const page of makePages(count)) {
    const exam = { page, model, count };
    rows.push({
      language: page.language,
      kind: page.kind,
      question: page.question,
      fact: page.fact,
      pageTokens: count(page.text),
      sharedWords: sharedWords(page),
      beginning: await ask(exam, { findParts: cannotFind, followUps: 0 }),
      relevant: await ask(exam, { findParts: findPartsHere, followUps: 0 }),
      handles: await ask(exam, { findParts: findPartsHere, followUps: mostFollowUps }),
      ms: timeOf(page, now),
    });
  }
  return rows;
}

/** Without relevant parts, the model receives the beginning of the page, as in earlier versions. */
const cannotFind: FindParts = () => Promise.reject(new Error('Not asked for.'));

/** A model with Ember's window and vocabulary, but larger, because only larger models can read on. It measures the prompt as the app writes it. */
function modelWith(count: TokenCounter, listed: readonly ToolSpec[]): ChatModel {
  const { before, after } = ember.template.user;
  const engine: Pick<TextEngine, 'count'> = {
    count: (messages) => Promise.resolve(messages.map(({ content }) => count(before + content + after))),
  };
  const model = createChatModel(engine as TextEngine, { ...ember, isSmall: false }, () => 'id');
  return { ...model, measure: (messages) => model.measure(messages, listed) };
}

interface Exam {
  page: ExamPage;
  model: ChatModel;
  count: TokenCounter;
}

/** Runs a turn as in the app: reads the page and, if the model did not receive the answer, lets it search the page. */
async function ask(
  { page, model, count }: Exam,
  { findParts, followUps }: { findParts: FindParts; followUps: number },
): Promise<Given> {
  const history: Message[] = [
    { role: 'user', content: [{ type: 'text', text: page.question }], origins: [{ door: 'typed' }] },
  ];
  const readResult = createReadResultTool({
    messages: () => history,
    load: () => Promise.resolve(page.text),
  });
  const given: string[] = [];

  async function call(
    name: string,
    input: ToolCall['arguments'],
    result: Pick<ToolResult, 'content' | 'whole'>,
  ) {
    const made: ToolCall = { type: 'tool-call', id: `c${history.length}`, name, arguments: input };
    history.push({ role: 'assistant', content: [made], finishReason: 'tool-calls' });
    const message: ToolMessage = await fitResults(
      [
        {
          toolCallId: made.id,
          toolName: name,
          isError: false,
          origins: [{ door: 'page', name: 'example.com' }],
          ...result,
        },
      ],
      history,
      {
        model,
        tools: followUps > 0 ? [specOf(readResult)] : [],
        findParts,
        signal,
        maxCharacters: defaultAgentLimits.resultCharacters,
        storeWholeText: () => Promise.resolve({ id: 'whole' }),
      },
    );
    history.push(message);
    given.push(...message.results.map(({ content }) => textOf(content)));
  }
  const isAnswered = () => given.some((text) => text.includes(page.answer));

  await call('fetch_page', { url: 'https://example.com/' }, { content: [{ type: 'text', text: page.text }] });
  while (!isAnswered() && given.length <= followUps) {
    const input = { handle: 'r1', query: [...new Set(keyWords(page))].join(' ') };
    await call(
      readResultToolName,
      input,
      await readResult.execute(input, { signal, onProgress: () => undefined }),
    );
  }
  const tokens = given.reduce((sum, text) => sum + count(text), 0);
  return { isAnswered: isAnswered(), tokens, calls: given.length };
}

/** Returns the words of the question that are no stop words. Every follow-up uses the same words, and returns only new parts. */
function keyWords({ question, language }: ExamPage): string[] {
  if (language === 'zh') return [question];
  return question
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && searchTerms(`${word} x`).length > 1);
}

function sharedWords({ question, fact }: ExamPage): number {
  const terms = [...new Set(searchTerms(question))];
  const there = new Set(searchTerms(fact));
  return terms.filter((term) => there.has(term)).length / terms.length;
}

function timeOf({ text, question }: ExamPage, now: () => number): number {
  const times = [0, 1, 2].map(() => {
    const start = now();
    findRelevantParts(text, { query: question }).within(3000);
    return now() - start;
  });
  return times.sort((one, other) => one - other)[1] ?? 0;
}

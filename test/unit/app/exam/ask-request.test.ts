/** A request of the exam runs like a turn of a chat, but does not reach the user, the disk, the network or another model. */
import { smallModel } from '../../../support/small-model';
import { expect, test } from 'vitest';
import { sendExamRequest } from '../../../../src/app/exam/run-exam';
import {
  createExamRequest,
  expectClock,
  type ExamRequest,
  expectSearch,
  spellTime,
} from '../../../../src/app/exam/requests';
import type { TurnDependencies } from '../../../../src/app/run-turn';
import type { AssistantMessage } from '../../../../src/contracts/message';
import { findPartsHere } from '../../../support/find-parts';
import { scriptedModel } from '../../../support/scripted-model';
import { small as large } from '../../../support/web-llm-model';
import { noFallback } from '../../../support/turn-stage';

const refuse = (what: string) => () => {
  throw new Error(`The exam reached ${what}.`);
};
const model = { id: large.id, name: large.name };
const text = (words: string) => ({ type: 'text' as const, text: words });
const call = (name: string, given: Record<string, unknown>) => ({
  type: 'tool-call' as const,
  id: `${name}-1`,
  name,
  arguments: given,
});

function stage(replies: AssistantMessage['content'][], changed: Partial<TurnDependencies> = {}) {
  const asked = scriptedModel(...replies);
  let ids = 0;
  const turn: TurnDependencies = {
    host: { ...asked, spec: large, hold: async () => () => undefined },
    fallbacks: {
      specFor: async () => large,
      untold: refuse('a recovery'),
      forTurn: () => ({ ...noFallback, recover: refuse('another model') }),
    },
    hands: undefined,
    toolsFor: refuse('the tools of the person'),
    offers: {
      refresh: refuse('offers'),
      find: refuse('offers'),
      takeFailure: refuse('offers'),
      near: refuse('offers'),
      forTurn: refuse('offers'),
    },
    personas: { find: refuse('personas'), personaOf: refuse('personas') },
    beside: { isThere: refuse('other models'), open: refuse('other models') },
    readAttached: refuse('servers'),
    fileTools: () => Promise.resolve([]),
    findTableQuery: () => Promise.resolve(undefined),
    showing: () => ({ name: 'pictures' }),
    loads: { follow: () => () => undefined },
    checkJson: refuse('a worker'),
    rulesFor: refuse('permissions'),
    smallModel,
    questions: { isAsking: () => true, choose: refuse('the person'), chooseAndAllow: refuse('the person') },
    isSearchingFirst: () => true,
    language: refuse('the screen'),
    results: { keep: refuse('the disk') },
    findParts: findPartsHere,
    date: () => 5,
    newId: () => `id${ids++}`,
    ...changed,
  };
  const run = (request: ExamRequest, signal = new AbortController().signal) =>
    sendExamRequest(request, model, signal, turn, refuse('the calculator'));
  return { run, requests: asked.requests };
}

const lima = createExamRequest('en', 'time', 1, 'Lima?', {
  calls: [expectClock('Lima')],
  facts: [spellTime(1, 40)],
});
const found = createExamRequest('zh', 'search', 1, '查查鹭', {
  found: [{ title: '鹭', url: 'https://niao.example/lu', content: '鹭吃鱼。' }],
  calls: [expectSearch('鹭')],
  facts: [['鱼']],
});

test('an exam question uses simulated tool results, and the answer is judged', async () => {
  const { run, requests } = stage([[call('clock', { place: 'Lima' })], [text('It is 01:40 there.')]]);
  expect(await run(lima)).toMatchObject({ id: 'time-en-1', kind: 'time', language: 'en', isAsked: false });
  const unread = stage([[call('web_search', { query: '鹭 吃什么' })], [text('不知道。')]]);
  expect((await unread.run(found)).mistake).toMatchObject({
    came: { calls: [{ name: 'web_search', arguments: { query: '鹭 吃什么' } }], text: '不知道。' },
  });
  const [first] = requests;
  expect(first?.tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['calculator', 'clock', 'fetch_page', 'web_search']),
  );
});

test('an answer in an exam includes what the page adds to it, because users read that too', async () => {
  const { run } = stage([[call('clock', { place: 'Lima' })], [text('Noon.')]]);
  expect((await run(lima)).mistake).toBeUndefined();
});

test('a web search during an exam returns prepared results without using the network', async () => {
  const { run, requests } = stage([[call('web_search', { query: '鹭 吃什么' })], [text('鱼。')]]);
  expect((await run(found)).mistake).toBeUndefined();
  expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain('鹭吃鱼。');
});

test("an exam question can add its own tools to Hearth's", async () => {
  const kiln = { name: 'kiln_state', description: 'A kiln', parameters: {}, gives: '412 degrees' };
  const { run } = stage([[call('kiln_state', {})], [text('412')]]);
  const request = createExamRequest('en', 'custom', 1, 'The kiln?', { tools: [kiln], facts: [['412']] });
  expect((await run(request)).mistake).toBeUndefined();
});

test('in an exam, a missing model is not replaced by another model', async () => {
  const other = { ...large, id: 'ember' };
  const { run, requests } = stage([[text('01:40')]], {
    fallbacks: {
      specFor: async () => other,
      untold: refuse('a recovery'),
      forTurn: refuse('another model'),
    },
  });
  expect((await run(lima)).mistake?.came.error).toMatch(/^\[model-not-downloaded\]/);
  expect(requests).toEqual([]);
});

test('stopping an exam question causes no error', async () => {
  const { run } = stage([[text('01:40')]]);
  expect(await run(lima, AbortSignal.abort())).toMatchObject({ id: 'time-en-1' });
});

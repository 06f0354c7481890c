/** Runs an exam: sends requests to a model as in a chat, but with simulated tools, and checks the replies. Nothing leaves the device. */
import { AppError, writeError } from '../../contracts/app-error';
import { readError } from '../../contracts/error-code';
import type { ExamAnswer, ExamRun, ExamMistake, ExamCall } from '../../contracts/exam';
import type { AgentEvent } from '../../contracts/turn';
import type { Message } from '../../contracts/message';
import type { Usage } from '../../contracts/model';
import { textOf } from '../../contracts/message-parts';
import type { WantedModel } from '../../engines/host/fallbacks';
import { type Calculate, createCalculatorTool } from '../../tools/builtin/calculator';
import { runTurn, type TurnDependencies } from '../run-turn';
import { createToolOffers } from '../tool-offers';
import { type Egress, EgressError } from '../../contracts/egress';
import { createFailedOutput, type Tool } from '../../contracts/tool';
import { createClockTool } from '../../tools/builtin/clock';
import { createFetchPageTool } from '../../tools/builtin/fetch-page';
import { createWebSearchTool } from '../../tools/builtin/web-search';
import {
  type SimulatedTool,
  type ExamRequest,
  examTime,
  englishRequests,
  chineseRequests,
  toExampleCalls,
  type ExpectedCall,
} from './requests';

export interface ExamOptions {
  requests: readonly ExamRequest[];
  set: string;
  withSmallModel: boolean;
  begun: ExamRun | undefined;
  /** Does not reject when `signal` aborts. The caller then ignores the result. */
  ask: (request: ExamRequest, signal: AbortSignal) => Promise<ExamAnswer>;
  /** Waits until no chat is being answered. Resolves to a signal that aborts when the next answer starts. */
  whenQuiet: (signal: AbortSignal) => Promise<AbortSignal>;
  /** Called after each answer. Rejects with an `AppError` if the answer cannot be stored. */
  save: (run: ExamRun) => Promise<void>;
  date: () => number;
  signal: AbortSignal;
}

/** Resolves to all answers, or to those before `signal` aborted. Rejects if the model failed at two requests in a row. */
export async function runExam(options: ExamOptions): Promise<ExamRun> {
  const { requests, set, withSmallModel, begun, ask, whenQuiet, save, date, signal } = options;
  let run: ExamRun =
    begun?.set === set
      ? begun
      : {
          set,
          of: requests.length,
          updatedAt: date(),
          answers: [],
          ...(withSmallModel && { withSmallModel }),
        };
  const known = new Set(run.answers.map(({ id }) => id));
  let broken = 0;

  async function askWhileQuiet(request: ExamRequest): Promise<ExamAnswer | undefined> {
    for (;;) {
      const busy = await whenQuiet(signal).catch(() => undefined);
      if (!busy) return undefined;
      const answer = await ask(request, AbortSignal.any([signal, busy]));
      if (signal.aborted) return undefined;
      if (!busy.aborted) return answer;
    }
  }

  for (const request of requests) {
    if (known.has(request.id)) continue;
    let answer = await askWhileQuiet(request);
    // Retry once: the GPU may have been lost, and a new request reloads the model.
    if (answer && findModelError(answer)) answer = await askWhileQuiet(request);
    if (!answer) return run;
    run = { ...run, updatedAt: date(), answers: [...run.answers, answer] };
    await save(run);
    const fault = findModelError(answer);
    broken = fault ? broken + 1 : 0;
    if (fault && broken > 1) throw fault;
  }
  return run;
}

/** Returns the error that kept the model from answering. Undefined if the model answered, or if only this request was too long. */
function findModelError({ mistake }: ExamAnswer): AppError | undefined {
  if (mistake?.came.error === undefined) return undefined;
  const { code = 'engine-crashed', detail } = readError(mistake.came.error);
  if (code === 'message-too-long' || code === 'tools-too-long') return undefined;
  return new AppError(code, detail);
}

/** Maximum number of model calls per request. A chain of tool calls takes three. */
const maxExamRounds = 5;

/** Never rejects. Reports a failure in the `mistake` of the answer. */
export async function sendExamRequest(
  request: ExamRequest,
  model: WantedModel,
  signal: AbortSignal,
  chatParts: TurnDependencies,
  calculate: Calculate,
  withSmallModel = false,
): Promise<ExamAnswer> {
  let isAsked = false;
  const events: AgentEvent[] = [];
  let fault: string | undefined;
  try {
    const turnParts = createExamDependencies(
      request,
      model,
      chatParts,
      calculate,
      withSmallModel,
      () => (isAsked = true),
    );
    const question: Message = {
      role: 'user',
      content: [{ type: 'text', text: request.text }],
      origins: [{ door: 'typed' }],
    };
    const turn = runTurn([question], { ...examTurnOptions, model, signal }, turnParts);
    for await (const event of turn) events.push(event);
  } catch (error) {
    fault = writeError(error);
  }
  const reply = toExamReply(events);
  const mistake = judgeReply(request, { ...reply, error: fault ?? reply.error });
  const { id, kind, language } = request;
  return { id, kind, language, isAsked, ...(mistake && { mistake }), ...computeAnswerCost(events, model.id) };
}

const examTurnOptions = {
  chatId: 'exam',
  agentHistory: () => undefined,
  rounds: maxExamRounds,
  toolsOff: [],
  isCancelled: () => false,
};

/** Returns the parts of a turn without permissions, storage, network and fallback models. */
function createExamDependencies(
  request: ExamRequest,
  model: WantedModel,
  turn: TurnDependencies,
  calculate: Calculate,
  withSmallModel: boolean,
  onAsked: () => void,
): TurnDependencies {
  const tools = createExamTools(request, calculate);
  const appOwn = tools.slice(0, tools.length - (request.tools ?? []).length);
  return {
    ...turn,
    fallbacks: {
      async specFor(wanted) {
        const spec = await turn.fallbacks.specFor(wanted);
        if (spec.id === wanted.id) return spec;
        throw new AppError('model-not-downloaded', `${wanted.id} is not here.`);
      },
      untold: () => undefined,
      // Disable recovery. Otherwise a fallback model would take the exam.
      forTurn: () => ({ ...turn.fallbacks.forTurn(model), recover: () => Promise.resolve(undefined) }),
    },
    toolsFor: () => Promise.resolve(tools),
    // The exam shows whether the model can choose tools, so the small model helps only if the user wants that.
    hands: withSmallModel && turn.hands ? { ...turn.hands, isFor: () => Promise.resolve(true) } : undefined,
    offers: createToolOffers({
      readTools: () => Promise.resolve(tools),
      kept: { load: () => Promise.resolve(undefined), save: () => Promise.resolve() },
      loadResult: () => Promise.resolve(undefined),
      settings: () => ({ pins: {}, meaningModel: null }),
      openEmbedder: () => {
        throw new Error('Nothing is found by meaning in the exam.');
      },
      pinnedAtFirst: new Set(appOwn.map(({ name }) => name)),
      spec: () => turn.host.spec,
      isSmall: () => turn.smallModel?.appliesTo(turn.host.spec) === true,
    }),
    personas: { find: () => Promise.resolve(undefined), personaOf: () => undefined },
    rulesFor: () => ({ around: [], preview: () => Promise.resolve(undefined), answerAhead: () => undefined }),
    questions: {
      isAsking: turn.questions.isAsking,
      choose(choice) {
        onAsked();
        return Promise.resolve(findCorrectInterpretation(request, choice.readings));
      },
      chooseAndAllow: () => Promise.resolve('none'),
    },
    isSearchingFirst: () => false,
    language: () => request.language,
    results: { keep: () => Promise.resolve('full') },
  };
}

function toExamReply(events: readonly AgentEvent[]): ExamReply {
  const messages = events.flatMap((event) => (event.type === 'message-end' ? [event.message] : []));
  const written = messages.flatMap((message) => (message.role === 'assistant' ? message.content : []));
  const calls = written.flatMap((part) =>
    part.type === 'tool-call' ? [{ name: part.name, arguments: part.arguments }] : [],
  );
  // Ignore unreadable calls that the model corrected on its second attempt.
  const unread = written.flatMap((part) =>
    part.type === 'invalid-tool-call' ? [{ name: part.name ?? '?', arguments: part.arguments ?? {} }] : [],
  );
  const last = messages.at(-1);
  return {
    calls: calls.length > 0 ? calls : unread,
    results: messages.flatMap((message) =>
      message.role === 'tool' ? message.results.map(({ content }) => textOf(content)) : [],
    ),
    text: last?.role === 'assistant' ? textOf(last.content) : '',
    error: last?.role === 'assistant' ? last.errorMessage : undefined,
  };
}

function computeAnswerCost(events: readonly AgentEvent[], modelId: string) {
  const usages = events.flatMap((event) =>
    event.type === 'message-end' &&
    event.usage &&
    event.message.role === 'assistant' &&
    (event.message.writer ?? modelId) === modelId
      ? [event.usage]
      : [],
  );
  // Ignore text that the page wrote for the model, because the model spent no time on it.
  const own = usages.filter(({ heldTo, decodeMs }) => heldTo !== 'dictated' && decodeMs !== undefined);
  const add = (value: (usage: Usage) => number) => own.reduce((sum, usage) => sum + value(usage), 0);
  const firstTokenMs = usages[0]?.firstTokenMs;
  return {
    // `decodeMs` starts at the first token, so do not count that token.
    outputTokens: add(({ outputTokens }) => Math.max(0, outputTokens - 1)),
    decodeMs: add(({ decodeMs = 0 }) => decodeMs),
    ...(firstTokenMs !== undefined && { firstTokenMs }),
  };
}

export function createExamTools(request: ExamRequest, calculate: Calculate): readonly Tool[] {
  const { found = [], pages = {}, tools = [] } = request;
  const hits = { hits: [...found], sources: [examSearchTarget.host], failures: [] };
  const searchEngine = { targets: () => [examSearchTarget], search: () => Promise.resolve(hits) };
  return [
    createCalculatorTool(calculate),
    createClockTool({ now: () => new Date(examTime), zone: () => 'Europe/London' }),
    createFetchPageTool({
      egress: createExamEgress(pages),
      readPage: () => Promise.reject(new Error('Every page of the exam is plain text.')),
      settings: () => ({ proxyUrl: '' }),
    }),
    createWebSearchTool({ searchEngine }),
    ...tools.map(toTool),
  ];
}

function createExamEgress(pages: Readonly<Record<string, string>>): Egress {
  return {
    send({ url }) {
      const text = pages[url];
      const { host } = new URL(url);
      if (text === undefined) return Promise.reject(new EgressError('unreachable', `${host} is not there.`));
      const headers = { 'content-type': 'text/plain; charset=utf-8' };
      return Promise.resolve({ url, status: 200, headers, text, isCut: false });
    },
  };
}

const examSearchTarget = { id: 'exam', name: 'Exam', host: 'search.example' };

/** Converts a simulated tool. Like a custom tool, it requires all arguments and accepts no others. */
function toTool({ name, description, parameters, gives }: SimulatedTool): Tool {
  const required = Object.keys(parameters);
  return {
    name,
    title: name,
    description,
    inputSchema: { type: 'object', properties: parameters, required, additionalProperties: false },
    annotations: { readOnlyHint: true, idempotentHint: false, openWorldHint: false },
    effects: () => ({ type: 'pure' }),
    execute(input, { signal }) {
      signal.throwIfAborted();
      const given = typeof input === 'object' && input !== null ? Object.keys(input) : [];
      const isWhole = required.every((key) => given.includes(key));
      if (!isWhole)
        return Promise.resolve(createFailedOutput('arguments', `${name} takes {${required.join(', ')}}`));
      return Promise.resolve({
        content: [{ type: 'text', text: gives }],
        isError: false,
        origins: [{ door: 'hearth' }],
      });
    },
  };
}

export interface ExamReply {
  /** All readable calls in order, or if there are none, the unreadable calls. */
  calls: readonly ExamCall[];
  results: readonly string[];
  text: string;
  /** Text from `writeError`. */
  error?: string | undefined;
}

export function judgeReply(request: ExamRequest, reply: ExamReply): ExamMistake | undefined {
  const { calls, facts = [], isPlain = false } = request;
  const invented = isPlain ? findInventedNumber(request, reply) : undefined;
  const isRight =
    reply.error === undefined &&
    reply.text.trim() !== '' &&
    invented === undefined &&
    (calls === undefined || areExpectedCalls(calls, reply.calls)) &&
    facts.every((spellings) => containsAny(reply.text, spellings));
  if (isRight) return undefined;
  return {
    request: request.text,
    expected: {
      ...(calls && { calls: toExampleCalls(calls) }),
      facts: facts.flatMap(([first = '']) => [first]),
      isPlain,
    },
    came: {
      calls: [...reply.calls],
      text: reply.text,
      ...(invented !== undefined && { invented }),
      ...(reply.error !== undefined && { error: reply.error }),
    },
  };
}

function areExpectedCalls(wanted: readonly ExpectedCall[], made: readonly ExamCall[]): boolean {
  return (
    wanted.every((call) => made.some((other) => isExpectedCall(call, other))) &&
    made.every((call) => wanted.some((other) => isExpectedCall(other, call)))
  );
}

/** Returns the index of the correct interpretation of the request. Undefined if all are wrong. */
export function findCorrectInterpretation(
  { calls: wanted, facts = [] }: ExamRequest,
  readings: readonly { calls: readonly ExamCall[]; results: readonly (string | undefined)[] }[],
): number | undefined {
  const place = readings.findIndex(({ calls, results }) =>
    wanted
      ? calls.length > 0 && calls.every((call) => wanted.some((other) => isExpectedCall(other, call)))
      : facts.some((spellings) =>
          results.some((result) => result !== undefined && containsAny(result, spellings)),
        ),
  );
  return place < 0 ? undefined : place;
}

function isExpectedCall({ name, arguments: wanted }: ExpectedCall, made: ExamCall): boolean {
  const given = { ...made.arguments };
  if (name === 'web_search') delete given['depth'];
  const keys = Object.keys(wanted);
  return (
    made.name === name &&
    Object.keys(given).length === keys.length &&
    keys.every((key) => (wanted[key] ?? []).some((value) => isAcceptedValue(value, given[key], name)))
  );
}

function isAcceptedValue(wanted: string | number, given: unknown, tool: string): boolean {
  if (typeof wanted === 'number') return given === wanted;
  const [one, other] = [wanted, String(given)].map(normalizeText) as [string, string];
  return tool === 'web_search' ? other.includes(one) : one === other;
}

function containsAny(text: string, spellings: readonly string[]): boolean {
  const said = ` ${normalizeText(text)} `;
  // `217` must not match in `12170`, nor `1:40` in `11:40`.
  return spellings.some((spelling) => {
    const wanted = normalizeText(spelling);
    for (let at = said.indexOf(wanted); at >= 0; at = said.indexOf(wanted, at + 1)) {
      const before = said[at - 1] ?? '';
      const after = said.slice(at + wanted.length);
      const isCutOff =
        (/^\d/.test(wanted) && /[\d.]/.test(before)) ||
        (/\d$/.test(wanted) && /^(\d|\.\d*[1-9])/.test(after));
      if (!isCutOff) return true;
    }
    return false;
  });
}

function findInventedNumber({ text: asked }: ExamRequest, { text, results }: ExamReply): string | undefined {
  const known = new Set(findNumbers([asked, ...results].join('\n')));
  return findNumbers(text).find((number) => !known.has(number));
}

function findNumbers(text: string): string[] {
  return normalizeText(text).match(/\d+(?:[.:]\d+)*/g) ?? [];
}

/** Removes differences in spelling: case, full-width characters, digit separators, quotes and final periods. */
function normalizeText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=\d)[,'\u2009\u202f](?=\d{3}(?!\d))/g, '')
    .replace(/["'“”‘’«»《》]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s.。!?！？]+$/, '')
    .trim();
}

export const examRequests: readonly ExamRequest[] = englishRequests.flatMap((request, at) => {
  const other = chineseRequests[at];
  return other ? [request, other] : [request];
});

/** Returns an id that changes when any request, the model's weights (`bytes` of its file) or the chooser of tools change. */
export function computeExamSetId(
  requests: readonly ExamRequest[],
  bytes: number,
  withSmallModel = false,
): string {
  let sum = 0;
  for (const character of JSON.stringify(requests))
    sum = (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return `${sum.toString(16)}-${bytes}${withSmallModel ? '-small' : ''}`;
}

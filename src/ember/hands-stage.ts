/**
 * Hands and voice: the small model calls the tools, and a larger model, which is weak at this or reads slowly, writes the words. The larger
 * model sees no list of tools, so it begins at once, and nothing that it reads can make it call one. What a tool found is said in a sentence
 * of the page, and words of the model that bring numbers of their own are left out: docs/decisions/2026-11-30-hands-and-voice.md.
 */
import {
  type AssistantMessage,
  type Message,
  pageWriterId,
  type PlainCall,
  type ToolCall,
  type ToolResult,
} from '../contracts/message';
import type { ToolSpec } from '../contracts/tool';
import { isAgentAskedIn, readAgentCalls } from './agent-requests';
import { textOf } from '../contracts/message-parts';
import type { ChatModel, ModelEvent, ReplyRequest } from '../contracts/model';
import { createStoppedEvent, type ModelStage, unknownUsage } from '../contracts/pipeline';
import { queryTableToolName } from '../contracts/tool-names';
import { languageOf } from '../text/language';
import { removeDatesAndCodes } from '../text/arithmetic';
import { toDigits } from '../text/number-words';
import { isSameNumber, numbersIn, type WrittenNumber } from '../text/numbers';
import { type PageReply, toPageMessage } from './page-replies';
import { findArgumentsIn, isGroundedCall } from './page-stage';
import { patternOf } from './phrases';
import { findNewestQuestion, isPasted, requestsIn, resultsIn } from './read-intent';
import {
  callsIn,
  type FinishEvent,
  isUnsure,
  maxDoubtReplies,
  resolveDoubt,
  waitForFinish,
  type UncertainCallOptions,
} from './uncertain-calls';

export interface HandsStageOptions {
  /** False while the current model calls tools itself. */
  isActive: () => boolean;
  /** The small model, with its own list of tools. */
  hands: ChatModel;
  /** Id of the small model. */
  handsId: string;
  /** Names of the tools that the small model may call. */
  tools: ReadonlySet<string>;
  /** The personas that can be asked as tools. */
  agents: readonly ToolSpec[];
  newId: () => string;
  /** Calls that a known wording of the request asks for. */
  calls: readonly PlainCall[] | undefined;
  doubt: Omit<UncertainCallOptions, 'choose' | 'by'>;
  /** The page's sentence for the newest tool results. Undefined if it has none. */
  tell: (history: readonly Message[]) => string | undefined;
  /** The page's words for somebody in a crisis. Undefined for other messages. */
  comfort: (history: readonly Message[]) => PageReply | undefined;
  /** The page's reply to a greeting or thanks. Undefined if the model should answer. */
  greet: (history: readonly Message[]) => PageReply | undefined;
  /** True if the answers have a persona's voice. The model then adds words to each result. */
  hasPersona: boolean;
}

export function createHandsStage(options: HandsStageOptions): ModelStage {
  const { isActive, agents } = options;
  /** Set if the small model failed in this turn. The larger model then chooses until the turn ends. */
  let hasFailed = false;
  const isOff = (messages: readonly Message[]) => !isActive() || hasFailed || isForOwnHands(messages);

  async function* respond(request: ReplyRequest, signal: AbortSignal, voice: ChatModel) {
    const { messages, toolChoice } = request;
    const last = messages.at(-1);
    const comfort = hasModelReply(messages) ? undefined : options.comfort(messages);
    if (comfort) {
      yield* replyAsPage(comfort);
      return;
    }
    if (request.onlyRead) {
      yield* voice.respond(withoutTools(request), signal);
      return;
    }
    if (last?.role === 'assistant') {
      yield* continueReply(request, signal, voice, options);
      return;
    }
    // The model wrote a call with a mistake and must write it again.
    if (typeof toolChoice === 'object') {
      yield* voice.respond(withoutTools(request, new Set([toolChoice.name])), signal);
      return;
    }
    const question = findOwnQuestion(messages);
    const chain = toolChoice === 'none' ? undefined : readAgentCalls(question, agents);
    const named = agents.filter((agent) => isAgentAskedIn(question, agent));
    if (chain) yield* askAgents(chain, request, signal, voice, options);
    else if (named.length > 0) {
      // It is not clear what each agent is to do, so the larger model asks them.
      const listed = new Set(named.map(({ name }) => name));
      yield* voice.respond(withoutTools(request, listed), signal);
    } else if (last?.role === 'tool') yield* answerFromResults(request, signal, voice, options);
    else yield* chooseTools(request, signal, voice, options, () => (hasFailed = true));
  }

  return {
    name: 'hands',
    isActive,
    wrapStream: (request, signal, voice) =>
      isOff(request.messages) ? voice.respond(request, signal) : respond(request, signal, voice),
    measure: (rest, messages, tools, summary) =>
      rest.measure(messages, isOff(messages) ? tools : [], summary),
  };
}

/** The small model knows only English and Chinese. In another language, the larger model chooses the tools. */
function isForOwnHands(messages: readonly Message[]): boolean {
  const language = languageOf(findOwnQuestion(messages));
  return language !== undefined && language !== 'en' && language !== 'zh';
}

/** The newest message of the user. Of a request to an agent, only the request itself, without results that went along. */
function findOwnQuestion(messages: readonly Message[]): string {
  return requestsIn(toHandsHistory(messages)).at(-1) ?? '';
}

/** True if a model has replied in this turn. The page may already have read a file or searched the web. */
function hasModelReply(messages: readonly Message[]): boolean {
  return messages
    .slice(messages.findLastIndex(({ role }) => role === 'user'))
    .some((message) => message.role === 'assistant' && message.writer !== pageWriterId);
}

/** The prompt lists only the model's own tools. All others stay known, so a call that it writes anyway is not shown as text. */
function withoutTools(request: ReplyRequest, except: ReadonlySet<string> = new Set()): ReplyRequest {
  const listed = request.tools.flatMap(({ name }) => (except.has(name) ? name : []));
  const isCallable = listed.length > 0 && request.toolChoice !== 'none';
  return {
    ...request,
    listed,
    tools: isCallable ? request.tools.filter(({ name }) => except.has(name)) : request.tools,
    toolChoice: isCallable ? request.toolChoice : 'none',
  };
}

/** Asks the next agent of the chain. After the last one, tells what they answered. */
async function* askAgents(
  chain: readonly PlainCall[],
  request: ReplyRequest,
  signal: AbortSignal,
  voice: ChatModel,
  { newId, tell }: HandsStageOptions,
): AsyncGenerator<ModelEvent> {
  const { messages } = request;
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user'));
  const answers: ToolResult[] = [];
  for (const result of resultsIn(turn))
    if (result.toolName === chain[answers.length]?.name) answers.push(result);
  const failed = answers.find(({ isError }) => isError);
  const next = failed ? undefined : chain[answers.length];
  if (next) {
    yield* callAsPage(next, newId);
    return;
  }
  const told = failed
    ? tell(messages)
    : answers.map(({ content }) => textOf(content).trim()).join('\n\n---\n\n');
  if (told === undefined) yield* voice.respond(withoutTools(request), signal);
  else yield* replyAsPage({ text: told, suggestions: [] });
}

async function* chooseTools(
  request: ReplyRequest,
  signal: AbortSignal,
  voice: ChatModel,
  options: HandsStageOptions,
  onFailure: () => void,
): AsyncGenerator<ModelEvent> {
  const { messages } = request;
  const greeting = options.calls ? undefined : options.greet(messages);
  if (greeting) {
    yield* replyAsPage(greeting);
    return;
  }
  let end: FinishEvent | 'words' | 'unsure';
  try {
    end = request.toolChoice === 'none' ? 'words' : await askHands(request, signal, options);
  } catch {
    // Without the small model, the larger one chooses the tools itself.
    onFailure();
    if (!signal.aborted) yield* voice.respond(request, signal);
    else yield createStoppedEvent();
    return;
  }
  if (signal.aborted) yield createStoppedEvent();
  else if (end === 'words' || end === 'unsure') {
    const query =
      request.toolChoice === 'none' || !options.tools.has(webSearchName)
        ? undefined
        : readSearchCommand(findOwnQuestion(messages));
    if (query !== undefined) {
      yield* callAsPage({ name: webSearchName, arguments: { query } }, options.newId);
      return;
    }
    const isSum = end === 'unsure' && isSumToWorkOut(findOwnQuestion(messages));
    yield* voice.respond(withoutTools(request, new Set(isSum ? [calculatorName] : [])), signal);
  } else {
    const calls = callsIn(end.message);
    for (const call of calls) yield { type: 'tool-call', call };
    const { logProbability } = end.usage;
    // The header shows the speed of the larger model, so leave out the small model's counts.
    const usage = { ...unknownUsage, ...(logProbability !== undefined && { logProbability }) };
    yield { ...end, usage, message: { ...end.message, content: calls } };
  }
}

function* callAsPage(plain: PlainCall, newId: () => string): Generator<ModelEvent> {
  const call: ToolCall = { type: 'tool-call', id: newId(), ...plain };
  yield { type: 'tool-call', call };
  const message: AssistantMessage = {
    role: 'assistant',
    content: [call],
    writer: pageWriterId,
    finishReason: 'tool-calls',
  };
  yield { type: 'finish', message, usage: unknownUsage };
}

function* replyAsPage(reply: PageReply): Generator<ModelEvent> {
  yield { type: 'text-delta', text: reply.text };
  yield { type: 'finish', message: toPageMessage(reply), usage: unknownUsage };
}

const calculatorName = 'calculator';
const webSearchName = 'web_search';
const fetchPageName = 'fetch_page';

/** Returns the words to search for if the user asks for a search of the web. The small model knows few of these wordings. */
export function readSearchCommand(question: string): string | undefined {
  const command = patternOf('search-command');
  if (question.length > maxSearchCommandCharacters || !command.test(question)) return undefined;
  // Drop the next step: `…, then read the page you find`.
  const [asked = ''] = question.split(patternOf('after-search'));
  const query = asked
    .replace(new RegExp(command.source, `${command.flags}g`), ' ')
    .replace(patternOf('search-fillers'), '')
    .replace(/^[\s,.:：，。!?？]+|[\s,.:：，。!?？]+$/gu, '')
    .replace(/\s+/g, ' ');
  return query.length < 2 ? undefined : query;
}

const maxSearchCommandCharacters = 200;

/** The first page that a search of this turn found, if the user asks to read it and it has not been read. */
function findPageToRead(messages: readonly Message[]): string | undefined {
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user'));
  const results = resultsIn(turn);
  const found = results.find(({ toolName, isError }) => toolName === webSearchName && !isError);
  const hasPage = results.some(({ toolName }) => toolName === fetchPageName);
  if (!found || hasPage || !patternOf('reads-found-page').test(findOwnQuestion(messages))) return undefined;
  return /^\s*(https?:\/\/\S+)$/m.exec(textOf(found.content))?.[1];
}

/** A word problem with several numbers. Any model works it out better with the calculator than in its head. */
function isSumToWorkOut(question: string): boolean {
  const isInWords = isPasted(question) || patternOf('wants-words').test(question);
  if (isInWords || !patternOf('asks-amount').test(question)) return false;
  const withoutCodes = removeDatesAndCodes(question).replace(/\S*\d\p{L}+\d\S*/gu, ' ');
  return numbersIn(toDigits(withoutCodes)).length > 1;
}

/** Resolves to the reply with the calls that the small model is sure of. `words`: it is sure that the request needs none. */
async function askHands(
  request: ReplyRequest,
  signal: AbortSignal,
  options: HandsStageOptions,
): Promise<FinishEvent | 'words' | 'unsure'> {
  const { hands, tools, calls, doubt } = options;
  const messages = toHandsHistory(request.messages);
  const asked: ReplyRequest = {
    messages,
    tools: request.tools.filter(({ name }) => tools.has(name)),
    toolChoice: 'auto',
  };
  if (asked.tools.length === 0) return 'words';
  if (calls) {
    const dictated = await waitForFinish(
      hands.respond({ ...asked, dictated: { calls: [...calls] } }, signal),
    );
    return dictated && callsIn(dictated.message).length > 0 ? dictated : 'unsure';
  }
  const copied: ReplyRequest['copied'] = findArgumentsIn(messages, asked.tools);
  const isPossible = (call: ToolCall) =>
    (copied?.[call.name] !== undefined || isGroundedCall(call, messages)) && isWorthACall(call, messages);
  const end = await waitForFinish(hands.respond({ ...asked, ...(copied && { copied }) }, signal));
  if (!end || end.message.finishReason === 'aborted') return 'unsure';
  const isInCalls = end.message.finishReason === 'tool-calls';
  if (!isUnsure(end, isInCalls ? 'tool-calls' : 'stop', doubt))
    return isInCalls ? (areAllPossible(end, isPossible) ? end : 'unsure') : 'words';
  return (await settle(asked, end, isPossible, signal, options)) ?? 'unsure';
}

function areAllPossible({ message }: FinishEvent, isPossible: (call: ToolCall) => boolean): boolean {
  const calls = callsIn(message);
  // A call with wrong arguments is no call.
  return calls.length > 0 && calls.length === message.content.length && calls.every(isPossible);
}

/** A call counts if at least this share of the replies agree on it. */
const minAgreement = 2 / 3;

/** Asks an unsure small model again. A call that most replies agree on stands. */
async function settle(
  asked: ReplyRequest,
  first: FinishEvent,
  isPossible: (call: ToolCall) => boolean,
  signal: AbortSignal,
  { hands, doubt }: HandsStageOptions,
): Promise<FinishEvent | undefined> {
  const resolving = resolveDoubt(
    hands,
    asked,
    first,
    {
      ...doubt,
      by: 'page',
      isPossible: (call) => isPossible(call) && doubt.staysHere(call),
      choose: ([likeliest]) =>
        Promise.resolve((likeliest?.votes ?? 0) >= minAgreement * maxDoubtReplies ? 0 : undefined),
    },
    signal,
  );
  let told: FinishEvent | undefined;
  for (;;) {
    const next = await resolving.next();
    if (next.done) {
      if (next.value.type === 'told') return told;
      return next.value.type === 'stands' && callsIn(first.message).length > 0 ? first : undefined;
    }
    if (next.value.type === 'finish') told = next.value;
  }
}

/**
 * Unlike the small model, the larger one knows things, so it searches the web only if the user wants that. It also still has a page that it read, so
 * a page is read only if the newest message names it.
 */
function isWorthACall({ name }: ToolCall, messages: readonly Message[]): boolean {
  const question = findNewestQuestion(messages) ?? '';
  if (name === fetchPageName) return addressPattern.test(question);
  return name !== webSearchName || patternOf('asks-to-look-up').test(question);
}

const addressPattern = /https?:|localhost|[\p{L}\p{N}]\.\p{L}{2,}/u;

/** Turns that the small model sees besides the newest one. Follow-ups such as `and in Paris?` need one. */
const maxEarlierTurns = 2;
const maxReplyCharacters = 160;
const maxResultCharacters = 300;

/**
 * The end of the chat for the small model. Leaves out what strangers wrote, so their text cannot make a call: it keeps the user's messages, the
 * calls, and short results that Hearth itself computed.
 */
export function toHandsHistory(messages: readonly Message[]): Message[] {
  const questions = messages.flatMap(({ role }, at) => (role === 'user' ? at : []));
  const start = questions.at(-1 - maxEarlierTurns) ?? questions[0] ?? 0;
  /** Whether a stranger's text came into this turn, which a reply may repeat. */
  let hasOutsideText = false;
  return messages.slice(start).flatMap((message): Message[] => {
    if (message.role === 'system') return [];
    if (message.role === 'user') {
      hasOutsideText = (message.attached ?? []).length > 0;
      // The results that go along with a request to an agent are parts of their own, after the request.
      return [{ ...message, content: message.content.slice(0, 1), attached: [] }];
    }
    if (message.role === 'tool') {
      hasOutsideText ||= !message.results.every(isOwnText);
      return [{ ...message, results: message.results.map(hideOutsideText) }];
    }
    const content = message.content.flatMap((part): AssistantMessage['content'] => {
      if (part.type === 'tool-call') return [part];
      if (part.type !== 'text' || hasOutsideText) return [];
      return [{ type: 'text', text: part.text.slice(0, maxReplyCharacters) }];
    });
    return content.length === 0 ? [] : [{ role: 'assistant', content, finishReason: message.finishReason }];
  });
}

function isOwnText({ origins }: ToolResult): boolean {
  return origins.every(({ door }) => door === 'hearth' || door === 'note');
}

function hideOutsideText(result: ToolResult): ToolResult {
  if (isOwnText(result) && textOf(result.content).length <= maxResultCharacters) return result;
  return { ...result, content: [{ type: 'text', text: '…' }] };
}

/** Tools whose results are texts to read. The model answers from them. */
const toolsWithTexts: ReadonlySet<string> = new Set([
  'fetch_page',
  'web_search',
  'read_attachment',
  'query_table',
  'read_result',
  'find_tools',
]);
/** A longer result is a text to read, too. */
const maxToldCharacters = 400;

/** Returns the page's sentence for the newest results. Undefined if the model should answer from them. */
function tellValues(
  messages: readonly Message[],
  { tell, handsId }: Pick<HandsStageOptions, 'tell' | 'handsId'>,
): string | undefined {
  const last = messages.at(-1);
  const results = last?.role === 'tool' ? last.results : [];
  const caller = messages.findLast(({ role }) => role === 'assistant');
  const writer = caller?.role === 'assistant' ? caller.writer : undefined;
  // The model may correct a call of its own that failed. It cannot correct another's.
  const isOwnCall = writer !== handsId && writer !== pageWriterId;
  // The page asked the table along with reading the file.
  const isTable = results.some(({ toolName, isError }) => toolName === queryTableToolName && !isError);
  if (isTable && (writer === undefined || writer === pageWriterId)) return tell(messages);
  const canTell = results.every((result) =>
    result.isError ? !isOwnCall && isFinal(result) : isValue(result),
  );
  return canTell ? tell(messages) : undefined;
}

async function* answerFromResults(
  request: ReplyRequest,
  signal: AbortSignal,
  voice: ChatModel,
  options: HandsStageOptions,
): AsyncGenerator<ModelEvent> {
  const { messages } = request;
  const url = options.tools.has(fetchPageName) ? findPageToRead(messages) : undefined;
  if (url !== undefined && request.toolChoice !== 'none') {
    yield* callAsPage({ name: fetchPageName, arguments: { url } }, options.newId);
    return;
  }
  const told = tellValues(messages, options);
  if (told === undefined) {
    const words = voice.respond(withoutTools(request), signal);
    yield* keepKnownNumbers(words, messages, { isTold: false });
    return;
  }
  const isForWords = patternOf('wants-words').test(findOwnQuestion(messages));
  if (!options.hasPersona && !isForWords) {
    yield* replyAsPage({ text: told, suggestions: [] });
    return;
  }
  const words = voice.respond(withoutTools(request), signal);
  // A persona's words about a sum that do not even name its result only add noise.
  const mustTell = !isForWords && numbersIn(told).length > 0;
  yield* addWords(told, keepKnownNumbers(words, messages, { isTold: true, mustTell }));
}

/** Continues an interrupted reply. Its words about results stay without numbers of their own. */
function continueReply(
  request: ReplyRequest,
  signal: AbortSignal,
  voice: ChatModel,
  options: HandsStageOptions,
): AsyncIterable<ModelEvent> {
  const { messages } = request;
  const before = messages.slice(0, messages.findLastIndex(({ role }) => role !== 'assistant') + 1);
  const rest = voice.respond(withoutTools(request), signal);
  if (before.at(-1)?.role !== 'tool') return rest;
  const last = messages.at(-1);
  const said = last?.role === 'assistant' ? textOf(last.content) : '';
  const told = tellValues(before, options);
  if (said === told) return addWords('', keepKnownNumbers(rest, messages, { isTold: true }));
  const begun = said.split(sentenceEndPattern).at(-1);
  return keepKnownNumbers(rest, messages, { isTold: told !== undefined, begun });
}

/** A refused search is no end: the model may know the answer. */
function isFinal({ toolName, failure }: ToolResult): boolean {
  const isRefused = failure === 'refused' || failure === 'refused-often';
  return !(isRefused && toolName === 'web_search');
}

/** True for a result with a short text. A picture alone cannot be told. */
function isValue({ toolName, content }: ToolResult): boolean {
  const { length } = textOf(content).trim();
  const isText = length > 0 || content.length === 0;
  return isText && length <= maxToldCharacters && !toolsWithTexts.has(toolName);
}

/** Adds 3:45 to 15:45. */
function withShortHours(text: string): string[] {
  const hours = Array.from(text.matchAll(/\b(1[3-9]|2[0-3]|00):\d\d/g), ([, hour]) =>
    String(Number(hour) % 12 || 12),
  );
  return [text, ...hours];
}

/** Texts of the user and results of tools. What models wrote proves no number. */
function readableTextsOf(message: Message): string[] {
  if (message.role === 'user') return [textOf(message.content)];
  if (message.role !== 'tool') return [];
  return message.results.map(({ content }) => textOf(content));
}

/** Puts the words into a paragraph after `told`, which is empty if the reply has it already. */
async function* addWords(told: string, words: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  if (told !== '') yield { type: 'text-delta', text: told };
  let hasWords = false;
  for await (const event of words) {
    if (event.type === 'text-delta') {
      yield hasWords ? event : { ...event, text: `\n\n${event.text.trimStart()}` };
      hasWords = true;
    } else if (event.type !== 'finish') yield event;
    else {
      const said = textOf(event.message.content).trimStart();
      const text = said === '' ? told : `${told}\n\n${said}`;
      const others = event.message.content.filter(({ type }) => type !== 'text');
      const content = text === '' ? others : [...others, { type: 'text' as const, text }];
      // The page has already given the result, so we need not continue words that were cut because they looped.
      const finishReason =
        told !== '' && event.message.finishReason === 'loop' ? 'stop' : event.message.finishReason;
      yield { ...event, message: { ...event.message, raw: undefined, content, finishReason } };
    }
  }
}

interface KnownNumberOptions {
  /** True if the page has told the result. Otherwise small numbers without a unit are fine, as in `two of the four`. */
  isTold: boolean;
  /** True if a sentence without any number is left out, too. */
  mustTell?: boolean;
  /** The unfinished sentence that the reply continues. */
  begun?: string | undefined;
}

const maxCount = 12;

/** Passes on the sentences of a reply. Leaves out each sentence with a number that neither the user nor a result has. */
async function* keepKnownNumbers(
  reply: AsyncIterable<ModelEvent>,
  messages: readonly Message[],
  { isTold, mustTell = false, begun = '' }: KnownNumberOptions,
): AsyncGenerator<ModelEvent> {
  const known = numbersIn(messages.flatMap(readableTextsOf).flatMap(withShortHours).join('\n'));
  const isOneOf = (number: WrittenNumber) => known.some((one) => isSameNumber(number, one));
  const isKnown = (sentence: string) => {
    const numbers = numbersIn(sentence.replace(listMarkPattern, ''));
    if (mustTell && numbers.length === 0) return false;
    // "Two of the four" counts what the text says. "$10" is a claim, however small.
    const measured = numbersIn(sentence.match(patternOf('measured-number'))?.join('\n') ?? '');
    const isCount = ({ value, decimals }: WrittenNumber) => !isTold && decimals === 0 && value <= maxCount;
    return measured.every(isOneOf) && numbers.every((number) => isCount(number) || isOneOf(number));
  };
  let whole = '';
  let pending = begun;
  let kept = '';
  let isInCode = false;
  /** Characters at the beginning of the first sentence that the reply has already. */
  let said = begun.length;
  const keep = (sentences: readonly string[]): string => {
    const passed = sentences.map((sentence) => {
      if (/^\s*```/.test(sentence)) isInCode = !isInCode;
      const isKept = isInCode || isKnown(sentence);
      const rest = isKept ? sentence.slice(said) : (/\n+$/.exec(sentence)?.[0] ?? '');
      said = 0;
      return rest;
    });
    kept += passed.join('');
    return passed.join('');
  };
  for await (const event of reply) {
    if (event.type === 'text-delta') {
      whole += event.text;
      const sentences = (pending + event.text).split(sentenceEndPattern);
      pending = sentences.pop() ?? '';
      const text = keep(sentences);
      if (text !== '') yield { type: 'text-delta', text };
    } else if (event.type !== 'finish') yield event;
    else {
      const text = keep([pending]);
      if (text !== '') yield { type: 'text-delta', text };
      yield kept === whole ? event : { ...event, message: replaceText(event.message, kept, whole) };
    }
  }
}

/** The mark of a list item, such as `1.`, belongs to the sentence after it. */
const sentenceEndPattern = /(?<=(?<!(?:^|\n)\s{0,8}\d{1,3})[.!?]\s|[。！？\n])/u;

function replaceText(message: AssistantMessage, text: string, instead: string): AssistantMessage {
  const others = message.content.filter(({ type }) => type !== 'text');
  const content = text.trim() === '' ? others : [...others, { type: 'text' as const, text }];
  return { ...message, raw: undefined, content, instead };
}

const listMarkPattern = /^\s*\d+[.)]\s/;

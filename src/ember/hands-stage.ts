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
import { isAgentNamedIn, readAgentCalls } from './agent-requests';
import { textOf } from '../contracts/message-parts';
import type { ChatModel, ModelEvent, ReplyRequest } from '../contracts/model';
import { createStoppedEvent, type ModelStage } from '../contracts/pipeline';
import { languageOf } from '../text/language';
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
  resolveDoubt,
  type UncertainCallOptions,
} from './uncertain-calls';

export interface HandsStageOptions {
  /** False while the current model calls tools itself. */
  isActive: () => boolean;
  /** The small model, with its own list of tools. */
  hands: ChatModel;
  /** Names of the tools that the small model may call. */
  tools: ReadonlySet<string>;
  /** Names of the tools that the larger model sees and calls itself. */
  ownTools: ReadonlySet<string>;
  /** The personas that can be asked as tools. */
  agents: readonly ToolSpec[];
  newId: () => string;
  /** Calls that a known wording of the request asks for. */
  calls: readonly PlainCall[] | undefined;
  doubt: Omit<UncertainCallOptions, 'choose' | 'by'>;
  /** The page's sentence for the newest tool results. Undefined if it has none. */
  tell: (history: readonly Message[]) => string | undefined;
  /** The page's reply to small talk, for example to somebody in a crisis. Undefined if the model should answer. */
  talk: (history: readonly Message[]) => PageReply | undefined;
  /** True if the answers have a persona's voice. The model then adds words to each result. */
  hasPersona: boolean;
}

export function createHandsStage(options: HandsStageOptions): ModelStage {
  const { isActive, agents, ownTools, newId } = options;
  return {
    name: 'hands',
    isActive,
    async *wrapStream(request, signal, voice) {
      const last = request.messages.at(-1);
      const question = requestsIn(request.messages).at(-1) ?? '';
      const named = agents.filter((agent) => isAgentNamedIn(question, agent));
      const chain = readAgentCalls(question, agents);
      if (!isActive() || isForOwnHands(request.messages)) yield* voice.respond(request, signal);
      else if (request.onlyRead || last?.role === 'assistant')
        yield* voice.respond(withoutTools(request, ownTools), signal);
      else if (chain && request.toolChoice !== 'none') yield* askAgents(chain, request.messages, newId);
      else if (named.length > 0) {
        // It is not clear what each agent is to do, so the larger model asks them.
        const listed = new Set([...ownTools, ...named.map(({ name }) => name)]);
        yield* voice.respond(withoutTools(request, listed), signal);
      } else if (last?.role === 'tool') yield* answerFromResults(request, signal, voice, options);
      else yield* chooseTools(request, signal, voice, options);
    },
    measure: (rest, messages, tools, summary) =>
      rest.measure(
        messages,
        isActive() && !isForOwnHands(messages) ? tools.filter(({ name }) => ownTools.has(name)) : tools,
        summary,
      ),
  };
}

/** The small model knows only English and Chinese. In another language, the larger model chooses the tools. */
function isForOwnHands(messages: readonly Message[]): boolean {
  const language = languageOf(requestsIn(messages).at(-1) ?? '');
  return language !== undefined && language !== 'en' && language !== 'zh';
}

/** The prompt lists only the model's own tools. All others stay known, so a call that it writes anyway is not shown as text. */
function withoutTools(request: ReplyRequest, ownTools: ReadonlySet<string>): ReplyRequest {
  const listed = request.tools.flatMap(({ name }) => (ownTools.has(name) ? name : []));
  const isCallable = listed.length > 0 && request.toolChoice !== 'none';
  return {
    ...request,
    listed,
    tools: isCallable ? request.tools.filter(({ name }) => ownTools.has(name)) : request.tools,
    toolChoice: isCallable ? request.toolChoice : 'none',
  };
}

/** Asks the next agent of the chain. After the last one, tells what they answered. */
function* askAgents(
  chain: readonly PlainCall[],
  messages: readonly Message[],
  newId: () => string,
): Generator<ModelEvent> {
  const results = resultsIn(messages.slice(messages.findLastIndex(({ role }) => role === 'user')));
  const next = results.at(-1)?.isError ? undefined : chain[results.length];
  if (next) {
    const call: ToolCall = { type: 'tool-call', id: newId(), ...next };
    yield { type: 'tool-call', call };
    const message: AssistantMessage = {
      role: 'assistant',
      content: [call],
      writer: pageWriterId,
      finishReason: 'tool-calls',
    };
    yield { type: 'finish', message, usage: noUsage };
    return;
  }
  const answers = results.map(({ content }) => textOf(content).trim());
  yield* replyAsPage({ text: answers.join('\n\n---\n\n'), suggestions: [] });
}

async function* chooseTools(
  request: ReplyRequest,
  signal: AbortSignal,
  voice: ChatModel,
  options: HandsStageOptions,
): AsyncGenerator<ModelEvent> {
  const { messages } = request;
  const talk = options.calls ? undefined : options.talk(messages);
  if (talk) {
    yield* replyAsPage(talk);
    return;
  }
  let end: FinishEvent | 'words' | 'unsure';
  try {
    end = request.toolChoice === 'none' ? 'words' : await askHands(request, signal, options);
  } catch {
    // Without the small model, the larger one chooses the tools itself.
    if (!signal.aborted) yield* voice.respond(request, signal);
    else yield createStoppedEvent();
    return;
  }
  if (signal.aborted) yield createStoppedEvent();
  else if (end === 'words' || end === 'unsure') {
    const isSum = end === 'unsure' && isSumToWorkOut(findNewestQuestion(messages) ?? '');
    const ownTools = isSum ? new Set([...options.ownTools, calculatorName]) : options.ownTools;
    yield* voice.respond(withoutTools(request, ownTools), signal);
  } else {
    const calls = callsIn(end.message);
    for (const call of calls) yield { type: 'tool-call', call };
    yield { ...end, message: { ...end.message, content: calls } };
  }
}

function* replyAsPage(reply: PageReply): Generator<ModelEvent> {
  yield { type: 'text-delta', text: reply.text };
  yield { type: 'finish', message: toPageMessage(reply), usage: noUsage };
}

const noUsage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };

const calculatorName = 'calculator';

/** A word problem with several numbers. Any model works it out better with the calculator than in its head. */
function isSumToWorkOut(question: string): boolean {
  const isInWords = isPasted(question) || patternOf('wants-words').test(question);
  return !isInWords && numbersIn(toDigits(question)).length > 1;
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
    return isInCalls && callsIn(end.message).every(isPossible) ? end : 'words';
  return (await settle(asked, end, isPossible, signal, options)) ?? 'unsure';
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
        Promise.resolve((likeliest?.votes ?? 0) >= minAgreement * maxReplies ? 0 : undefined),
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

/** The first reply and the eight that `resolveDoubt` draws. */
const maxReplies = 9;

/** Unlike the small model, the larger one knows things, so it searches the web only if the user wants that. */
function isWorthACall({ name }: ToolCall, messages: readonly Message[]): boolean {
  return name !== 'web_search' || patternOf('asks-to-look-up').test(findNewestQuestion(messages) ?? '');
}

async function waitForFinish(reply: AsyncIterable<ModelEvent>): Promise<FinishEvent | undefined> {
  for await (const event of reply) if (event.type === 'finish') return event;
  return undefined;
}

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
  return messages.slice(start).flatMap((message): Message[] => {
    if (message.role === 'system') return [];
    if (message.role === 'user') return [{ ...message, attached: [] }];
    if (message.role === 'tool') return [{ ...message, results: message.results.map(hideOutsideText) }];
    const content = message.content.flatMap((part): AssistantMessage['content'] => {
      if (part.type === 'tool-call') return [part];
      if (part.type !== 'text') return [];
      return [{ type: 'text', text: part.text.slice(0, maxReplyCharacters) }];
    });
    return [{ role: 'assistant', content, finishReason: message.finishReason }];
  });
}

function hideOutsideText(result: ToolResult): ToolResult {
  const text = textOf(result.content);
  const isOwn = result.origins.every(({ door }) => door === 'hearth' || door === 'note');
  if (isOwn && text.length <= maxResultCharacters) return result;
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

async function* answerFromResults(
  request: ReplyRequest,
  signal: AbortSignal,
  voice: ChatModel,
  { tell, hasPersona, ownTools }: HandsStageOptions,
): AsyncGenerator<ModelEvent> {
  const { messages } = request;
  const last = messages.at(-1);
  const results = last?.role === 'tool' ? last.results : [];
  const isValue = results.every(
    ({ toolName, isError, content }) =>
      isError || (!toolsWithTexts.has(toolName) && textOf(content).length <= maxToldCharacters),
  );
  const told = isValue ? tell(messages) : undefined;
  const question = requestsIn(messages).at(-1) ?? '';
  if (told !== undefined && !hasPersona && !patternOf('wants-words').test(question)) {
    yield* replyAsPage({ text: told, suggestions: [] });
    return;
  }
  const known = numbersIn(messages.flatMap(readableTextsOf).join('\n'));
  const words = keepKnownNumbers(voice.respond(withoutTools(request, ownTools), signal), known, {
    smallestUnknown: told === undefined ? 11 : 0,
  });
  if (told === undefined) yield* words;
  else yield* addWords(told, words);
}

/** Texts of the user and results of tools. What models wrote proves no number. */
function readableTextsOf(message: Message): string[] {
  if (message.role === 'user') return [textOf(message.content)];
  if (message.role !== 'tool') return [];
  return message.results.map(({ content }) => textOf(content));
}

async function* addWords(told: string, words: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  yield { type: 'text-delta', text: told };
  let hasWords = false;
  for await (const event of words) {
    if (event.type === 'text-delta') {
      yield hasWords ? event : { ...event, text: `\n\n${event.text.trimStart()}` };
      hasWords = true;
    } else if (event.type !== 'finish') yield event;
    else {
      const said = textOf(event.message.content).trimStart();
      const text = said === '' ? told : `${told}\n\n${said}`;
      yield { ...event, message: { ...event.message, raw: undefined, content: [{ type: 'text', text }] } };
    }
  }
}

/** Passes on the sentences of a reply. Leaves out a sentence with a number of at least `smallestUnknown` that is not among `known`. */
async function* keepKnownNumbers(
  reply: AsyncIterable<ModelEvent>,
  known: readonly WrittenNumber[],
  { smallestUnknown }: { smallestUnknown: number },
): AsyncGenerator<ModelEvent> {
  const isKnown = (sentence: string) =>
    numbersIn(sentence.replace(listMarkPattern, '')).every(
      (number) =>
        (number.decimals === 0 && number.value < smallestUnknown) ||
        known.some((one) => isSameNumber(number, one)),
    );
  let whole = '';
  let pending = '';
  let kept = '';
  let isInCode = false;
  const keep = (sentences: readonly string[]): string => {
    const passed = sentences.filter((sentence) => {
      if (/^\s*```/.test(sentence)) isInCode = !isInCode;
      return isInCode || isKnown(sentence);
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

const sentenceEndPattern = /(?<=[.!?]\s|[。！？\n])/u;

function replaceText(message: AssistantMessage, text: string, instead: string): AssistantMessage {
  const others = message.content.filter(({ type }) => type !== 'text');
  const content = text.trim() === '' ? others : [...others, { type: 'text' as const, text }];
  return { ...message, raw: undefined, content, instead };
}

const listMarkPattern = /^\s*\d+[.)]\s/;

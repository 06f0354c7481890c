import type { MessageNode } from '../contracts/chat';
import { branchOf, newestLeafOf, versionsOf } from '../contracts/chat-logic';
import type {
  AssistantMessage,
  ImagePart,
  LinkPart,
  Message,
  ToolCall,
  ToolResult,
  WholeResult,
} from '../contracts/message';
import { textOf } from '../contracts/message-parts';
import type { ModelName, RecoveryStep } from '../contracts/model-library';
import type { ToolFailure } from '../contracts/tool-failure';
import type { TurnEnd } from '../contracts/turn';
import type { RunningReply } from './turn-recorder';

/** A branch of messages as a person sees it: turns, each a question and everything done to answer it. */

export type CallStatus =
  | 'writing'
  | 'queued'
  | 'waiting-for-approval'
  | 'running'
  | 'done'
  /** The person did not want it: no failure. */
  | 'refused'
  | 'failed'
  | 'unanswered';

export interface CallView {
  type: 'call';
  id: string;
  name: string;
  /** JSON, as far as it is written; exact once `isComplete`. */
  argumentsText: string;
  isComplete: boolean;
  status: CallStatus;
  /** What had to be repaired to read the call. */
  repairs: readonly string[];
  /** The model was not sure of it, and nobody was asked. Missing of any other. */
  isUnsure?: boolean;
  /** The person changed the arguments, or the result, when they ran the turn once more. Missing where they did not. */
  isEdited?: boolean | undefined;
  isResultEdited?: boolean | undefined;
  /** The result is taken from the record of another version; the call was not made again. Missing where it was made. */
  isTaken?: boolean | undefined;
  /** Exactly what the model was given. */
  result?: string | undefined;
  /** Pictures of the result, of kinds that a browser draws. Missing where it has none. */
  images?: readonly Pick<ImagePart, 'data' | 'mimeType'>[] | undefined;
  /** Missing where the result has none. */
  links?: readonly Pick<LinkPart, 'title' | 'uri'>[] | undefined;
  /** Why it failed or was refused, for the person; missing in chats of an older version. */
  failure?: ToolFailure | undefined;
  progress?: string | undefined;
  durationMs?: number | undefined;
  /** How old the result was when it was given, in milliseconds. Missing where it was fetched for this call. */
  ageMs?: number | undefined;
  /** Of a result that was cut: where all of it is, and how much of it the model was given. */
  whole?: WholeView | undefined;
}

export interface WholeView extends Pick<WholeResult, 'handle' | 'id' | 'lost' | 'characters'> {
  givenCharacters: number;
}

export type ReplyPart =
  | { type: 'text'; id: string; text: string; isGrowing: boolean }
  | { type: 'thinking'; id: string; text: string; isGrowing: boolean }
  /** Meant as a call of no tool that could be made out: it has no card, only its reason. */
  | { type: 'unreadable-call'; id: string; raw: string; reason: string }
  | CallView;

export interface Turn {
  /** Id of the turn's first message. */
  id: string;
  question?: MessageNode | undefined;
  /** The replies and results of the turn, as stored. */
  nodes: readonly MessageNode[];
  parts: readonly ReplyPart[];
  /** Missing while it runs, and where it was interrupted. */
  end?: TurnEnd | undefined;
  isRunning: boolean;
  /** True from the first sign that the question is being answered. */
  hasReply: boolean;
  /** Recovery steps that were taken during the turn, in order. */
  recoveries: readonly RecoveryStep[];
  /** Why the last reply failed, as `writeError` wrote it. Missing where it did not. */
  error?: string | undefined;
  /** Questions to press that the last reply brings along. */
  suggestions: readonly string[];
  /** The last reply says that a larger model is needed. */
  isBeyond: boolean;
  /** A summary stands in the prompt for this turn and all before it. */
  hasSummary: boolean;
}

export function turnsOf(branch: readonly MessageNode[]): Turn[] {
  const groups: MessageNode[][] = [];
  for (const node of branch) {
    const last = groups.at(-1);
    if (node.message.role === 'user' || !last) groups.push([node]);
    else last.push(node);
  }
  return groups.map((group) => turnOf(group));
}

/** The turns with the reply in progress. Only the last one is made anew, not all of them for every token. */
export function withReply(turns: readonly Turn[], running: RunningReply | undefined): readonly Turn[] {
  const last = turns.at(-1);
  if (!running || !last) return turns;
  return [
    ...turns.slice(0, -1),
    turnOf(last.question ? [last.question, ...last.nodes] : last.nodes, running),
  ];
}

function turnOf(group: readonly MessageNode[], running?: RunningReply): Turn {
  const [first] = group as [MessageNode, ...MessageNode[]];
  const question = first.message.role === 'user' ? first : undefined;
  const nodes = question ? group.slice(1) : group;
  const last = group.at(-1);
  const reply = last?.message.role === 'assistant' ? last.message : undefined;
  return {
    id: first.id,
    question,
    nodes,
    parts: partsOf(nodes, running),
    end: running ? undefined : last?.turnEnd,
    isRunning: running !== undefined,
    recoveries: [...nodes.flatMap((node) => node.recoveries ?? []), ...(running?.recoveries ?? [])],
    hasReply: nodes.length > 0 || running?.hasBegun === true,
    error: running ? undefined : reply?.errorMessage,
    suggestions: (running ? undefined : reply?.suggestions) ?? [],
    isBeyond: !running && reply?.isBeyond === true,
    hasSummary: last?.summary !== undefined,
  };
}

function partsOf(nodes: readonly MessageNode[], running: RunningReply | undefined): ReplyPart[] {
  const results = new Map(running?.results);
  for (const { message } of nodes) {
    if (message.role === 'tool') for (const result of message.results) results.set(result.toolCallId, result);
  }
  const parts: ReplyPart[] = [];
  const known: KnownOfCalls = { results, running };
  for (const { id, message } of nodes) {
    if (message.role !== 'assistant') continue;
    const first = parts.length;
    addParts(parts, id, message.content, known, false);
    if (message.doubt?.by !== 'page') continue;
    for (const part of parts.slice(first)) if (part.type === 'call') part.isUnsure = true;
  }
  if (!running) return parts;

  addParts(parts, running.id, running.content, known, running.openCall === undefined);
  const { openCall } = running;
  if (openCall?.name !== undefined) {
    parts.push({
      type: 'call',
      id: openCall.id,
      name: openCall.name,
      argumentsText: openCall.text,
      isComplete: false,
      status: 'writing',
      repairs: [],
    });
  }
  return parts;
}

interface KnownOfCalls {
  results: ReadonlyMap<string, ToolResult>;
  running: RunningReply | undefined;
}

function addParts(
  parts: ReplyPart[],
  id: string,
  content: AssistantMessage['content'],
  known: KnownOfCalls,
  isGrowing: boolean,
): void {
  content.forEach((part, index) => {
    const isOpen = isGrowing && index === content.length - 1;
    switch (part.type) {
      case 'text':
      case 'reasoning': {
        const type = part.type === 'text' ? 'text' : 'thinking';
        const last = parts.at(-1);
        // A reply that was continued is one text again.
        if (last?.type === type)
          parts[parts.length - 1] = { ...last, text: last.text + part.text, isGrowing: isOpen };
        else if (part.text.trim() !== '')
          parts.push({ type, id: `${id}.${index}`, text: part.text, isGrowing: isOpen });
        break;
      }
      case 'tool-call':
        parts.push(callView(part, JSON.stringify(part.arguments), part.repairs ?? [], known));
        break;
      case 'invalid-tool-call':
        if (part.name === undefined) parts.push({ ...part, type: 'unreadable-call' });
        else {
          const written = part.arguments ? JSON.stringify(part.arguments) : part.raw;
          parts.push(callView({ ...part, name: part.name }, written, [], known));
        }
        break;
    }
  });
}

function callView(
  { id, name, isEdited }: Pick<ToolCall, 'id' | 'name' | 'isEdited'>,
  argumentsText: string,
  repairs: readonly string[],
  { results, running }: KnownOfCalls,
): CallView {
  const result = results.get(id);
  const state = running?.calls.get(id);
  const view = { type: 'call' as const, id, name, argumentsText, isComplete: true, repairs, isEdited };
  if (result) {
    return {
      ...view,
      status: statusOf(result),
      result: shownOf(textOf(result.content), running),
      ...seenOf(result),
      whole: wholeOf(result),
      failure: result.failure,
      isResultEdited: result.isEdited,
      isTaken: result.isTaken,
      // A question that was refused took as long as it was looked at.
      durationMs: statusOf(result) === 'refused' ? undefined : result.timing?.durationMs,
      ageMs: ageOf(result),
    };
  }
  if (state) return { ...view, ...state };
  return { ...view, status: running ? 'queued' : 'unanswered' };
}

/** Until the round is over, a result is here as it came: only its beginning is shown, as one of megabytes would hold up the page. */
function shownOf(text: string, running: RunningReply | undefined): string {
  return running ? text.slice(0, mostWhileRunning) : text;
}

const mostWhileRunning = 20_000;

const drawn = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** What of a result is more than text. */
function seenOf({ content }: ToolResult): Pick<CallView, 'images' | 'links'> {
  const images = content.flatMap((part) => (part.type === 'image' && drawn.has(part.mimeType) ? [part] : []));
  const links = content.flatMap((part) => (part.type === 'link' ? [part] : []));
  return { ...(images.length > 0 && { images }), ...(links.length > 0 && { links }) };
}

function wholeOf({ whole }: ToolResult): WholeView | undefined {
  if (!whole) return undefined;
  const { given, ...rest } = whole;
  return { ...rest, givenCharacters: given.reduce((sum, [from, to]) => sum + to - from, 0) };
}

function statusOf({ isError, failure }: ToolResult): CallStatus {
  if (!isError) return 'done';
  return failure === 'refused' || failure === 'refused-often' || failure === 'stopped' ? 'refused' : 'failed';
}

/** How old a cached result was when it was given. Missing where it was fetched for this call. */
function ageOf({ cachedAt, timing }: ToolResult): number | undefined {
  return cachedAt === undefined || !timing ? undefined : Math.max(0, timing.startedAt - cachedAt);
}

/** What a person sees of a sub-agent in the card of its call: what it said and called, and what that cost. */

/** Its hidden chat, as far as a screen reads it. */
export interface AgentChat {
  readonly branch: readonly MessageNode[];
  readonly reply: RunningReply | undefined;
  /** The model that its persona names, where that is not the one that was running. */
  readonly settings: { readonly model?: ModelName | undefined };
}

/** By the id of the call that asked for each. */
export type AgentChats = ReadonlyMap<string, AgentChat>;

export interface AgentView {
  turns: readonly Turn[];
  /** Of all its replies, in the order they came. */
  parts: readonly ReplyPart[];
  /** Tokens that it wrote, and that were read for it. */
  outputTokens: number;
  prefilledTokens: number;
  /** The model of its persona, where that has answered itself, beside the one that was loaded. */
  model: ModelName | undefined;
  /** Why its last reply failed, as `writeError` wrote it. */
  error: string | undefined;
}

export function viewAgent({ branch, reply, settings: { model } }: AgentChat): AgentView {
  const turns = withReply(turnsOf(branch), reply);
  const usages = branch.flatMap(({ usage }) => usage ?? []);
  return {
    turns,
    parts: turns.flatMap(({ parts }) => parts),
    error: turns.at(-1)?.error,
    outputTokens: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    model: model && branch.some((node) => node.model?.id === model.id) ? model : undefined,
    prefilledTokens: usages.reduce((sum, { prefilledTokens }) => sum + prefilledTokens, 0),
  };
}

/** All that sub-agents read and wrote. What they were asked is left out: it stands in the calls, and nobody typed it. */
export function messagesOf(agents: AgentChats): Message[] {
  return [...agents.values()].flatMap(({ branch }) =>
    branch.map(({ message }) => message).filter(({ role }) => role !== 'user'),
  );
}

/** The texts of a turn, in the order in which they stand on the screen: what a search in the chat goes through, drawn or not. */

export interface ShownText {
  text: string;
  /** What is read is what it looks like, without its marks. */
  isMarkdown: boolean;
}

/** As the parts that carry `data-said`, and Markdown, stand in the document. What is folded is among them. */
export function shownTexts(
  { question, parts }: Pick<Turn, 'question' | 'parts'>,
  agents: AgentChats,
): ShownText[] {
  const asked = question?.message.role === 'user' ? [plain(textOf(question.message.content))] : [];
  return [...asked, ...textsOfParts(parts, agents)];
}

function textsOfParts(parts: readonly ReplyPart[], agents: AgentChats): ShownText[] {
  return parts.flatMap((part) => {
    switch (part.type) {
      case 'text':
        return [{ text: part.text, isMarkdown: true }];
      case 'thinking':
        return [plain(part.text.trim())];
      case 'unreadable-call':
        return [plain(part.reason), plain(part.raw)];
      case 'call': {
        const agent = agents.get(part.id);
        const inside = agent ? textsOfParts(viewAgent(agent).parts, agents) : [];
        return [
          plain(part.argumentsText),
          ...inside,
          ...(part.result === undefined ? [] : [plain(part.result)]),
        ];
      }
    }
  });
}

function plain(text: string): ShownText {
  return { text, isMarkdown: false };
}

/** The versions of an answer beside one another: what each says and calls, as one text. */

export interface AnswerVersion {
  /** Of its first message. */
  id: string;
  /** Of what answered, each once, in order; empty where no model did. */
  models: readonly string[];
  /** Its calls with what they gave, a line each, and its words, in the order they came. */
  text: string;
}

/** All answers to the question of a message, oldest first. */
export function answerVersions(
  nodes: readonly MessageNode[],
  first: Pick<MessageNode, 'parentId'>,
): AnswerVersion[] {
  return versionsOf(nodes, first).flatMap(({ id }) => {
    const turn = turnsOf(branchOf(nodes, newestLeafOf(nodes, id))).find((one) => one.nodes[0]?.id === id);
    if (!turn) return [];
    const models = [...new Set(turn.nodes.flatMap(({ model }) => model?.id ?? []))];
    return [{ id, models, text: textOfTurn(turn) }];
  });
}

function textOfTurn({ parts }: Pick<Turn, 'parts'>): string {
  return parts
    .flatMap((part) => {
      switch (part.type) {
        case 'text':
          return part.text.trim();
        case 'thinking':
          return [];
        case 'unreadable-call':
          return part.raw;
        case 'call':
          return `${part.name} ${part.argumentsText}\n→ ${(part.result ?? '').trim()}`;
      }
    })
    .join('\n\n');
}

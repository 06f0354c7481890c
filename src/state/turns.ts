/** Converts a branch for the screen: turns and their parts, sub-agents, searchable texts, and versions of an answer. */
import type { MessageNode } from '../contracts/chat';
import { branchOf, newestLeafOf, versionsOf } from '../contracts/chat-logic';
import type { AssistantMessage, Message, ToolCall, ToolResult } from '../contracts/message';
import { textOf } from '../contracts/message-parts';
import type { ModelName } from '../contracts/model-library';
import type { ToolFailure } from '../contracts/tool-failure';
import type { RunningReply } from './turn-recorder.svelte';

export type CallStatus =
  | 'writing'
  | 'queued'
  | 'waiting-for-approval'
  | 'running'
  | 'done'
  | 'refused'
  | 'failed'
  | 'unanswered';

export interface CallView extends ReturnType<typeof imagesAndLinksOf> {
  type: 'call';
  id: string;
  name: string;
  /** The JSON written so far. Final once `isComplete` is true. */
  argumentsText: string;
  isComplete: boolean;
  status: CallStatus;
  repairs: readonly string[];
  /** Whether the model was unsure about the call but the user was not asked. */
  isUnsure?: boolean;
  /** Whether the user edited the arguments for a replay. `isResultEdited` says the same about the result. */
  isEdited?: boolean | undefined;
  isResultEdited?: boolean | undefined;
  isTaken?: boolean | undefined;
  /** Whether the call did not run, because the same call was made earlier in the turn. */
  isRepeated?: boolean | undefined;
  result?: string | undefined;
  failure?: ToolFailure | undefined;
  progress?: string | undefined;
  durationMs?: number | undefined;
  ageMs?: number | undefined;
  whole?: ReturnType<typeof wholeResultOf>;
}

export type ReplyPart =
  | { type: 'text'; id: string; text: string; isGrowing: boolean }
  | { type: 'thinking'; id: string; text: string; isGrowing: boolean }
  /** An unreadable call. The screen shows only the reason. */
  | { type: 'unreadable-call'; id: string; raw: string; reason: string }
  | CallView;

export type Turn = ReturnType<typeof turnOf>;

export function turnsOf(branch: readonly MessageNode[]): Turn[] {
  const groups: MessageNode[][] = [];
  for (const node of branch) {
    const last = groups.at(-1);
    if (node.message.role === 'user' || !last) groups.push([node]);
    else last.push(node);
  }
  return groups.map((group) => turnOf(group));
}

/** Adds the running reply to the last turn. Rebuilds only that turn, because this runs for every token. */
export function withReply(turns: readonly Turn[], running: RunningReply | undefined): readonly Turn[] {
  const last = turns.at(-1);
  if (!running || !last) return turns;
  const group = last.question ? [last.question, ...last.nodes] : last.nodes;
  return [...turns.slice(0, -1), turnOf(group, running)];
}

function turnOf(group: readonly MessageNode[], running?: RunningReply) {
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
    /** Whether a summary replaces this turn and everything before it in the prompt. */
    hasSummary: last?.summary !== undefined,
  };
}

function partsOf(nodes: readonly MessageNode[], running: RunningReply | undefined): ReplyPart[] {
  const results = new Map(running?.results);
  for (const { message } of nodes) {
    if (message.role === 'tool') for (const result of message.results) results.set(result.toolCallId, result);
  }
  const parts: ReplyPart[] = [];
  for (const { id, message } of nodes) {
    if (message.role !== 'assistant') continue;
    const first = parts.length;
    addParts(id, message.content, false);
    if (message.doubt?.by !== 'page') continue;
    for (const part of parts.slice(first)) if (part.type === 'call') part.isUnsure = true;
  }
  if (!running) return parts;

  const { id: runningId, content: written, openCall } = running;
  addParts(runningId, written, openCall === undefined);
  if (openCall?.name !== undefined) {
    const { id, name, text: argumentsText } = openCall;
    parts.push({ type: 'call', id, name, argumentsText, isComplete: false, status: 'writing', repairs: [] });
  }
  return parts;

  function addParts(id: string, content: AssistantMessage['content'], isLastGrowing: boolean): void {
    for (const [index, part] of content.entries()) {
      const isGrowing = isLastGrowing && index === content.length - 1;
      switch (part.type) {
        case 'text':
        case 'reasoning': {
          const type = part.type === 'text' ? 'text' : 'thinking';
          const last = parts.at(-1);
          // A continued reply consists of several messages. Show their text as one.
          if (last?.type === type)
            parts[parts.length - 1] = { ...last, text: last.text + part.text, isGrowing };
          else if (/\S/.test(part.text))
            parts.push({ type, id: `${id}.${index}`, text: part.text, isGrowing });
          break;
        }
        case 'tool-call':
          parts.push(callView(part, JSON.stringify(part.arguments), part.repairs));
          break;
        case 'invalid-tool-call':
          if (part.name === undefined) parts.push({ ...part, type: 'unreadable-call' });
          else {
            const argumentsText = part.arguments ? JSON.stringify(part.arguments) : part.raw;
            parts.push(callView({ ...part, name: part.name }, argumentsText));
          }
          break;
      }
    }
  }

  function callView(
    { id, name, isEdited }: Pick<ToolCall, 'id' | 'name' | 'isEdited'>,
    argumentsText: string,
    repairs: readonly string[] = [],
  ): CallView {
    const result = results.get(id);
    const view = { type: 'call' as const, id, name, argumentsText, isComplete: true, repairs, isEdited };
    if (!result) {
      return { ...view, ...(running?.calls.get(id) ?? { status: running ? 'queued' : 'unanswered' }) };
    }
    const status = statusOf(result);
    const text = textOf(result.content);
    return {
      ...view,
      status,
      // During the turn, a result may be megabytes long before it is cut for the model.
      result: running ? text.slice(0, maxRunningResultCharacters) : text,
      ...imagesAndLinksOf(result),
      whole: wholeResultOf(result),
      failure: result.failure,
      isResultEdited: result.isEdited,
      isTaken: result.isTaken,
      isRepeated: result.isRepeated,
      durationMs: status === 'refused' ? undefined : result.timing?.durationMs,
      ageMs: cacheAgeMsOf(result),
    };
  }
}

const maxRunningResultCharacters = 20_000;

const drawableMimeTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function imagesAndLinksOf({ content }: ToolResult) {
  const images = content.flatMap((part) =>
    part.type === 'image' && drawableMimeTypes.has(part.mimeType) ? [part] : [],
  );
  const links = content.flatMap((part) => (part.type === 'link' ? [part] : []));
  return { ...(images.length > 0 && { images }), ...(links.length > 0 && { links }) };
}

function wholeResultOf({ whole }: ToolResult) {
  if (!whole) return undefined;
  const { given, ...rest } = whole;
  return { ...rest, givenCharacters: given.reduce((sum, [from, to]) => sum + to - from, 0) };
}

function statusOf({ isError, failure }: ToolResult): CallStatus {
  if (!isError) return 'done';
  return failure === 'refused' || failure === 'refused-often' || failure === 'stopped' ? 'refused' : 'failed';
}

function cacheAgeMsOf({ cachedAt, timing }: ToolResult): number | undefined {
  return cachedAt === undefined || !timing ? undefined : Math.max(0, timing.startedAt - cachedAt);
}

export interface AgentChat {
  readonly branch: readonly MessageNode[];
  readonly reply: RunningReply | undefined;
  readonly settings: { readonly model?: ModelName | undefined };
}

export type AgentChats = ReadonlyMap<string, AgentChat>;

export type AgentView = ReturnType<typeof toAgentView>;

export function toAgentView({ branch, reply, settings: { model } }: AgentChat) {
  const turns = withReply(turnsOf(branch), reply);
  const usages = branch.flatMap(({ usage }) => usage ?? []);
  return {
    turns,
    parts: turns.flatMap(({ parts }) => parts),
    error: turns.at(-1)?.error,
    outputTokens: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    prefilledTokens: usages.reduce((sum, { prefilledTokens }) => sum + prefilledTokens, 0),
    /** The model chosen in the sub-agent's settings. Undefined if none is chosen, or if other models wrote all replies. */
    model: model && branch.some((node) => node.model?.id === model.id) ? model : undefined,
  };
}

/** Returns the token counts of a reply. Undefined if the engine reported none, as after a stop: the stored counts are then zeros. */
export function tokenCountsOf({ usage, message }: Pick<MessageNode, 'usage' | 'message'>) {
  if (!usage || usage.promptTokens === 0) return undefined;
  const isUncounted = usage.outputTokens === 0 && message.role === 'assistant' && message.content.length > 0;
  return isUncounted ? undefined : usage;
}

/** Returns the messages of sub-agents without their questions, which a model wrote and the calls already contain. */
export function messagesOf(agents: AgentChats): Message[] {
  return [...agents.values()].flatMap(({ branch }) =>
    branch.map(({ message }) => message).filter(({ role }) => role !== 'user'),
  );
}

/** A piece of text that the search in a chat can find, whether rendered or not. */
export interface ShownText {
  text: string;
  isMarkdown: boolean;
}

/** Returns all texts of a turn, even collapsed ones, in the order of the `data-said` and Markdown elements in the document. */
export function shownTexts({ question, parts }: Turn, agents: AgentChats): ShownText[] {
  const asked = question?.message.role === 'user' ? [toPlainShownText(textOf(question.message.content))] : [];
  return [...asked, ...textsOfParts(parts, agents)];
}

function textsOfParts(parts: readonly ReplyPart[], agents: AgentChats): ShownText[] {
  return parts.flatMap((part) => {
    switch (part.type) {
      case 'text':
        return [{ text: part.text, isMarkdown: true }];
      case 'thinking':
        return [toPlainShownText(part.text.trim())];
      case 'unreadable-call':
        return [toPlainShownText(part.reason), toPlainShownText(part.raw)];
      case 'call': {
        const agent = agents.get(part.id);
        const inside = agent ? textsOfParts(toAgentView(agent).parts, agents) : [];
        const result = part.result === undefined ? [] : [toPlainShownText(part.result)];
        return [toPlainShownText(part.argumentsText), ...inside, ...result];
      }
    }
  });
}

const toPlainShownText = (text: string): ShownText => ({ text, isMarkdown: false });

export function answerVersions(nodes: readonly MessageNode[], first: Pick<MessageNode, 'parentId'>) {
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
      if (part.type === 'text') return part.text.trim();
      if (part.type === 'unreadable-call') return part.raw;
      if (part.type === 'thinking') return [];
      return `${part.name} ${part.argumentsText}\n→ ${(part.result ?? '').trim()}`;
    })
    .join('\n\n');
}

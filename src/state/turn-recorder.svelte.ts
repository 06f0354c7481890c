/** Records a chat's turns: messages, checkpoints of the growing reply, and the hidden chats of sub-agents. */
import type { ChatRecord, MessageNode, MessagePosition } from '../contracts/chat';
import { appendEvent, branchOf, type ChatSettings, settingsOf } from '../contracts/chat-logic';
import type { AssistantMessage, Message, ToolResult } from '../contracts/message';
import type { ContextUse, ModelEvent, Usage } from '../contracts/model';
import type { ModelName, RecoveryStep } from '../contracts/model-library';
import type { Origin } from '../contracts/origin';
import type { ChatStore, DraftStore, LoadedChat } from '../contracts/store';
import type { ToolOffer } from '../contracts/tool';
import type { AgentEvent, AgentInfo, AgentRequest, TurnEnd, TurnReplay } from '../contracts/turn';
import { WriteQueue } from './write-queue';

export type ChatNotice = 'second-chance' | 'tool-off' | 'searched-first' | 'words-only' | 'other-tab';

const checkpointMs = 250;

export type StoredChat = { chat: ChatRecord; nodes: readonly MessageNode[] } | { id: string };

/** A message to add to a branch. `record`: further fields of its node. `prompt`: the prompt that the model replied to. */
export type NewMessage = readonly [
  message: Message,
  record?: Omit<Partial<MessageNode>, Exclude<keyof MessagePosition, 'id'>>,
  prompt?: string | undefined,
];

export interface ContinuedAgent {
  callId: string;
  agent: AgentInfo;
  messages: readonly NewMessage[];
}

const noAgents: ReadonlyMap<string, never> = new Map<string, never>();

/** Each sub-agent has its own recorder. The recorder of the user's chat, called the root, holds all of them. */
export class TurnRecorder {
  readonly id: string;
  // Raw, because we send these objects to workers and IndexedDB, which cannot clone a proxy.
  nodes = $state.raw<readonly MessageNode[]>([]);
  leafId = $state<string | null>(null);
  reply = $state.raw<RunningReply>();
  isRunning = $state(false);
  context = $state.raw<ContextUse>();
  notices = $state.raw<readonly ChatNotice[]>([]);
  settings = $state.raw<ChatSettings>({ toolsOff: [] });
  /** The tools that we list in this chat's prompts. Undefined if we list all tools. */
  toolOffer = $state.raw<ToolOffer>();
  /** False while something on the screen is not yet on the disk. */
  isSaved = $state(true);
  /** Whether nothing is running and everything is written. Only then can the chat be reloaded after a change by another tab. */
  isSettled = $state(true);
  /** Sub-agents, including nested ones, by the id of the call that started them. Empty for a sub-agent. */
  agents = $state.raw<ReadonlyMap<string, TurnRecorder>>(noAgents);
  readonly branch = $derived(branchOf(this.nodes, this.leafId));

  protected readonly functions: RecorderFunctions;
  /** Id of the next message. Its checkpoints use the same id. */
  #nextId: string;
  #grown: ModelEvent[] = [];
  #checkpointedAt = 0;
  readonly #root: TurnRecorder;
  /** Sub-agents share their chat's queue. A call is therefore stored as answered only after the sub-agent's messages are. */
  protected readonly writes: WriteQueue;
  #writer: ModelName | undefined;

  constructor(functions: RecorderFunctions, stored: StoredChat, root?: TurnRecorder) {
    this.functions = functions;
    this.#nextId = functions.newId();
    this.#root = root ?? this;
    this.writes =
      root?.writes ??
      new WriteQueue((isSaved) => {
        this.isSaved = isSaved;
        this.isSettled = this.writes.isEmpty && !this.isRunning;
      });
    this.id = 'chat' in stored ? stored.chat.id : stored.id;
    if (!('chat' in stored)) return;
    this.nodes = stored.nodes;
    this.leafId = stored.chat.leafId;
    this.settings = settingsOf(stored.chat);
    this.toolOffer = stored.chat.toolOffer;
  }

  protected setRunning(isRunning: boolean): void {
    this.isRunning = isRunning;
  }

  protected loadAgents(stored: LoadedChat['agents']): void {
    const added = withoutCycles(stored).flatMap((agent): [string, TurnRecorder][] => {
      const callId = agent.chat.agentOf?.callId ?? '';
      return this.agents.has(callId) ? [] : [[callId, new TurnRecorder(this.functions, agent, this)]];
    });
    if (added.length > 0) this.agents = withAdded(this.agents, ...added);
  }

  async #follow(event: AgentEvent | AgentRequest): Promise<void> {
    if (event.type === 'agent-request') return this.add(event.message);
    if (event.type === 'turn-start') this.setRunning(true);
    await this.recordEvent(event);
    if (event.type === 'turn-end') this.#settle();
  }

  #settle(): void {
    this.#checkpoint();
    this.reply = undefined;
    this.setRunning(false);
  }

  /** Creates a sub-agent's chat with copied messages. When the replay reaches its call, the sub-agent continues after these messages. */
  protected addAgent({ callId, agent, messages }: ContinuedAgent): void {
    const recorder = this.#beginAgent(callId, agent);
    for (const message of messages) void recorder.add(...message);
  }

  #beginAgent(callId: string, { title, model, answeredBy }: AgentInfo): TurnRecorder {
    const root = this.#root;
    const begun = root.agents.get(callId);
    const agent = begun ?? new TurnRecorder(this.functions, { id: this.functions.newId() }, root);
    agent.#writer = answeredBy;
    if (begun) return begun;
    agent.settings = { toolsOff: [], ...(model && { model }) };
    root.agents = withAdded(root.agents, [callId, agent]);
    void agent.createChat(title, { agentOf: { chatId: root.id, callId } });
    return agent;
  }

  protected createChat(title: string, agentFields: Pick<ChatRecord, 'agentOf'> = {}): Promise<void> {
    const { id, settings } = this;
    const now = this.functions.date();
    const chat = { id, title, isNamed: false, createdAt: now, updatedAt: now, leafId: null };
    return this.write(() => this.functions.chats.create({ ...chat, ...settings, ...agentFields }));
  }

  protected async recordEvent(event: AgentEvent): Promise<void> {
    const reply = {
      ...(this.reply ?? startReply(this.#nextId)),
      hasBegun: event.type !== 'turn-start',
      latest: event,
    };
    switch (event.type) {
      case 'turn-start':
        this.reply = { ...reply, origins: event.promptOrigins };
        break;
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-call':
        this.reply = { ...reply, content: appendEvent(reply.content, event), openCall: undefined };
        this.#grown.push(event);
        // Check the time on each event, because browsers slow down timers in hidden tabs.
        if (this.functions.now() - this.#checkpointedAt >= checkpointMs) this.#checkpoint();
        break;
      case 'context':
      case 'server-wait':
      case 'prompt-progress':
        if (event.type === 'context') this.context = event.context;
        this.reply = reply;
        break;
      case 'tool-offer':
        this.reply = { ...reply, toolOffer: event.offer };
        this.#takeOffer(event.offer);
        break;
      case 'summing-up':
        this.reply = { ...reply, isSummingUp: true };
        break;
      case 'summary':
        this.reply = { ...reply, isSummingUp: false };
        // Write the summary before the reply, so a crash does not lose it.
        await this.#mark(this.branch[event.messages - 1], { summary: event.summary });
        break;
      case 'call-delta': {
        const { id, name, text } = event;
        const open = reply.openCall?.id === id ? reply.openCall : { id, text: '' };
        this.reply = { ...reply, openCall: { ...open, name: name ?? open.name, text: open.text + text } };
        break;
      }
      case 'tool-approval-request':
      case 'tool-start': {
        const status = event.type === 'tool-start' ? 'running' : 'waiting-for-approval';
        this.reply = { ...reply, calls: withAdded(reply.calls, [event.call.id, { status }]) };
        break;
      }
      case 'tool-progress': {
        const call = { status: 'running' as const, progress: event.text };
        this.reply = { ...reply, calls: withAdded(reply.calls, [event.toolCallId, call]) };
        break;
      }
      case 'tool-result':
        this.reply = { ...reply, results: withAdded(reply.results, [event.result.toolCallId, event.result]) };
        break;
      case 'reply-dropped':
        this.reply = { ...reply, content: [], openCall: undefined };
        this.#grown = [];
        break;
      case 'recovery':
        this.reply = { ...reply, recoveries: [...reply.recoveries, event.step] };
        break;
      case 'message-end': {
        const { message, usage, prompt, by, round } = event;
        const isModels = message.role === 'assistant' && by !== 'page';
        const model = isModels ? (this.#writer ?? this.functions.currentModel(message.writer)) : undefined;
        // A stopped reply has no counts. Keep showing the speed of the reply before it.
        if (usage?.promptTokens && !this.#writer) this.functions.onUsage(usage);
        // Update both at once: the message moves from the running reply to the branch.
        // The page may reply for the fallback model. A call of the page before the model's first reply takes no recoveries.
        const isReply = message.role === 'assistant' && (isModels || message.finishReason === 'stop');
        const recoveries = isReply && reply.recoveries.length > 0 ? [...reply.recoveries] : undefined;
        const record = {
          ...(model && { model }),
          ...(usage && { usage }),
          ...(round && { round }),
          ...(recoveries && { recoveries }),
          ...(isModels && reply.toolOffer && { toolOffer: reply.toolOffer }),
        };
        const written = this.add(message, record, prompt);
        this.reply = {
          ...reply,
          id: this.#nextId,
          openCall: undefined,
          content: [],
          recoveries: recoveries ? [] : reply.recoveries,
          toolOffer: isModels ? undefined : reply.toolOffer,
        };
        await written;
        break;
      }
      case 'notice':
        if (!this.notices.includes(event.code)) this.notices = [...this.notices, event.code];
        break;
      case 'agent-start':
        this.#beginAgent(event.toolCallId, event.agent);
        break;
      case 'agent-event': {
        const agent = this.#root.agents.get(event.toolCallId);
        if (agent) await agent.#follow(event.event);
        break;
      }
      case 'turn-end':
        await this.endTurn(event.reason);
        break;
    }
  }

  /** Stores the offered tools before the reply, so the next turn's prompt begins in the same way. */
  #takeOffer(offer: ToolOffer | undefined): void {
    const isSame = JSON.stringify(offer) === JSON.stringify(this.toolOffer);
    this.toolOffer = offer;
    if (!isSame) void this.write(() => this.functions.chats.update(this.id, { toolOffer: offer }));
  }

  protected beginReply(): void {
    this.reply = startReply(this.#nextId);
  }

  /** Writes the unwritten part of the reply and of interrupted sub-agents. Call it even if the turn has failed. */
  protected async finishReply(): Promise<void> {
    this.#checkpoint();
    for (const agent of this.agents.values()) if (agent.isRunning) agent.#settle();
    await this.writes.settled;
    this.reply = undefined;
  }

  protected endTurn(turnEnd: TurnEnd): Promise<void> {
    return this.#mark(this.branch.at(-1), { turnEnd });
  }

  async #mark(marked: MessageNode | undefined, mark: Pick<MessageNode, 'summary' | 'turnEnd'>) {
    if (!marked) return;
    this.nodes = this.nodes.map((node) => (node === marked ? { ...node, ...mark } : node));
    await this.write(() => this.functions.chats.mark(marked.id, mark));
  }

  protected add(...[message, record = {}, prompt]: NewMessage): Promise<void> {
    const node: MessageNode = { ...this.#place(), message, ...record };
    this.#grown = [];
    this.#nextId = this.functions.newId();
    this.nodes = [...this.nodes, node];
    this.leafId = node.id;
    return this.write(() => this.functions.chats.save(node, prompt));
  }

  #checkpoint(): void {
    if (this.#grown.length === 0) return;
    const events = this.#grown;
    const place = this.#place();
    const origins = this.reply?.origins;
    this.#grown = [];
    this.#checkpointedAt = this.functions.now();
    void this.write(() => this.functions.chats.checkpoint(place, events, origins));
  }

  #place(): MessagePosition {
    const createdAt = this.functions.date();
    const parent = this.branch.at(-1);
    // Messages from older versions may lack a depth. The next load computes it.
    const before = parent ? parent.depth : -1;
    const depth = before === undefined ? undefined : before + 1;
    return { id: this.#nextId, chatId: this.id, parentId: this.leafId, depth, createdAt };
  }

  protected write(task?: () => Promise<unknown>): Promise<void> {
    this.isSettled = false;
    return this.writes.add(task);
  }
}

/** Implemented in `src/app`, because `src/state` knows neither engines nor the store. */
export interface RecorderFunctions {
  run: (
    history: readonly Message[],
    options: ChatSettings & {
      chatId: string;
      toolOffer: ToolOffer | undefined;
      branch: readonly MessageNode[];
      agentHistory: (callId: string) => readonly Message[] | undefined;
      replay?: TurnReplay | undefined;
      signal: AbortSignal;
      /** Whether to end the turn after the current round, because a queued message comes next. */
      isSteered: () => boolean;
      /** When the user sent the question, as measured by `now`. */
      askedAt: number;
    },
  ) => AsyncGenerator<AgentEvent, Message[]>;
  /** The loaded model, or the small model if that one is the `writer` of a reply. */
  currentModel: (writer?: string) => { id: string; engine: string };
  chats: ChatStore;
  drafts: Pick<DraftStore, 'save'>;
  onUsage: (usage: Usage) => void;
  /** Locks a chat's turns across tabs. Resolves to a function that releases the lock, or to undefined if another tab runs a turn. */
  lockTurn: (chatId: string) => Promise<(() => void) | undefined>;
  newId: () => string;
  /** Resolves in a task of its own, so that the page can respond before. */
  nextTask: () => Promise<void>;
  /** Returns milliseconds for measuring durations. The starting point is arbitrary. */
  now: () => number;
  date: () => number;
}

export interface RunningReply {
  /** Id of the message being written. The stored message keeps this id, so the screen keeps its element. */
  id: string;
  hasBegun: boolean;
  content: AssistantMessage['content'];
  /** Strangers' texts that are in the prompt besides the messages. */
  origins?: readonly Origin[];
  openCall?: { id: string; name?: string | undefined; text: string } | undefined;
  calls: ReadonlyMap<string, { status: 'waiting-for-approval' | 'running'; progress?: string }>;
  results: ReadonlyMap<string, ToolResult>;
  recoveries: readonly RecoveryStep[];
  toolOffer?: ToolOffer | undefined;
  isSummingUp?: boolean;
  latest?: AgentEvent;
}

function startReply(id: string): RunningReply {
  return { id, hasBegun: false, content: [], calls: new Map(), results: new Map(), recoveries: [] };
}

function withAdded<Value>(map: ReadonlyMap<string, Value>, ...added: [id: string, value: Value][]) {
  return new Map([...map, ...added]);
}

/** Leaves out sub-agents that contain the call which started them, perhaps in a sub-agent of theirs. A file may claim that. */
function withoutCycles(agents: LoadedChat['agents']): LoadedChat['agents'] {
  const startedBy = ({ chat }: LoadedChat['agents'][number]) => chat.agentOf?.callId ?? '';
  const callsIn = new Map(agents.map((agent) => [startedBy(agent), agent.nodes.flatMap(callIdsOf)]));
  return agents.filter((agent) => {
    const inside = [...(callsIn.get(startedBy(agent)) ?? [])];
    for (const id of inside) {
      const more = callsIn.get(id) ?? [];
      inside.push(...more.filter((one) => !inside.includes(one)));
    }
    return !inside.includes(startedBy(agent));
  });
}

function callIdsOf({ message }: MessageNode): string[] {
  if (message.role !== 'assistant') return [];
  return message.content.flatMap((part) => (part.type === 'tool-call' ? part.id : []));
}

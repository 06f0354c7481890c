import type { ChatRecord, MessageNode, Place } from '../contracts/chat';
import { appendEvent, type ChatSettings } from '../contracts/chat-logic';
import type { AssistantMessage, Message, ToolResult } from '../contracts/message';
import type { ContextUse, ModelEvent, Usage } from '../contracts/model';
import type { ModelName, RecoveryStep } from '../contracts/model-library';
import type { ChatStore, DraftStore } from '../contracts/store';
import type { ToolOffer } from '../contracts/tool';
import type { AgentEvent, AgentInfo, AgentRequest, TurnEnd, TurnReplay } from '../contracts/turn';
import { WriteQueue } from './write-queue';

/**
 * What happens in a turn, event by event, and how it is written down: messages, checkpoints of the reply in progress, and the hidden chats
 * of sub-agents, whose turns run within it.
 */

export type ChatNotice = 'second-chance' | 'tool-off' | 'searched-first' | 'words-only' | 'other-tab';

/** Milliseconds between two checkpoints of a running reply. */
const checkpointMs = 250;

/** A chat as it was stored, or the id of one that was not. */
export type StoredChat = { chat: ChatRecord; nodes: readonly MessageNode[] } | { id: string };

/** A message for the end of a branch, what is recorded of it, and the prompt it was made from. */
export type Put = readonly [
  message: Message,
  record?: Omit<Partial<MessageNode>, Exclude<keyof Place, 'id'>>,
  prompt?: string | undefined,
];

/** The hidden chat of a sub-agent that goes on from what is put there. */
export interface AgentPut {
  callId: string;
  agent: AgentInfo;
  put: readonly Put[];
}

/** Of the hidden chat of a sub-agent: by which call it was asked, and the chat that it works for. */
export interface AgentPlace {
  callId: string;
  root: TurnRecorder;
}

export abstract class TurnRecorder {
  readonly id: string;
  /** All messages of the tree, parents before children. */
  abstract nodes: readonly MessageNode[];
  /** The last message of the branch that is shown; null in an empty chat. */
  abstract leafId: string | null;
  /** The reply in progress; undefined while no turn runs. */
  abstract reply: RunningReply | undefined;
  /** From the first moment of a turn to its last, the wait for the model included. */
  abstract readonly isRunning: boolean;
  /** How full the model's memory was when it was last asked; undefined in a visit in which it was not asked yet. */
  abstract context: ContextUse | undefined;
  /** Notices of the current or last turn, newest last. */
  abstract notices: readonly ChatNotice[];
  /** Which tools the model is shown; undefined where that is all that are on. */
  abstract toolOffer: ToolOffer | undefined;
  /** False while something on the screen is not on the disk. */
  abstract isSaved: boolean;
  /** Nothing runs here and all is written: it may be read anew when another tab has changed it. */
  abstract isSettled: boolean;
  /** From the first message of the tree to the leaf. */
  abstract readonly branch: readonly MessageNode[];
  /** Its sub-agents, those of sub-agents too, by the call that asked for each. Empty in the chat of a sub-agent. */
  abstract readonly agents: ReadonlyMap<string, TurnRecorder>;

  protected readonly functions: RecorderFunctions;
  /** Id of the next message. A running reply is checkpointed under it, and stored under it when it is whole. */
  #nextId: string;
  /** What the running reply grew by since its last checkpoint. */
  #grown: ModelEvent[] = [];
  /** When the last checkpoint was written, by `now`. */
  #checkpointedAt = 0;
  /** A sub-agent's are among those of its chat: so its call is answered on the disk after all that led to the answer. */
  protected readonly writes: WriteQueue;
  readonly #agentPlace: AgentPlace | undefined;
  /** Of a sub-agent: the model that answers it beside the one that is loaded. */
  #writer: ModelName | undefined;

  constructor(functions: RecorderFunctions, stored: StoredChat, place?: AgentPlace) {
    this.functions = functions;
    this.#nextId = functions.newId();
    this.id = 'chat' in stored ? stored.chat.id : stored.id;
    this.#agentPlace = place;
    this.writes =
      place?.root.writes ??
      new WriteQueue((isSaved) => {
        this.isSaved = isSaved;
        this.isSettled = this.writes.isEmpty && !this.isRunning;
      });
  }

  /** Sets `isRunning`. */
  protected abstract setRunning(isRunning: boolean): void;

  /** Begins the hidden chat of a sub-agent, and adds it to `agents`. */
  protected abstract addAgent(callId: string, agent: AgentInfo): TurnRecorder;

  /** Something of a sub-agent's turn; this is its chat. */
  async #follow(event: AgentEvent | AgentRequest): Promise<void> {
    if (event.type === 'agent-request') return this.add(event.message);
    if (event.type === 'turn-start') this.setRunning(true);
    await this.take(event);
    if (event.type === 'turn-end') this.#settle();
  }

  /** Its turn is over, or broke off. */
  #settle(): void {
    this.#checkpoint();
    this.reply = undefined;
    this.setRunning(false);
  }

  async #tellAgent(callId: string, event: AgentEvent | AgentRequest): Promise<void> {
    const agent = (this.#agentPlace?.root ?? this).agents.get(callId);
    if (agent) await agent.#follow(event);
  }

  /** Before the call is answered: it goes on there as one that was interrupted. */
  protected putAgent({ callId, agent, put }: AgentPut): void {
    const recorder = this.#beginAgent(callId, agent);
    for (const one of put) void recorder.add(...one);
  }

  #beginAgent(callId: string, agent: AgentInfo): TurnRecorder {
    const root = this.#agentPlace?.root ?? this;
    // One that was interrupted goes on in its chat.
    const begun = root.agents.get(callId);
    const recorder = begun ?? root.addAgent(callId, agent);
    recorder.#writer = agent.answeredBy;
    if (begun) return begun;
    const { id } = recorder;
    const now = this.functions.date();
    const { title, model } = agent;
    const chat = {
      ...{ id, title, isNamed: false, createdAt: now, updatedAt: now, leafId: null, toolsOff: [] },
      agentOf: { chatId: root.id, callId },
      ...(model && { model }),
    };
    void this.write(() => this.functions.chats.create(chat));
    return recorder;
  }

  protected async take(event: AgentEvent): Promise<void> {
    const reply = {
      ...(this.reply ?? startReply(this.#nextId)),
      hasBegun: event.type !== 'turn-start',
      latest: event,
    };
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-call':
        this.reply = addToReply(reply, event);
        this.#grown.push(event);
        // Checked when something arrives, not by a timer: a hidden tab's timers all but stop.
        if (this.functions.now() - this.#checkpointedAt >= checkpointMs) this.#checkpoint();
        break;
      case 'context':
        this.context = event.context;
        this.reply = reply;
        break;
      case 'server-wait':
      case 'prompt-progress':
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
        // On the disk before the reply: what was summed up is not summed up again after a kill.
        await this.#mark(this.branch[event.messages - 1], { summary: event.summary });
        break;
      case 'call-delta':
      case 'tool-approval-request':
      case 'tool-start':
      case 'tool-progress':
      case 'tool-result':
      case 'recovery':
        this.reply = addToReply(reply, event);
        break;
      case 'message-end': {
        const { message, usage, prompt, by, round } = event;
        const isModels = message.role === 'assistant' && by !== 'page';
        const model = isModels ? (this.#writer ?? this.functions.currentModel()) : undefined;
        if (usage && !this.#writer) this.functions.onUsage(usage);
        // Both at once for the screen: the message enters the branch as it leaves the reply in progress.
        const recoveries = isModels && reply.recoveries.length > 0 ? [...reply.recoveries] : undefined;
        const record = {
          ...(model && { model }),
          ...(usage && { usage }),
          ...(round && { round }),
          ...(recoveries && { recoveries }),
          ...(isModels && reply.toolOffer && { toolOffer: reply.toolOffer }),
        };
        const written = this.add(message, record, prompt);
        const untold = recoveries ? [] : reply.recoveries;
        const toolOffer = isModels ? undefined : reply.toolOffer;
        this.reply = {
          ...reply,
          ...{ id: this.#nextId, openCall: undefined, content: [], recoveries: untold, toolOffer },
        };
        await written;
        break;
      }
      case 'notice':
        // Said once, however often it happens in a turn.
        if (!this.notices.includes(event.code)) this.notices = [...this.notices, event.code];
        break;
      case 'agent-start':
        this.#beginAgent(event.toolCallId, event.agent);
        break;
      case 'agent-event':
        await this.#tellAgent(event.toolCallId, event.event);
        break;
      case 'turn-end':
        await this.endTurn(event.reason);
        break;
      case 'turn-start':
        break;
    }
  }

  /** Before the reply: the next turn begins its prompt as this one did. */
  #takeOffer(offer: ToolOffer | undefined): void {
    const isSame = JSON.stringify(offer) === JSON.stringify(this.toolOffer);
    this.toolOffer = offer;
    if (!isSame) void this.write(() => this.functions.chats.update(this.id, { toolOffer: offer }));
  }

  /** Of the reply that is written next. */
  protected beginReply(): void {
    this.reply = startReply(this.#nextId);
  }

  /** However the turn ended: what is there is written, also of sub-agents that were broken off. */
  protected async finishReply(): Promise<void> {
    this.#checkpoint();
    for (const agent of this.agents.values()) if (agent.isRunning) agent.#settle();
    await this.writes.settled;
    this.reply = undefined;
  }

  protected endTurn(turnEnd: TurnEnd): Promise<void> {
    return this.#mark(this.branch.at(-1), { turnEnd });
  }

  /** Adds to a message that is stored. */
  async #mark(
    marked: MessageNode | undefined,
    mark: Pick<MessageNode, 'summary' | 'turnEnd'>,
  ): Promise<void> {
    if (!marked) return;
    this.nodes = this.nodes.map((node) => (node === marked ? { ...node, ...mark } : node));
    await this.write(() => this.functions.chats.mark(marked.id, mark));
  }

  protected add(...[message, record = {}, prompt]: Put): Promise<void> {
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
    this.#grown = [];
    this.#checkpointedAt = this.functions.now();
    void this.write(() => this.functions.chats.checkpoint(place, events));
  }

  #place(): Place {
    const createdAt = this.functions.date();
    const parent = this.branch.at(-1);
    // Unknown in a chat that an older version wrote: it is counted when that chat is read.
    const before = parent ? parent.depth : -1;
    const depth = before === undefined ? undefined : before + 1;
    return { id: this.#nextId, chatId: this.id, parentId: this.leafId, depth, createdAt };
  }

  protected write(task?: () => Promise<unknown>): Promise<void> {
    this.isSettled = false;
    return this.writes.add(task);
  }
}

/** What a chat is handed to run its turns and to write them down. */

/** Handed in by `src/app`; state knows neither engine nor store. */
export interface RecorderFunctions {
  /** Runs one turn after `history`. */
  run: (
    history: readonly Message[],
    options: ChatSettings & {
      chatId: string;
      /** What the model was shown in the turns before. */
      toolOffer: ToolOffer | undefined;
      /** The messages of `history`, as they are kept. */
      branch: readonly MessageNode[];
      /** How far the sub-agent of a call had come; undefined where it had not begun. */
      agentHistory: (callId: string) => readonly Message[] | undefined;
      /** Missing where no turn is run once more. */
      replay?: TurnReplay | undefined;
      signal: AbortSignal;
      /** Whether the turn is to end after the results of a round: something waits to be asked next. */
      isSteered: () => boolean;
      /** When it was sent, by `now`. */
      askedAt: number;
    },
  ) => AsyncGenerator<AgentEvent, Message[]>;
  /** The model that is loaded, for the record of its replies. */
  currentModel: () => { id: string; engine: string };
  chats: Pick<
    ChatStore,
    | 'create'
    | 'update'
    | 'retitle'
    | 'load'
    | 'loadBefore'
    | 'binFrom'
    | 'restoreFrom'
    | 'save'
    | 'checkpoint'
    | 'mark'
  >;
  drafts: Pick<DraftStore, 'save'>;
  onUsage: (usage: Usage) => void;
  /** Held while a turn of the chat runs, in any tab; `undefined` if another tab holds it. */
  lockTurn: (chatId: string) => Promise<(() => void) | undefined>;
  newId: () => string;
  /** Milliseconds, from any start. */
  now: () => number;
  /** Milliseconds since the epoch. */
  date: () => number;
}

/** The reply of a turn in progress, event by event. */

/** The reply of a turn in progress, and what its calls are doing: all that is not stored yet. */
export interface RunningReply {
  /** Id under which the message being written will be stored, so that what is drawn stays when it is. */
  id: string;
  /** False until the first event of the turn that is more than its start. */
  hasBegun: boolean;
  content: AssistantMessage['content'];
  /** The call being written. */
  openCall?: { id: string; name?: string | undefined; text: string } | undefined;
  calls: ReadonlyMap<string, { status: 'waiting-for-approval' | 'running'; progress?: string }>;
  results: ReadonlyMap<string, ToolResult>;
  /** Recovery steps since the last reply. They are stored with the next one. */
  recoveries: readonly RecoveryStep[];
  /** Which tools the model was shown for the reply that is being written: it is stored with it. */
  toolOffer?: ToolOffer | undefined;
  /** The earlier part of the chat is being summed up before it is written. */
  isSummingUp?: boolean;
  /** The newest event of the turn: what is being waited for. */
  latest?: AgentEvent;
}

export function startReply(id: string): RunningReply {
  return { id, hasBegun: false, content: [], calls: new Map(), results: new Map(), recoveries: [] };
}

type ReplyEvent = Exclude<
  AgentEvent,
  {
    type:
      | 'turn-start'
      | 'turn-end'
      | 'message-end'
      | 'notice'
      | 'context'
      | 'tool-offer'
      | 'summing-up'
      | 'summary'
      | 'server-wait'
      | 'prompt-progress'
      | 'agent-start'
      | 'agent-event';
  }
>;

/** The reply in progress after one more event. */
export function addToReply(running: RunningReply, event: ReplyEvent): RunningReply {
  switch (event.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-call':
      return { ...running, content: appendEvent(running.content, event), openCall: undefined };
    case 'call-delta': {
      const open = running.openCall?.id === event.id ? running.openCall : { id: event.id, text: '' };
      const openCall = { ...open, name: event.name ?? open.name, text: open.text + event.text };
      return { ...running, openCall };
    }
    case 'tool-approval-request':
      return withCall(running, event.call.id, { status: 'waiting-for-approval' });
    case 'tool-start':
      return withCall(running, event.call.id, { status: 'running' });
    case 'tool-progress':
      return withCall(running, event.toolCallId, { status: 'running', progress: event.text });
    case 'tool-result':
      return { ...running, results: new Map(running.results).set(event.result.toolCallId, event.result) };
    case 'recovery':
      return { ...running, recoveries: [...running.recoveries, event.step] };
  }
}

type RunningCall = RunningReply['calls'] extends ReadonlyMap<string, infer Call> ? Call : never;

function withCall(running: RunningReply, id: string, call: RunningCall): RunningReply {
  return { ...running, calls: new Map(running.calls).set(id, call) };
}

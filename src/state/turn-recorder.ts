/**
 * What happens in a turn, event by event, and how it is written down: messages, checkpoints of the reply in progress, and the hidden chats
 * of sub-agents, whose turns run within it.
 */
import type { ChatRecord, MessageNode, Place } from '../contracts/chat';
import type { AgentEvent, AgentInfo, AgentRequest, TurnEnd } from '../contracts/turn';
import type { Message } from '../contracts/message';
import type { ContextUse, ModelEvent } from '../contracts/model';
import type { ModelName } from '../contracts/model-library';
import type { ToolOffer } from '../contracts/tool';
import type { RecorderFunctions } from './recorder-functions';
import { addToReply, type RunningReply, startReply } from './running-reply';
import { WriteQueue } from './write-queue';

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

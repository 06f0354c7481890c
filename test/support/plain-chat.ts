/** A chat in plain fields, for testing its recorder without a page. */
import { branchOf, type ChatSettings, settingsOf } from '../../src/contracts/chat-logic';
import type { MessageNode, QuestionEdit } from '../../src/contracts/chat';
import type { AttachedResource } from '../../src/contracts/message';
import type { LoadedChat } from '../../src/contracts/store';
import type { ContextUse } from '../../src/contracts/model';
import type { ToolOffer } from '../../src/contracts/tool';
import { ChatRecorder } from '../../src/state/chat-recorder';
import type {
  AgentPlace,
  ChatNotice,
  RecorderFunctions,
  RunningReply,
  StoredChat,
} from '../../src/state/turn-recorder';
import { turnsOf, withReply } from '../../src/state/turns';

export class PlainChat extends ChatRecorder {
  nodes: readonly MessageNode[] = [];
  leafId: string | null = null;
  reply: RunningReply | undefined;
  isRunning = false;
  context: ContextUse | undefined;
  notices: readonly ChatNotice[] = [];
  settings: ChatSettings = { toolsOff: [] };
  toolOffer: ToolOffer | undefined;
  draft = '';
  quoted: readonly string[] = [];
  attached: readonly AttachedResource[] = [];
  edits: readonly QuestionEdit[] = [];
  agents: ReadonlyMap<string, PlainChat> = new Map();
  isNew = true;
  isSaved = true;
  isSettled = true;
  from: number | undefined;

  constructor(functions: RecorderFunctions, stored: StoredChat, place?: AgentPlace) {
    super(functions, stored, place);
    if (!('chat' in stored)) return;
    this.isNew = false;
    this.nodes = stored.nodes;
    this.leafId = stored.chat.leafId;
    this.toolOffer = stored.chat.toolOffer;
    this.settings = settingsOf(stored.chat);
  }

  protected override addAgent(callId: string): PlainChat {
    const agent = new PlainChat(this.functions, { id: this.functions.newId() }, { callId, root: this });
    agent.isNew = false;
    this.agents = new Map(this.agents).set(callId, agent);
    return agent;
  }

  protected override takeAgents(stored: LoadedChat['agents']): void {
    for (const agent of stored) {
      const callId = agent.chat.agentOf?.callId ?? '';
      this.agents = new Map(this.agents).set(
        callId,
        new PlainChat(this.functions, agent, { callId, root: this }),
      );
    }
  }

  get branch() {
    return branchOf(this.nodes, this.leafId);
  }

  get turns() {
    return withReply(turnsOf(this.branch), this.reply);
  }

  protected override setRunning(isRunning: boolean) {
    this.isRunning = isRunning;
  }
}

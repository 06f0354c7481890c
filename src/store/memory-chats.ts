/** Chats that are kept in memory: in a visit in which nothing can be stored, and those that a person wants to be temporary. */
import type { BinEntry } from '../contracts/bin';
import { branchOf, leafWithout, newestLeafOf } from '../contracts/branch';
import type { ChatRecord, MessageNode } from '../contracts/chat';
import { appendEvent } from '../contracts/append-event';
import type { ChatStore } from '../contracts/store';
import { type AgentChat, agentChatsOf, agentChatsOfOnly } from './agent-chats';
import { entriesOfMessages, entryOf } from './bin-entries';
import { gone } from './chats';
import { withLeaf } from './load-chat';
import { beginReply } from './read-rows';
import { inOrder, isBinned, shownOf, subtreeOf } from './tree';

export interface MemoryChats extends ChatStore {
  /** What is in the bin, in no order. */
  binned: () => BinEntry[];
}

/** The rows, and what is done to them by all that follows. */
class Rows {
  readonly chats = new Map<string, ChatRecord>();
  readonly nodes = new Map<string, MessageNode>();
  readonly prompts = new Map<string, string>();
  readonly watchers = new Set<() => void>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get now(): number {
    return this.#now();
  }

  list(): ChatRecord[] {
    return shownOf([...this.chats.values()])
      .filter(({ agentOf }) => !agentOf)
      .sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** Those in the bin too. */
  nodesOf(chatId: string): MessageNode[] {
    return inOrder([...this.nodes.values()].filter((node) => node.chatId === chatId));
  }

  /** Those in the bin too. */
  agentsOf(chatId: string): { chat: ChatRecord; nodes: MessageNode[] }[] {
    return [...this.chats.values()]
      .filter(({ agentOf }) => agentOf?.chatId === chatId)
      .map((chat) => ({ chat, nodes: this.nodesOf(chat.id) }));
  }

  changed(): void {
    for (const tell of this.watchers) tell();
  }

  shown(chatId: string): ChatRecord | undefined {
    const chat = this.chats.get(chatId);
    return chat && !isBinned(chat) ? chat : undefined;
  }

  updateChat(chatId: string, change: Partial<ChatRecord>): void {
    const chat = this.shown(chatId);
    if (!chat) throw gone(`chat ${chatId}`);
    this.chats.set(chatId, { ...chat, ...change });
    this.changed();
  }

  remove(ids: Iterable<string>): void {
    for (const id of ids) {
      this.nodes.delete(id);
      this.prompts.delete(id);
    }
  }

  removeAgents(agents: readonly AgentChat[]): void {
    for (const { chat, nodes } of agents) {
      this.remove(nodes.map(({ id }) => id));
      this.chats.delete(chat.id);
    }
  }

  put(node: MessageNode): void {
    this.updateChat(node.chatId, { leafId: node.id, updatedAt: this.now });
    this.nodes.set(node.id, node);
  }

  /** `deletedAt` undefined takes them out of the bin. */
  markChats(ids: readonly string[], deletedAt: number | undefined): void {
    for (const id of ids) {
      const chat = this.chats.get(id);
      if (chat) this.chats.set(id, { ...chat, deletedAt });
    }
  }

  markNodes(nodes: readonly MessageNode[], deletedAt: number | undefined): void {
    for (const node of nodes) this.nodes.set(node.id, { ...node, deletedAt });
  }
}

/** `now` in milliseconds since the epoch. */
export function createMemoryChats(now: () => number): MemoryChats {
  const rows = new Rows(now);
  const { chats, nodes, prompts, watchers } = rows;

  const load = (chatId: string) => {
    const chat = rows.shown(chatId);
    const own = shownOf(rows.nodesOf(chatId));
    const agents = rows.agentsOf(chatId).filter((agent) => !isBinned(agent.chat));
    return chat && { chat: withLeaf(chat, own), nodes: own, damaged: [], agents };
  };
  const change = (chatId: string, changed: Partial<ChatRecord>) =>
    settled(() => rows.updateChat(chatId, changed));

  return {
    // Copies, as a database does: later changes to the object change nothing here, and what cannot be cloned is refused.
    create: (chat) =>
      settled(() => {
        chats.set(chat.id, structuredClone(chat));
        rows.changed();
      }),
    list: () => settled(() => rows.list()),
    watch(onList) {
      const tell = () => onList(rows.list());
      watchers.add(tell);
      queueMicrotask(tell);
      return () => watchers.delete(tell);
    },
    load: (chatId) => settled(() => load(chatId)),
    // It is there already: nothing is spared by reading less of it.
    loadTail: (chatId) => settled(() => load(chatId)),
    loadBefore: () => settled(() => ({ nodes: [], damaged: [], agents: [] })),
    save: (node, prompt) =>
      settled(() => {
        rows.put(structuredClone(node));
        if (prompt !== undefined) prompts.set(node.id, prompt);
      }),
    checkpoint: (place, events) =>
      settled(() => {
        const node = nodes.get(place.id) ?? beginReply(place);
        if (node.message.role !== 'assistant') return;
        const content = structuredClone(events).reduce(appendEvent, node.message.content);
        rows.put({ ...node, message: { ...node.message, content } });
      }),
    mark: (nodeId, mark) =>
      settled(() => {
        const node = nodes.get(nodeId);
        if (!node) throw gone(`message ${nodeId}`);
        nodes.set(nodeId, { ...node, ...structuredClone(mark) });
      }),
    rename: (chatId, title) => change(chatId, { title, isNamed: true }),
    retitle: (chatId, title) =>
      settled(() => {
        if (!chats.get(chatId)?.isNamed) rows.updateChat(chatId, { title });
      }),
    setLeaf: (chatId, leafId) => change(chatId, { leafId }),
    setToolsOff: (chatId, toolsOff) => change(chatId, { toolsOff: [...toolsOff] }),
    setModel: (chatId, model) => change(chatId, { model }),
    setPersona: (chatId, persona) => change(chatId, { persona }),
    setToolSearch: (chatId, toolSearch) => change(chatId, { toolSearch }),
    setToolOffer: (chatId, toolOffer) => change(chatId, { toolOffer }),
    arrange: (chatIds, changed) =>
      settled(() => {
        for (const id of chatIds) if (rows.shown(id)) rows.updateChat(id, changed);
      }),
    copyBranch: (nodeId, chat, newId) => settled(() => copyBranch(rows, nodeId, chat, newId)),
    ...binOf(rows),
    removeFrom: (nodeId) => settled(() => removeFrom(rows, nodeId)),
    delete: (chatId) =>
      settled(() => {
        rows.removeAgents(rows.agentsOf(chatId));
        rows.remove(rows.nodesOf(chatId).map(({ id }) => id));
        chats.delete(chatId);
        rows.changed();
      }),
    loadPrompt: (messageId) => settled(() => prompts.get(messageId)),
    interrupted: () =>
      settled(() => {
        const isOpen = (leafId: string | null) => {
          const leaf = leafId === null ? undefined : nodes.get(leafId);
          return leaf !== undefined && leaf.turnEnd === undefined;
        };
        return rows
          .list()
          .filter(({ leafId }) => isOpen(leafId))
          .map(({ id }) => id);
      }),
  };
}

function binOf(rows: Rows): Pick<MemoryChats, 'bin' | 'binFrom' | 'restore' | 'restoreFrom' | 'binned'> {
  return {
    bin: (chatIds) =>
      settled(() => {
        const at = rows.now;
        for (const id of chatIds) {
          if (!rows.shown(id)) continue;
          const agents = rows.agentsOf(id).filter((agent) => !isBinned(agent.chat));
          rows.markChats([id, ...agents.map(({ chat }) => chat.id)], at);
        }
        rows.changed();
      }),
    binFrom: (nodeId) => settled(() => binFrom(rows, nodeId)),
    restore: (chatId) =>
      settled(() => {
        const chat = rows.chats.get(chatId);
        if (!chat) return false;
        const together = rows.agentsOf(chatId).filter((agent) => agent.chat.deletedAt === chat.deletedAt);
        rows.markChats([chatId, ...together.map((agent) => agent.chat.id)], undefined);
        rows.changed();
        return true;
      }),
    restoreFrom: (nodeId) => settled(() => restoreFrom(rows, nodeId)),
    binned() {
      const binned = [...rows.chats.values()].filter((chat) => isBinned(chat) && !chat.agentOf);
      const nodes = inOrder([...rows.nodes.values()].filter(isBinned));
      return [
        ...binned.map((chat) => entryOf('chat', chat, chat.title)),
        ...entriesOfMessages(nodes.filter(({ chatId }) => rows.shown(chatId))),
      ];
    },
  };
}

function binFrom(rows: Rows, nodeId: string): string | null {
  const node = rows.nodes.get(nodeId);
  const chat = node && rows.shown(node.chatId);
  if (!chat || isBinned(node)) throw gone(`message ${nodeId}`);
  const own = shownOf(rows.nodesOf(chat.id));
  const ids = subtreeOf(own, nodeId);
  const binned = own.filter(({ id }) => ids.has(id));
  const at = rows.now;
  rows.markNodes(binned, at);
  const left = own.filter(({ id }) => !ids.has(id));
  const agents = agentChatsOfOnly(binned, left, rows.agentsOf(chat.id));
  rows.markChats(
    agents.map((agent) => agent.chat.id),
    at,
  );
  if (chat.leafId !== null && !ids.has(chat.leafId)) return chat.leafId;
  const leafId = leafWithout(own, node);
  rows.updateChat(chat.id, { leafId });
  return leafId;
}

function restoreFrom(rows: Rows, nodeId: string): boolean {
  const node = rows.nodes.get(nodeId);
  if (!node || !rows.shown(node.chatId)) return false;
  const own = rows.nodesOf(node.chatId);
  const ids = subtreeOf(own, nodeId);
  const together = own.filter(({ id, deletedAt }) => ids.has(id) && deletedAt === node.deletedAt);
  const restored = [...together, ...branchOf(own, nodeId).filter(isBinned)];
  rows.markNodes(restored, undefined);
  const agents = agentChatsOf(restored, rows.agentsOf(node.chatId));
  rows.markChats(
    agents.map((agent) => agent.chat.id),
    undefined,
  );
  rows.updateChat(node.chatId, { leafId: newestLeafOf(together, nodeId) });
  return true;
}

function removeFrom(rows: Rows, nodeId: string): string | null {
  const node = rows.nodes.get(nodeId);
  const chat = node && rows.chats.get(node.chatId);
  if (!chat) throw gone(`message ${nodeId}`);
  const own = rows.nodesOf(chat.id);
  const ids = subtreeOf(own, nodeId);
  rows.removeAgents(
    agentChatsOfOnly(
      own.filter(({ id }) => ids.has(id)),
      own.filter(({ id }) => !ids.has(id)),
      rows.agentsOf(chat.id),
    ),
  );
  rows.remove(ids);
  if (chat.leafId !== null && !ids.has(chat.leafId)) return chat.leafId;
  rows.updateChat(chat.id, { leafId: node.parentId });
  return node.parentId;
}

function copyBranch(rows: Rows, nodeId: string, chat: ChatRecord, newId: () => string): void {
  const source = rows.nodes.get(nodeId);
  if (!source || !rows.shown(source.chatId)) throw gone(`message ${nodeId}`);
  const branch = branchOf(shownOf(rows.nodesOf(source.chatId)), nodeId);
  const copy = (nodes: readonly MessageNode[], chatId: string) => {
    const ids = new Map(nodes.map(({ id }) => [id, newId()]));
    for (const node of nodes) {
      const parentId = node.parentId === null ? null : (ids.get(node.parentId) ?? null);
      const id = ids.get(node.id) ?? newId();
      rows.nodes.set(id, { ...node, id, chatId, parentId });
    }
    return ids;
  };
  const ids = copy(branch, chat.id);
  rows.chats.set(chat.id, { ...structuredClone(chat), leafId: ids.get(nodeId) ?? null });
  for (const { chat: agent, nodes } of agentChatsOf(branch, rows.agentsOf(source.chatId))) {
    const id = newId();
    const own = copy(nodes, id);
    const record = rows.chats.get(agent.id);
    if (!record || isBinned(record)) continue;
    const agentOf = { chatId: chat.id, callId: agent.agentOf?.callId ?? '' };
    rows.chats.set(id, { ...record, id, agentOf, leafId: own.get(record.leafId ?? '') ?? null });
  }
  rows.changed();
}

/** Runs `task` as a promise, so that a throw becomes a rejection. */
function settled<Value>(task: () => Value): Promise<Value> {
  return new Promise((resolve) => resolve(task()));
}

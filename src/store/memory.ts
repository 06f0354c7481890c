/** The store for a visit in which nothing can be kept: what it takes is gone with the page, and the screen says so. */
import type { ChatRecord, Draft, MessageNode } from '../contracts/chat';
import type { RequestRecord } from '../contracts/egress';
import { appendEvent } from '../contracts/append-event';
import { Settings } from '../contracts/settings';
import { type AgentChat, agentChatsOf } from './agent-chats';
import { gone, withLeaf } from './chats';
import { beginReply } from './read-rows';
import { keptRequests } from './requests';
import type { ChatStore, DraftStore, RequestStore, SettingsStore } from '../contracts/store';
import { inOrder, subtreeOf } from './tree';

/** `now` in milliseconds since the epoch. */
export function createMemoryChats(now: () => number): ChatStore {
  const chats = new Map<string, ChatRecord>();
  const nodes = new Map<string, MessageNode>();
  const prompts = new Map<string, string>();
  const watchers = new Set<() => void>();

  const list = () =>
    [...chats.values()].filter(({ agentOf }) => !agentOf).sort((a, b) => b.updatedAt - a.updatedAt);
  const agentsOf = (chatId: string) =>
    [...chats.values()]
      .filter(({ agentOf }) => agentOf?.chatId === chatId)
      .map((chat) => ({ chat, nodes: nodesOf(chat.id) }));
  const nodesOf = (chatId: string) => inOrder([...nodes.values()].filter((node) => node.chatId === chatId));
  const changed = () => {
    for (const tell of watchers) tell();
  };
  const updateChat = (chatId: string, change: Partial<ChatRecord>) => {
    const chat = chats.get(chatId);
    if (!chat) throw gone(`chat ${chatId}`);
    chats.set(chatId, { ...chat, ...change });
    changed();
  };
  const remove = (ids: Iterable<string>) => {
    for (const id of ids) {
      nodes.delete(id);
      prompts.delete(id);
    }
  };
  const removeAgents = (agents: readonly AgentChat[]) => {
    for (const { chat, nodes: own } of agents) {
      remove(own.map(({ id }) => id));
      chats.delete(chat.id);
    }
  };
  const put = (node: MessageNode) => {
    updateChat(node.chatId, { leafId: node.id, updatedAt: now() });
    nodes.set(node.id, node);
  };

  return {
    // Copies, as a database does: later changes to the object change nothing here, and what cannot be cloned is refused.
    create: (chat) =>
      settled(() => {
        chats.set(chat.id, structuredClone(chat));
        changed();
      }),
    list: () => settled(list),
    watch(onList) {
      const tell = () => onList(list());
      watchers.add(tell);
      queueMicrotask(tell);
      return () => watchers.delete(tell);
    },
    load: (chatId) =>
      settled(() => {
        const chat = chats.get(chatId);
        const own = nodesOf(chatId);
        return chat && { chat: withLeaf(chat, own), nodes: own, damaged: [], agents: agentsOf(chatId) };
      }),
    save: (node, prompt) =>
      settled(() => {
        put(structuredClone(node));
        if (prompt !== undefined) prompts.set(node.id, prompt);
      }),
    checkpoint: (place, events) =>
      settled(() => {
        const node = nodes.get(place.id) ?? beginReply(place);
        if (node.message.role !== 'assistant') return;
        const content = structuredClone(events).reduce(appendEvent, node.message.content);
        put({ ...node, message: { ...node.message, content } });
      }),
    mark: (nodeId, mark) =>
      settled(() => {
        const node = nodes.get(nodeId);
        if (!node) throw gone(`message ${nodeId}`);
        nodes.set(nodeId, { ...node, ...structuredClone(mark) });
      }),
    rename: (chatId, title) => settled(() => updateChat(chatId, { title, isNamed: true })),
    retitle: (chatId, title) =>
      settled(() => {
        if (!chats.get(chatId)?.isNamed) updateChat(chatId, { title });
      }),
    setLeaf: (chatId, leafId) => settled(() => updateChat(chatId, { leafId })),
    setToolsOff: (chatId, toolsOff) => settled(() => updateChat(chatId, { toolsOff: [...toolsOff] })),
    setModel: (chatId, model) => settled(() => updateChat(chatId, { model })),
    setPersona: (chatId, persona) => settled(() => updateChat(chatId, { persona })),
    setToolSearch: (chatId, toolSearch) => settled(() => updateChat(chatId, { toolSearch })),
    setToolOffer: (chatId, toolOffer) => settled(() => updateChat(chatId, { toolOffer })),
    removeFrom: (nodeId) =>
      settled(() => {
        const node = nodes.get(nodeId);
        const chat = node && chats.get(node.chatId);
        if (!chat) throw gone(`message ${nodeId}`);
        const own = nodesOf(chat.id);
        const ids = subtreeOf(own, nodeId);
        removeAgents(
          agentChatsOf(
            own.filter(({ id }) => ids.has(id)),
            agentsOf(chat.id),
          ),
        );
        remove(ids);
        if (chat.leafId !== null && !ids.has(chat.leafId)) return chat.leafId;
        updateChat(chat.id, { leafId: node.parentId });
        return node.parentId;
      }),
    delete: (chatId) =>
      settled(() => {
        removeAgents(agentsOf(chatId));
        remove(nodesOf(chatId).map(({ id }) => id));
        chats.delete(chatId);
        changed();
      }),
    loadPrompt: (messageId) => settled(() => prompts.get(messageId)),
    interrupted: () =>
      settled(() => {
        const isOpen = (leafId: string | null) => {
          const leaf = leafId === null ? undefined : nodes.get(leafId);
          return leaf !== undefined && leaf.turnEnd === undefined;
        };
        return list()
          .filter(({ leafId }) => isOpen(leafId))
          .map(({ id }) => id);
      }),
  };
}

export function createMemoryDrafts(chats: ChatStore): DraftStore {
  const drafts = new Map<string, Draft>();
  return {
    load: (chatId) => settled(() => drafts.get(chatId)),
    async listUnbegun() {
      const all = [...drafts.values()];
      const found = await Promise.all(all.map(({ chatId }) => chats.load(chatId)));
      return all.filter((_, index) => !found[index]);
    },
    save: (chatId, text, outside = {}) =>
      settled(() => {
        if (text === '' && !outside.attached) drafts.delete(chatId);
        else drafts.set(chatId, { chatId, text, ...outside });
      }),
  };
}

export function createMemorySettings(): SettingsStore {
  let settings = Settings.parse({});
  return {
    load: () => settled(() => settings),
    save: (changed) =>
      settled(() => {
        settings = { ...settings, ...changed };
      }),
  };
}

export function createMemoryRequests(): RequestStore {
  let records: RequestRecord[] = [];
  const watchers = new Set<() => void>();
  const set = (next: RequestRecord[]) => {
    records = next;
    for (const tell of watchers) tell();
  };
  return {
    add: (record) =>
      settled(() => {
        const all = [structuredClone(record), ...records].sort((a, b) => b.at - a.at);
        set(all.slice(0, keptRequests));
      }),
    watch(onList) {
      const tell = () => onList(records);
      watchers.add(tell);
      queueMicrotask(tell);
      return () => watchers.delete(tell);
    },
    clear: () => settled(() => set([])),
  };
}

/** Runs `task` as a promise, so that a throw becomes a rejection. */
function settled<Value>(task: () => Value): Promise<Value> {
  return new Promise((resolve) => resolve(task()));
}

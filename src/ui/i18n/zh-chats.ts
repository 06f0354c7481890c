/** What keeps chats in order, in Chinese. */
import type { ChatsWords } from './en-chats';

export const zhChats: ChatsWords = {
  versions: {
    label: '版本',
    previous: '上一个版本',
    next: '下一个版本',
    stay: '其他版本会保留。',
  },
  branch: '从这里另起一个聊天',
  space: '',
  binText: '可以撤销，也会在回收站里保留 30 天。',
  deletion: {
    label: '已删除',
    undo: '撤销',
    failed: '没能立即撤销，它在回收站里。',
    said: {
      chat: (name, count) => (count === 1 ? `已删除“${name}”。` : `已删除 ${count} 个聊天。`),
      messages: () => '已删除这个问题和它之后的内容。',
      answer: () => '已删除这个回答和它之后的内容。',
      persona: (name) => `已删除角色“${name}”。`,
      tool: (name) => `已删除工具“${name}”。`,
      note: () => '已删除这条笔记。',
      server: (name) => `已移除服务器“${name}”。`,
    },
  },
};

/** What is said of a chat as a file, in Simplified Chinese. */
import type { ChatFileTexts } from './en-chat-file';

export const zhChatFile: ChatFileTexts = {
  title: (title) => `导出“${title}”`,
  kind: '文件种类',
  kinds: { markdown: 'Markdown', html: '网页', json: 'JSON' },
  hints: {
    markdown: '任何编辑器都能打开的文字：你看到的问题和回答，以及调用了哪些工具。',
    html: '一个网页，任何浏览器都能打开。它不运行任何程序，也不联网。',
    json: '供程序使用：每个版本的每条消息，与 Hearth 保存的一样。',
  },
  save: '导出',
  richText: '富文本',
  copyRichText: '连同标题、列表和表格一起复制',
  inFile: {
    you: '你',
    hearth: 'Hearth',
    files: (names) => `附件：${names}`,
    called: (tool) => `调用了 ${tool}`,
    written: (when) => `${when} 从 Hearth 导出。`,
  },
};

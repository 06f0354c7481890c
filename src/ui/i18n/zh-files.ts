/** What is said of files that go with a message, in Chinese. */
import type { enFiles } from './en-files';

export const zhFiles: typeof enFiles = {
  add: '附加文件',
  addKeys: '附加文件：文本、表格、PDF、DOCX、代码',
  drop: '松开即可附加文件',
  reading: (name) => `正在读取 ${name} …`,
  kinds: {
    text: '文本',
    table: '表格',
    json: 'JSON',
    page: '网页',
    pdf: 'PDF',
    document: '文档',
    picture: '图片',
  },
  facts: (kind, size) => `${kind}，${size}`,
  list: '这个问题附带的文件',
  dismiss: (name) => `不附加 ${name}`,
  asText: (name) => `把 ${name} 还原为文字`,
  open: (name) => `查看 ${name}`,
  whole: {
    wholeText: '读取到的内容',
    wholeGone: '这个文件已不再保存。',
    wholeUnreadable: '无法从浏览器中读取这个文件。请重新加载页面。',
  },
  save: '保存文件',
  troubles: {
    archive: (name) => `${name} 是压缩包。请解压后附加里面的文件。`,
    bomb: (name) => `${name} 解压后远超正常文档的大小，因此没有读取。请在原来的程序里重新保存。`,
    damaged: (name) => `无法读取 ${name}：文件已损坏，或结构特殊。请在原来的程序里重新保存，或直接粘贴文字。`,
    empty: (name) => `${name} 里没有文字。请换一个文件。`,
    encrypted: (name) => `${name} 有密码保护。请另存一份不带密码的，再附加。`,
    kept: (name) => `浏览器里没有空间保存 ${name}。请在设置的“存储”里腾出空间，然后重新附加。`,
    large: (name) => `${name} 超过 20 MB。请只附加其中一部分，或粘贴需要的内容。`,
    many: (name) => `没有附加 ${name}：一条消息最多带十个文件。请先发送这些。`,
    office: (name) => `${name} 是电子表格或幻灯片。请把表格存为 CSV、幻灯片存为 PDF 后再附加。`,
    'old-office': (name) => `${name} 是旧版 Office 格式。请另存为 DOCX、CSV 或 PDF 后再附加。`,
    scanned: (name) => `${name} 里只有页面的图片，没有文字。请先用扫描软件做文字识别（OCR）。`,
    slow: (name) => `读取 ${name} 超过一分钟，已停止。请只附加其中一部分。`,
    unknown: (name) => `Hearth 读不了 ${name}。可以附加文本、Markdown、CSV、JSON、HTML、PDF、DOCX 和源代码。`,
    unseen: (name) =>
      `${name} 是图片，而这个模型看不了图片。请在“模型”里选一个能看图的服务器模型，或用文字描述。`,
  },
};

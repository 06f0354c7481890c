/** What is said where chats are looked through, in Simplified Chinese. */
import type { FindWords, SearchWords } from './en-search';

export const zhSearch: SearchWords = {
  results: '搜索结果',
  found: (count, hasMore) => (hasMore ? `前 ${count} 条结果` : `${count} 条结果`),
  none: '没有聊天包含这些词。可以少写几个词，或只写词的开头。',
  noneYet: '目前还没有找到。',
  building: (percent) => `正在为搜索读取你的聊天：已完成 ${percent}%。`,
  unkept: '搜索只能找到保存在本设备上的内容，而这次访问什么都不保存。',
  broken: '搜索无法使用：聊天的索引读不出来。你的聊天完好无损。',
  full: '本设备已经没有空间存放聊天的索引，搜索可能会漏掉一些内容。你的聊天完好无损。请腾出一些空间后再试。',
  rebuild: '重新建立索引',
  more: '显示更多',
  places: { question: '你', answer: 'Hearth', rest: '步骤' },
};

export const zhFind: FindWords = {
  label: '在此聊天中查找',
  place: (at, of, isLooking) => `第 ${at} 处，共 ${of} 处${isLooking ? '…' : ''}`,
  none: '此聊天中没有',
  previous: '上一处',
  previousKeys: '上一处（Shift + Enter）',
  next: '下一处',
  nextKeys: '下一处（Enter）',
  close: '关闭查找',
};

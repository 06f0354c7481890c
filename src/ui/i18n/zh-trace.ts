/** What is said where a turn is looked at step by step, in Simplified Chinese. */
import type { enTrace } from './en-trace';

export const zhTrace: typeof enTrace = {
  timeline: '时间线',
  total: (time) => `从提问到最后一步：${time}。`,
  unknownTimes: '没有记录每一步的开始时间：这次回答由旧版本生成。',
  asJson: '时间线 JSON',
  legend: '条形图中',
  spans: {
    'summing-up': '总结前文',
    reading: '读取与等待',
    writing: '书写',
    waiting: '等你决定',
    running: '运行',
  },
  span: (kind, time) => `${kind} ${time}`,
  began: (time) => `开始于 ${time}`,
  between: '，',
  within: ' · ',
  page: 'Hearth 自己',
  notRecorded: '时间未记录',
  tokens: (prompt, read, kept, written) =>
    `提示词共 ${prompt} 个词元：读取 ${read} 个，沿用之前的 ${kept} 个；写出 ${written} 个。`,
  dropped: (count) => `有 ${count} 条旧消息放不下。`,
  summedUp: (count) => `有 ${count} 条消息由总结代替。`,
  masked: (count) => `有 ${count} 条消息的每个结果只留下一行。`,
  allowedBy: {
    rule: '无需询问。',
    kept: '你之前已经允许。',
    once: '你允许了这一次。',
    chat: '你允许了在这个聊天中使用。',
    always: '你允许了一直使用。',
    deny: '你没有允许。',
    unknown: '没有记录由谁允许。',
  },
  cached: '用的是之前那次调用留下的结果。',
  outside: (hosts) => `内容来自 ${hosts}。`,
  unanswered: '没有结果。',
  failed: '失败：',
  result: '结果：',
  wholeCut: (characters) => `全文共 ${characters} 个字符，模型只拿到一部分。`,
};

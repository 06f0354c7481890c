import { isRecord } from '../../contracts/schema';
import type { FoundTool, ToolSpec } from '../../contracts/tool';
import { type IndexField, LexicalIndex, type StoredIndex } from '../../text/lexical-index';
import { searchTerms } from '../../text/search-terms';

export type LexicalSearcher = ReturnType<typeof createLexicalSearcher>;

/** Tuned with `bench/tool-search/tune.ts` on tools that are not part of the benchmark. */
export const tunedWeights = {
  name: 4,
  title: 3,
  description: 2,
  parameters: 1,
  keywords: 2,
  saturation: 4,
  lengthShare: 0.2,
  lineLengthShare: 0.1,
  lineWeight: 0.75,
  lineShare: 0.5,
  nearShare: 0.2,
  meaningShare: 0.5,
  characterShare: 0.35,
};

export function createLexicalSearcher(
  options: { stored?: StoredIndex | undefined; tuning?: typeof tunedWeights } = {},
) {
  const { stored, tuning = tunedWeights } = options;
  const index = new LexicalIndex({ ranking: tuning, stored, meaningsOf: findMeanings });
  return {
    /** Returns true if the index has changed, so the caller can store it. */
    index(tools: readonly ToolSpec[]): boolean {
      const byName = new Map(tools.map((tool) => [tool.name, tool]));
      return index.update(
        [...byName.values()].map((tool) => ({
          id: tool.name,
          stamp: toolHashOf(tool),
          read: () => ({ fields: indexFieldsOf(tool, tuning), lines: exampleRequestsOf(tool) }),
        })),
      );
    },
    search: (query: string, limit: number): FoundTool[] =>
      index.search(query, limit).map(({ id, score }) => ({ name: id, score })),
    toStored: () => index.toStored(),
  };
}

/** `usual`: typical number of terms in a field. Each term of a longer field counts less. */
function indexFieldsOf(
  { name, title, description, inputSchema, keywords = {} }: ToolSpec,
  weights: typeof tunedWeights,
): IndexField[] {
  return [
    { text: name, weight: weights.name, usual: 3 },
    { text: title, weight: weights.title, usual: 3 },
    { text: description, weight: weights.description, usual: 10 },
    { text: schemaWordsOf(inputSchema, 0).join(' '), weight: weights.parameters, usual: 10 },
    ...Object.values(keywords).map((words) => ({
      text: words.join(', '),
      weight: weights.keywords,
      usual: 6,
    })),
  ];
}

function schemaWordsOf(schema: unknown, depth: number): string[] {
  if (!isRecord(schema) || depth > 4) return [];
  const { properties, items, description } = schema;
  const choices: unknown[] = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const fields = Object.entries(isRecord(properties) ? properties : {});
  return [
    ...[description, ...choices].filter((word) => typeof word === 'string'),
    ...fields.flatMap(([name, inner]) => [name, ...schemaWordsOf(inner, depth + 1)]),
    ...schemaWordsOf(items, depth + 1),
  ];
}

function toolHashOf(tool: ToolSpec): string {
  const { name, title, description, inputSchema, keywords, examples } = tool;
  const requests = examples && exampleRequestsOf(tool);
  return hashText(JSON.stringify([name, title, description, inputSchema, keywords, requests]));
}

export function exampleRequestsOf({ examples = [] }: ToolSpec): string[] {
  return examples.map(({ request }) => request);
}

/** Synonyms, one group per line. They let "throw away the draft" and "把草稿删了" find `delete_draft`. */
const synonymGroups = `
delete, remove, erase, discard, drop, clear, trash, get rid of, throw away, 删除, 删掉, 移除, 清除, 去掉, 扔掉
create, new, add, make, start, set up, open, register, insert, 新建, 创建, 添加, 新增, 增加, 加一个, 建立, 登记
update, edit, change, modify, adjust, correct, fix, amend, 修改, 更新, 编辑, 更改, 改成, 改一下, 改改, 调整, 更正
list, show all, every, overview, display, 列出, 所有, 全部, 显示, 一览, 有哪些
find, search, look for, look up, locate, where is, 查找, 搜索, 寻找, 找到, 查询, 搜一下, 找一下, 查一下, 在哪
send, mail, deliver, forward, 发送, 发给, 寄出, 转发
count, number of, how many, total, tally, 数量, 统计, 多少个, 几个, 总数, 一共
export, download, save as, file, csv, excel, 导出, 下载, 另存, 表格
import, upload, load, 导入, 上传
share, give access, invite, permission, let see, 分享, 共享, 权限, 邀请
archive, put away, store, set aside, 归档, 存档, 收起, 封存
approve, accept, confirm, agree, allow, 批准, 同意, 审批, 通过, 确认
reject, decline, refuse, deny, turn down, 拒绝, 驳回
assign, responsible, in charge, hand over, take over, delegate, 指派, 分配, 负责, 交给
history, changes, log, earlier versions, audit, 历史, 记录, 变更, 版本
copy, duplicate, clone, 复制, 拷贝
move, transfer, relocate, 移动, 转移
rename, call, 重命名, 改名
sort, order, arrange, 排序, 排列
compare, difference, versus, 比较, 对比, 区别
convert, change into, turn into, 转换, 换算, 转成, 变成
calculate, compute, work out, figure out, 计算, 算一下, 算算
translate, 翻译, 译成
summarize, summary, short version, gist, 总结, 摘要, 概括
check, verify, test, validate, inspect, 检查, 校验, 验证, 测试
schedule, plan, arrange, book, reserve, appointment, 安排, 预约, 预订, 计划
cancel, call off, abort, 取消
remind, reminder, do not forget, 提醒, 记得, 别忘
pay, payment, buy, purchase, 付款, 支付, 购买, 买
price, cost, expensive, cheap, 价格, 多少钱, 费用
print, 打印
read, open, 阅读, 打开
write, compose, draft, 写, 撰写
play, listen, hear, 播放, 听
stop, end, halt, quit, 停止, 结束
turn on, switch on, activate, enable, 打开, 开启, 启用
turn off, switch off, disable, deactivate, 关闭, 关掉, 禁用
time, clock, hour, 时间, 几点
date, day, calendar, 日期, 日历, 几号
weather, forecast, rain, 天气, 下雨
picture, image, photo, snapshot, 图片, 照片, 图像
video, film, clip, movie, 视频, 影片, 电影
music, song, tune, 音乐, 歌曲
text, words, passage, 文字, 文本
mail, email, message, 邮件, 消息, 短信
file, document, paper, 文件, 文档
money, currency, cash, 钱, 货币
house, home, flat, apartment, 房子, 家, 公寓
car, vehicle, automobile, 汽车, 车辆, 车
doctor, physician, 医生, 大夫
food, meal, dish, eat, 食物, 吃饭, 菜
customer, client, 客户, 顾客
employee, staff, colleague, worker, 员工, 同事
job, position, work, 工作, 职位
error, bug, problem, defect, 错误, 问题, 故障
password, secret, login, 密码, 口令
`;

const phrasesByFirstTerm = new Map<string, { terms: readonly string[]; meaning: string }[]>();
for (const [at, group] of synonymGroups.trim().split('\n').entries()) {
  for (const words of group.split(', ')) {
    const terms = searchTerms(words);
    const [first = ''] = terms;
    // `meaning` is the id of a synonym group. The id starts with `=`, so that it never equals a word of a text.
    phrasesByFirstTerm.set(first, [...(phrasesByFirstTerm.get(first) ?? []), { terms, meaning: `=${at}` }]);
  }
}

function findMeanings(terms: readonly string[]): string[] {
  return terms.flatMap((first, at) =>
    (phrasesByFirstTerm.get(first) ?? [])
      .filter((phrase) => phrase.terms.every((term, offset) => terms[at + offset] === term))
      .map(({ meaning }) => meaning),
  );
}

/** PURE: returns a 53-bit hash of a text. An index detects changes with it. Not secure. */
export function hashText(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return (4294967296 * (2097151 & other) + (one >>> 0)).toString(36);
}

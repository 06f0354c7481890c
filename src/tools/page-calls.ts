/** Calls that the page makes before the model answers, to read attachments or search the web. The results are outside text. */
import type {
  AssistantMessage,
  AttachedItem,
  AttachedResource,
  Message,
  PlainCall,
} from '../contracts/message';
import { textOf } from '../contracts/message-parts';
import { queryTableToolName, readAttachmentToolName, resourceToolName } from '../contracts/tool-names';
import { createFailedOutput, type Tool, type ToolContext, type ToolOutput } from '../contracts/tool';

export type ReadAttachedResource = (resource: AttachedResource, context: ToolContext) => Promise<ToolOutput>;

/**
 * Returns calls that read everything attached to the newest question, and one that asks a table. Undefined if there are none. `tableQuery`: the
 * arguments for `query_table`, if they answer the question.
 */
export function createAttachmentCalls(
  history: readonly Message[],
  tableQuery: Record<string, unknown> | undefined,
  newId: () => string,
): AssistantMessage | undefined {
  const attached = listAttachedItems(history.at(-1)).filter(
    (one) => !('kind' in one && one.kind === 'picture'),
  );
  const calls: PlainCall[] = attached.map((one) =>
    'fileId' in one
      ? { name: readAttachmentToolName, arguments: { name: one.name } }
      : { name: resourceToolName, arguments: { title: one.title, uri: one.uri } },
  );
  if (tableQuery) calls.push({ name: queryTableToolName, arguments: tableQuery });
  if (calls.length === 0) return undefined;
  const content = calls.map((call) => ({ type: 'tool-call' as const, id: newId(), ...call }));
  return { role: 'assistant', content, finishReason: 'tool-calls' };
}

/** Creates a tool that reads only what the user attached in this conversation. Undefined if nothing is attached. */
export function createResourceReader(
  history: readonly Message[],
  read: ReadAttachedResource,
): Tool | undefined {
  const attached = history.flatMap(listAttachedItems).filter((one) => 'uri' in one);
  if (attached.length === 0) return undefined;
  return {
    name: resourceToolName,
    title: 'Read from a server',
    description: 'Reads what the person chose on a server.',
    inputSchema: {
      type: 'object',
      properties: { title: { type: 'string' }, uri: { type: 'string' } },
      required: ['uri'],
    },
    // The user chose the resource, so this call needs no permission.
    effects: () => ({ type: 'pure' }),
    async execute(input, context) {
      const { uri } = input as Record<string, unknown>;
      const resource = attached.find((one) => one.uri === uri);
      if (resource) return read(resource, context);
      const text = 'Only what the person has attached to a message can be read.';
      return createFailedOutput('arguments', text);
    },
  };
}

function listAttachedItems(message: Message | undefined): readonly AttachedItem[] {
  return message?.role === 'user' ? (message.attached ?? []) : [];
}

/** We do not search for longer questions: they usually contain the text that they are about. */
const maxQuestionCharacters = 200;

/** Commands to search the web. The group `query` contains the search words. */
const searchCommandPatterns = [
  /^(?:please |can you |could you |would you )*(?:do a |run a |make a )?(?:quick |deep )?(?:web |internet |online )?search(?: (?:the web|the internet|online|the net|google))?(?: (?:for|about|on))? +(?<query>.+)/i,
  /^(?:please |can you |could you )*(?:google|look up|look online for|search up) +(?<query>.+)/i,
  /^(?:请|帮我|麻烦|你能|可以)*(?:在网上|上网|联网|到网上)?(?:搜索|搜一下|搜一搜|搜搜|搜|查一下|查一查|查查|查找|百度一下|谷歌一下)(?:一下)?(?:关于)?(?<query>.{2,})/,
];

const currentFactPattern =
  /\b(?:latest|newest|breaking|up[- ]to[- ]date)\b|\bnews\b(?! to me)|\bwho won\b|\bwho is winning\b|\b(?:today|tonight|yesterday|tomorrow|this (?:week|weekend|month|year)|right now|currently|current|these days)\b(?=.*\b(?:price|prices|weather|forecast|score|scores|match|game|election|president|prime minister|chancellor|ceo|rate|stock|version|release|champion|record|happening|headlines|events?)\b)|\b(?:price|prices|weather|forecast|score|scores|match|election|president|prime minister|chancellor|ceo|rate|stock|version|happening|headlines)\b(?=.*\b(?:today|tonight|yesterday|tomorrow|this (?:week|weekend|month|year)|right now|currently|current)\b)|\b(?:stock|share) price of\b|\bexchange rate\b|\bweather (?:in|for)\b|\bwhen (?:does|is|was|will|did) .*\b(?:come out|released?|launch(?:ed)?|start|open)\b|\bhas .* been released\b/i;
const chineseCurrentFactPattern =
  /最新|新闻|头条|现任|谁赢|谁获胜|比分|赛果|股价|汇率|天气|(?:今天|今日|目前|现在|当前|昨天|明天|本周|今年)的?.*(?:价格|价|油价|金价|房价|比赛|选举|总统|总理|主席|票房|版本|消息|情况)|(?:什么时候|何时|哪天)(?:上映|发布|发售|上市|开售|开始|举行)/;

/** Matches questions and requests, but not statements such as "good news, I passed". */
const requestPattern =
  /[?？]\s*$|^(?:what|who|when|where|which|how|is|are|was|were|did|does|do|has|have|will|any|tell me|show me|give me|find|check|latest|today|news|current|weather|price)\b|(?:吗|呢|什么|谁|哪|多少|怎么样|如何|几)|^(?:告诉我|给我|查|看看|最新|今天|今日|目前|现任)/i;

const noSearchPattern =
  /https?:\/\/|www\.|^[\d\s.,+\-*/^%()=×÷?？]+$|\bwhat(?:'s| is)? (?:the )?(?:time|date|day)\b|^(?:现在|今天)?(?:是)?(?:几点|星期几|几号|周几)/i;

export function findSearchQuery(question: string): string | undefined {
  const text = question.replace(/\s+/g, ' ').trim();
  if (text === '' || text.length > maxQuestionCharacters || noSearchPattern.test(text)) return undefined;
  for (const command of searchCommandPatterns) {
    const query = command.exec(text)?.groups?.['query'];
    if (query !== undefined) return cleanQuery(query);
  }
  const isCurrent = currentFactPattern.test(text) || chineseCurrentFactPattern.test(text);
  return isCurrent && requestPattern.test(text) ? cleanQuery(text) : undefined;
}

function cleanQuery(query: string): string {
  return query
    .replace(/^(?:please|tell me|show me|give me|告诉我|给我|请)[ ,，]*/i, '')
    .replace(/(?:,? please)?[\s?？.!。！]+$|,? please$/i, '')
    .replace(/^["“「](.*)["”」]$/, '$1')
    .trim();
}

/** Returns a web search call for the newest question, as if the model had made it. Undefined if no search is needed. */
export function createSearchCall(
  history: readonly Message[],
  newId: () => string,
): AssistantMessage | undefined {
  const last = history.at(-1);
  if (last?.role !== 'user') return undefined;
  const query = findSearchQuery(textOf(last.content));
  if (query === undefined || query === '') return undefined;
  const call = { type: 'tool-call' as const, id: newId(), name: 'web_search', arguments: { query } };
  return { role: 'assistant', content: [call], finishReason: 'tool-calls' };
}

/** Finds actions that an answer claims to have done, although no tool of the turn can have done them. */
import { createNoOverlapTest, type Span, spanOf } from './spans';
import type { DoneCall, Sources } from './sources';

const readingTools = /^(?:calculator|clock|weather|web_search|fetch_page|recall|find_tools|read_result)$/;
const offlineTools = /^(?:calculator|clock|recall|remember)$/;

interface ActionPattern {
  pattern: string | RegExp;
  /** True for a web search. Undefined for other actions, such as sending. */
  isSearch?: true;
  /** True if the wording does not say who acted, as in `your mail has been sent`. The sentence may then report a fact from a source. */
  isPassive?: true;
  asked?: RegExp;
}

const compileActionPatterns = (patterns: readonly (string | RegExp | ActionPattern)[]) =>
  patterns.map((one) => {
    const deed: ActionPattern = typeof one === 'string' || one instanceof RegExp ? { pattern: one } : one;
    return { ...deed, pattern: new RegExp(deed.pattern, 'gi') };
  });

const listPattern =
  '(?:\\w+ ){0,2}(?:list|calendar|cart|basket|notes?|contacts?|reminders?|to-?dos?|playlist|agenda|schedule|diary|favou?rites|bookmarks|memory|tasks?|account|database|spreadsheet)';
const objectPattern =
  '(?:e-?mail|message|mail|text|note|reminder|alarm|timer|event|meeting|appointment|table|booking|reservation|order|payment|invite|invitation|file|report|ticket|transfer|post|tweet|request|flight|room|lights?|lamp|heating|music|subscription|task|entry)s?';
const pastParticiplePattern =
  '(?:sent|saved|set|booked|created|deleted|added|scheduled|placed|confirmed|stored|updated|cancell?ed|paid|turned (?:on|off)|switched (?:on|off)|posted|uploaded|submitted|removed|reserved|recorded|noted|delivered)';
const actorPattern =
  "\\b(?:i(?:'ve| have)?|we(?:'ve| have))(?: (?:just|already|now|also|successfully|gone ahead and|went ahead and|then|happily)){0,3} ";
const ownActionPattern = `(?:${[
  'e-?mailed|texted|messaged|forwarded|notified|invited|rescheduled|subscribed|(?:un)?muted|archived|renamed|unlocked',
  'contacted|booked|reserved|scheduled|purchased|bought|transferred|posted|published|uploaded|submitted|cancell?ed',
  'downloaded|installed|unsubscribed',
  'sent(?! (?:an? |the )?(?:request|query))',
  '(?:signed|registered|enrolled) you',
  'let (?:\\w+ ){1,3}know',
  '(?:moved|pushed|changed|shifted) (?:your|the) (?:\\w+ ){0,3}(?:appointment|meeting|event|reservation|booking|alarm|reminder|flight)\\b',
  'replied to(?! your)',
  'paid(?! attention)',
  'ordered(?! (?:them|these|everything|(?:the |your )?(?:list|results?|items|entries|words|steps|data|rows|names)|it (?:by|from|alpha)|by|alphabetically))',
  'saved(?! (?:you|some|time|money|us|the (?:best|most)|\\d))',
  'stored(?! in )',
  '(?:deleted|erased)(?! (?:the |a |an )?(?:(?:first|second|third|last|extra|unneeded|redundant|repeated|wrong|duplicate) )?(?:sentence|paragraph|comma|word|line|phrase|duplicate|space|clause|part|letter|row|column))',
  '(?:turned|switched) (?:\\w+ ){0,4}(?:on|off)\\b(?! (?:its|his|her|their) )',
  '(?:called|phoned|rung) (?:your|him|her|them|the (?:restaurant|hotel|number|office|doctor))(?! (?:tool|function|api))',
  '(?:noted|written|wrote|jotted) (?:it|that|this|them) down',
  'noted (?:it|that|this)(?= (?:for you|in your)|[.!,]|$)',
  'made a note',
  '(?:remembered|memori[sz]ed) (?:it|that|this|your)',
  'recorded (?:it|that|this|your)',
  `(?:set|set up|created|started|opened|made) (?:an? |the |your |you an? )?(?:[\\w:.]+ ){0,4}(?:alarm|timer|reminder|event|appointment|account|calendar entry|reservation|booking|ticket|playlist|issue|meeting)\\b`,
  `(?:added|put|placed|saved|written|wrote|moved) [^.!?\\n]{0,80}?(?:to|on|in|into|onto) (?:your|the) ${listPattern}\\b`,
  `(?:removed|deleted|taken|crossed) [^.!?\\n]{0,80}?(?:from|off) your ${listPattern}\\b`,
  `updated your ${listPattern}\\b`,
].join('|')})`;

const latinActionPatterns = compileActionPatterns([
  actorPattern + ownActionPattern,
  `\\byour (?:\\w+ ){0,3}${objectPattern}(?: [\\w@.]+){0,5}? (?:has|have) (?:now |just |already |successfully )*been ${pastParticiplePattern}\\b`,
  {
    isPassive: true,
    pattern: `\\bthe (?:\\w+ ){0,3}${objectPattern}(?: [\\w@.]+){0,5}? (?:has|have) (?:now |just |already |successfully )*been ${pastParticiplePattern}\\b`,
  },
  {
    isPassive: true,
    pattern: `\\b(?:your|the) (?:\\w+ ){0,3}${objectPattern} (?:is|are) (?:now |all |already )?(?:set|booked|scheduled|saved|sent|ordered|off now|on now|now off|now on|off|on(?= now))\\b`,
  },
  `\\b(?:is|are|it's) now (?:on|in) your ${listPattern}\\b`,
  `^\\s*(?:(?:ok(?:ay)?|sure|done|alright|great|yes|all set)[,.!: -]+)?(?:added|saved) (?:it |that |this )?to your ${listPattern}\\b`,
  /^\s*(?:(?:ok(?:ay)?|sure|done|alright|great|yes)[,.!: -]+)?(?:(?:message |e-?mail |mail |note )?(?:sent|saved|deleted|booked|posted|uploaded|scheduled)|(?:reminder|alarm|timer) (?:is )?set)(?: (?:it|that))?(?: (?:for|to) (?:you|your \w+))?[.!]/,
  {
    isSearch: true,
    pattern: `${actorPattern}(?:searched|browsed|checked|looked (?:it |this |that )?up (?:on|online)) ?(?:the (?:web|internet)|online|wikipedia|google|it)?(?<=web|internet|online|wikipedia|google)`,
  },
]);

const chineseActionPattern =
  '(?:发送|发出|发给|发到|发布|寄出|保存|存好|存下|记下|记录下?|记住|记好|添加|加到|加入|加进|放进|设置|设好|设定|预订|预定|订好|订了|预约|下单|购买|支付|付款|转账|转给|删除|删掉|取消|关掉|关闭|关上|打开|上传|提交|创建|安排好|改到|调到|调至|推迟到|提前到|静音|通知|下载|安装)';
const actionVerbPattern = new RegExp(`${pastParticiplePattern}|${chineseActionPattern}`, 'i');
const chineseActionPatterns = compileActionPatterns([
  {
    isSearch: true,
    pattern: /我?(?:已经?|刚刚?)?(?:帮你|为你)?(?:在网上|上网|联网|在互联网上)(?:搜索?|查找?|查询)(?:过|了)/,
  },
  `我(?:已经?|刚刚?|刚才)(?:帮[你您]|为[你您]|替[你您]|给[你您])?(?:[将把给向][^，。！？；\\n]{1,24}?)?${chineseActionPattern}[^，。！？；\\n]{0,16}?(?:了|好|里|(?=[，。！]|$))`,
  `我(?:帮[你您]|为[你您]|替[你您]|给[你您])?(?:[将把给向][^，。！？；\\n]{1,24}?)?(?:${chineseActionPattern}|订)(?:好|下|掉|完|成功)?了`,
  `已经?(?:帮[你您]|为[你您]|替[你您])(?:[将把给向][^，。！？；\\n]{1,24}?)?${chineseActionPattern}`,
  `(?<=^|[，,。！\\s])(?:已经?|刚刚?)[将把][^，。！？；\\n]{1,24}?${chineseActionPattern}`,
  {
    asked: /记|备忘|别忘|存|订|发|设|关/,
    pattern: /(?<=^|[，,。！\s])(?:记下|记住|记好|存好|订好|发出去|设好|关掉)了(?=[，。！,!\s]|$)/,
  },
  {
    isPassive: true,
    pattern: `(?<=^|[^我])(?:已经?)${chineseActionPattern}(?:好|给|到|成功)?`,
  },
]);

const disclaimerBeforeActionPattern =
  /\b(?:not|never|cannot|unable|failed|nothing|nobody|without|would|could|should|might|may|can|will|shall|must|to|if|once|when|whenever|after|until|till|before|unless|soon|pretend|imagine|whether|example|says?|said|writes?|wrote|told|tells?|reads?|like|as|suppose|assuming|wish|had|that|who|which)\b|n't\b|'ll\b|'d\b/i;
const chineseDisclaimerPattern =
  /没有|没|未|无法|不能|不会|尚|如果|要是|假如|一旦|等到|之后|以后|请|可以|能|需要|是否|别|不要|万一|说|写道|表示|显示/;
const conditionAfterActionPattern =
  /^[^.!?\n]{0,60}\b(?:when|once|if|after|as soon as|below|above|as follows|following|by (?:you|the|him|her|them))\b/i;
const referenceToTextPattern = /如下|下面|下方|以下|上面|上述|上文/;

/** Matches a request for a text or an explanation. The actions in the requested text are not claims about what the model did. */
const textRequestPattern =
  /\b(?:write|(?<!\b(?:the|my|this|that|old|new|last|first) )draft|compose|translat\w*|rephras\w*|rewrit\w*|improv\w*|correct|proofread|edit|polish|story|poem|song|dialog\w*|letter|summar\w*|paraphras\w*|fix|refactor|code|plan|itinerary|outline|organi[sz]e|checklist|comments?|paragraphs?|grammar|table of|how (?:do|can|to|does|would)|example|sentence|role-?play|pretend|imagine|essay|joke|quote)\b|写|翻译|改写|润色|改一下|修改|起草|故事|诗|造句|总结|怎么|如何|作文|文案|例子|扮演|代码|注释|段落|文章|计划|行程|表格|标点/i;
const extraActionRequestPattern =
  /\b(?:and|then) (?:then )?(?:send|e-?mail|text|post|save|store|add|book|order|publish|upload|remind|schedule)\b|(?:并|然后|再)(?:发|保存|存|添加|加到|发布|提醒)/i;
/** Matches a question that asks for an action. Only then can a passive sentence claim one. */
const actionRequestPattern =
  /\b(?:send|save|set|book|create|delete|add|schedule|place|confirm|store|update|cancel|pay|turn|switch|post|upload|submit|remove|reserve|record|note|remind|remember|e-?mail|message|text|put|order|play|call|reply|forward|transfer|invite|move)\b|帮|把|给|请|设|提醒|删|取消|保存|记|订|发|关|开|加|买|付|转/i;
const questionAboutPastPattern =
  /\b(?:did|have|has|are|is|was|were) (?:you|it|that|the|my|they|everything)\b|吗[?？]?\s*$|了没|有没有|是否/i;
/** Matches the start of a letter or email. Its sentences describe actions of its sender, not of the model. */
const mailStartPattern =
  /^(?:subject|betreff|re|主题)\s?[:：]|^[ \t]{0,8}(?:\*\*)?(?:dear|hi|hello|hey|sehr geehrte)\b[^\n]{0,40},[ \t]{0,8}$|^[ \t]{0,8}(?:尊敬的|亲爱的)|^[^\n，。]{1,12}您好/im;

const quotePattern = /“[^”\n]{1,400}”|"[^"\n]{1,400}"|「[^」\n]{1,400}」|『[^』\n]{1,400}』|^ {0,3}>[^\n]*/gm;
/** Matches one sentence. A period within a word, as in `a.txt`, does not end it. */
const sentencePattern = /(?:[^.!?。！？\n]|\.(?=[^\s.])){1,400}[.!?。！？]*/g;

interface ClaimedAction extends Span {
  type: 'deed';
}

export function findClaimedActions(
  text: string,
  unchecked: readonly Span[],
  sources: Sources,
): ClaimedAction[] {
  const { question } = sources;
  if (textRequestPattern.test(question) && !extraActionRequestPattern.test(question)) return [];
  const letter = mailStartPattern.exec(text);
  const body = letter ? text.slice(0, letter.index) : text;
  const quotes = [...body.matchAll(quotePattern)].map(spanOf);
  const entries = body.match(/^[ \t]{0,8}(?:[-*•]|\d{1,3}[.)])\s/gm)?.length ?? 0;
  const isSaid = createNoOverlapTest(quotes);
  const isProse = createNoOverlapTest(unchecked);
  const found: ClaimedAction[] = [];
  for (const { index, 0: words } of body.matchAll(sentencePattern)) {
    if (/[?？]\s*$/.test(words)) continue;
    const deedHere = findClaimedAction(words, sources);
    if (!deedHere) continue;
    const start = index + deedHere.start;
    const end = index + deedHere.end;
    if (entries >= 2 && /\blist\b|清单|列表/i.test(text.slice(start, end))) continue;
    if (isSaid(start, end) && isProse(start, end)) found.push({ type: 'deed', start, end });
  }
  return found;
}

/** Returns only the patterns for the languages of the text, because all compiled patterns would take 750 kB of memory. */
function actionPatternsFor(words: string) {
  return [
    ...(/[a-z]/i.test(words) ? latinActionPatterns : []),
    ...(/\p{Script=Han}/u.test(words) ? chineseActionPatterns : []),
  ];
}

function findClaimedAction(words: string, sources: Sources): Span | undefined {
  const isBlind = !sources.calls.some(mayHaveActed) && actionRequestPattern.test(sources.question);
  for (const { pattern, isSearch, isPassive, asked } of actionPatternsFor(words)) {
    if (isPassive && (!isBlind || questionAboutPastPattern.test(sources.question))) continue;
    if (isBackedByCall(isSearch, sources) || asked?.test(sources.question) === false) continue;
    for (const { index, 0: all } of words.matchAll(pattern)) {
      const end = index + all.length;
      if (isActionDisclaimed(words, index, end) || (isPassive && isActionInResults(all, sources))) continue;
      const blanks = all.length - all.trimStart().length;
      return { start: index + blanks, end: end + countCharactersToClauseEnd(words.slice(end)) };
    }
  }
  return undefined;
}

/** Whether a tool's result mentions the same action. If so, the answer may only repeat the result. */
function isActionInResults(words: string, { near, asked }: Sources): boolean {
  const verb = actionVerbPattern.exec(words)?.[0].toLowerCase();
  return verb !== undefined && near.some((index) => index !== asked && index.text.includes(verb));
}

/** Counts the characters from the end of an action to the end of its clause, at most 60. */
function countCharactersToClauseEnd(behind: string): number {
  const rest = /^[^.!?,;:。！？，；：\n]{0,60}/.exec(behind)?.[0] ?? '';
  const isWhole = rest.length < 60;
  return (isWhole ? rest : rest.slice(0, Math.max(0, rest.lastIndexOf(' ')))).trimEnd().length;
}

function isActionDisclaimed(words: string, start: number, end: number): boolean {
  const before = words.slice(0, start);
  return (
    disclaimerBeforeActionPattern.test(before) ||
    chineseDisclaimerPattern.test(before) ||
    referenceToTextPattern.test(words) ||
    conditionAfterActionPattern.test(words.slice(end))
  );
}

/** Whether a tool call may have done the action. Earlier turns count only if the question asks about the past. */
function isBackedByCall(isSearch: boolean | undefined, { question, calls, earlierCalls }: Sources): boolean {
  const all = questionAboutPastPattern.test(question) ? [...calls, ...earlierCalls] : calls;
  return all.some((call) => (isSearch ? mayHaveLookedUp(call) : mayHaveActed(call)));
}

const readingToolNamePattern =
  /(?:^|[_.-])(?:search|find|read|look_?up|query|list|get|view|status|info|places|contacts)(?:$|[_.-])|(?:查询|搜索|查找|查看|列表|时间|天气|通讯录|联系人|状态)$/i;
/** Matches names of tools that may act. A tool such as `set_status` may act, although `readingToolNamePattern` matches it too. */
const actingToolNamePattern =
  /add|create|set|update|edit|delete|remove|send|write|save|put|post|book|move|clear|buy|order|change|添加|加入|删|改|设|发|存|写|订|更|换|取消|开|关|转|付|买/i;

const mayHaveActed = ({ name, isDone, isReading }: DoneCall) =>
  isDone &&
  isReading !== true &&
  !readingTools.test(name) &&
  (!readingToolNamePattern.test(name) || actingToolNamePattern.test(name));
const mayHaveLookedUp = ({ name }: DoneCall) => !offlineTools.test(name);

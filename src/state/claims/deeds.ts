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
  /** True if the wording is only a claim after an order, such as `lock the door`. */
  isOrdered?: true;
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
  '(?:blocked|reset|renewed|printed|processed|charged|refunded|exported|forwarded|shared|renamed|moved|locked|unlocked|unsubscribed|subscribed|registered|sent|saved|set|booked|created|deleted|added|scheduled|placed|confirmed|stored|updated|cancell?ed|paid|turned (?:on|off)|switched (?:on|off)|posted|uploaded|submitted|removed|reserved|recorded|noted|delivered)';
const actorPattern =
  "\\b(?:i(?:'ve| have)?|we(?:'ve| have))(?: (?:just|already|now|also|successfully|gone ahead and|went ahead and|then|happily)){0,3} ";
const ownActionPattern = `(?:${[
  'e-?mailed|texted|messaged|forwarded|notified|invited|rescheduled|subscribed|(?:un)?muted|archived|renamed|unlocked',
  '(?:wrote|written|put|saved|stored|noted|kept|filed) (?:it|that|this) (?:\\w+ )?(?:in|to|into|under|on) (?:my|your|the) (?:\\w+ )?(?:memory|notes?|calendar|list)',
  'contacted|booked|reserved|scheduled|purchased|bought|transferred|posted|published|uploaded|submitted|cancell?ed',
  'downloaded|installed|unsubscribed|printed|renewed|(?:un)?locked|armed|exported|blocked|donated|backed up|refunded|reset (?:your|the)',
  'shared (?:it|that|this|your|the)|placed (?:an? |the |your )?order|(?:started|filed|requested) (?:an? |the |your )(?:return|claim|complaint|refund)',
  "checked (?:the|your) (?:\\w+'s )?(?:website|site|calendar|inbox|account|e-?mails?)",
  'sent(?! (?:an? |the )?(?:request|query))',
  '(?:signed|registered|enrolled) you',
  'let (?:\\w+ ){1,3}know',
  '(?:moved|pushed|changed|shifted) (?:your|the) (?:\\w+ ){0,3}(?:appointment|meeting|event|reservation|booking|alarm|reminder|flight)\\b',
  'replied to(?! your)',
  'paid(?! attention)',
  'ordered(?! (?:them|these|everything|(?:the |your )?(?:list|results?|items|entries|words|steps|data|rows|names)|it (?:by|from|alpha)|by|alphabetically))',
  'saved(?! (?:you\\b|some|time|money|us|the (?:best|most)|\\d))',
  'stored(?! in )',
  '(?:deleted|erased)(?! (?:the |a |an )?(?:(?:first|second|third|last|extra|unneeded|redundant|repeated|wrong|duplicate) )?(?:sentence|paragraph|comma|word|line|phrase|duplicate|space|clause|part|letter|row|column))',
  '(?:turned|switched) (?:\\w+ ){0,4}(?:on|off)\\b(?! (?:its|his|her|their) )',
  '(?:called|phoned|rung) (?:your|him|her|them|the (?:restaurant|hotel|number|office|doctor))(?! (?:tool|function|api))',
  '(?:noted|written|wrote|jotted) (?:it|that|this|them) down',
  'noted (?:(?:it|that|this)(?= (?:for you|in your)|[.!,]|$)|your\\b)',
  'made a note',
  '(?:remembered|memori[sz]ed) (?:it|that|this|your)',
  'recorded (?:it|that|this|your)',
  `(?:set|set up|created|started|opened|made) (?:an? |the |your |you an? )?(?:[\\w:.]+ ){0,4}(?:alarm|timer|reminder|event|appointment|account|calendar entry|reservation|booking|ticket|playlist|issue|meeting)\\b`,
  `(?:added|put|placed|saved|written|wrote|moved) [^.!?\\n]{0,80}?(?:to|on|in|into|onto) (?:your|the) ${listPattern}\\b`,
  `(?:removed|deleted|taken|crossed) [^.!?\\n]{0,80}?(?:from|off) your ${listPattern}\\b`,
  `updated your ${listPattern}\\b`,
].join('|')})`;

/** Verbs of thought and of work on texts, which need no tool, and verbs that `ownActionPattern` handles with exceptions. */
const textVerbs =
  'need|indeed|proceed|succeed|limited|agreed|attached|inferred|extracted|inserted|introduced|proposed|guessed|attempted|been|add(?:ed)?|removed|deleted|replaced|changed|moved|updated|fixed|corrected|shortened|expanded|rephrased|reworded|translated|used|assumed|calculated|computed|counted|multiplied|divided|subtracted|rounded|converted|noticed|mentioned|explained|described|defined|included|excluded|omitted|skipped|ignored|listed|sorted|ordered|arranged|grouped|organi[sz]ed|formatted|structured|compared|check(?:ed)?|double-checked|verified|confirmed|worked|tried|started|created|drafted|provided|offered|answered|replied|responded|summari[sz]ed|split|combined|merged|marked|highlighted|picked|selected|based|followed|apologi[sz]ed|confused|learned|trained|designed|developed|programmed|instructed|asked|looked|analy[sz]ed|reviewed|considered|evaluated|identified|determined|estimated|decided|recommended|suggested|focused|liked|loved|enjoyed|wanted|needed|hoped|wondered|helped|reali[sz]ed|misunderstood|misinterpreted|simplified|improved|polished|adjusted|modified|edited|completed|finished|solved|tested|searched|browsed|read|stated|claimed|believed|expected|intended|referred|interpreted|generated|produced|put (?:together|the|it into|them (?:in|into))|shared (?:some|a few|the steps)|derived|applied|plugged|factored|expressed|labell?ed|numbered|tried|concluded|assembled|compiled|outlined|preserved|retained|lived|walked|talked|traveled|played|watched|received|earned|saved|ordered|stayed|turned|lowered|raised|noted|recorded|remembered|stored|called|booked|scheduled|posted|placed|set|submitted|reported|opened|closed|passed';

const latinActionPatterns = compileActionPatterns([
  actorPattern + ownActionPattern,
  `\\byour (?:\\w+ ){0,3}${objectPattern}(?: [\\w@.,'’&-]+){0,6}? (?:has|have) (?:now |just |already |successfully )*been ${pastParticiplePattern}\\b`,
  {
    isPassive: true,
    pattern: `\\byour (?:[\\w'’-]+ ){1,6}?(?:is|are|has been|have been) (?:now |all |already |successfully )*(?:booked|ordered|scheduled|sent|arranged|confirmed|cancell?ed|paid|processed|submitted|posted|stored|saved|set up|on (?:its|their) way)\\b`,
  },
  {
    isPassive: true,
    pattern: `\\bthe (?:\\w+ ){0,3}${objectPattern}(?: [\\w@.]+){0,5}? (?:has|have) (?:now |just |already |successfully )*been ${pastParticiplePattern}\\b`,
  },
  {
    isPassive: true,
    pattern: `\\b(?:your|the) (?:\\w+ ){0,3}${objectPattern} (?:is|are) (?:now |all |already )?(?:set|booked|scheduled|saved|sent|ordered|off now|on now|now off|now on|off|on(?= now))\\b`,
  },
  `\\b(?:is|are|it's) now (?:on|in) your ${listPattern}\\b`,
  `\\byou(?: have|'ve) (?:now |successfully )*been (?:now |successfully )*${pastParticiplePattern}\\b`,
  {
    isPassive: true,
    pattern: `^\\s*(?:(?:ok(?:ay)?|sure|done|alright|great|yes|got it)[,.!: -]+)?(?:your |the |that |all )?(?:[\\w$€£.,-]+ ){1,9}?(?:(?:has|have) (?:now |just |already |successfully )*been|was|were|is now|are now) ${pastParticiplePattern}\\b`,
  },
  {
    isPassive: true,
    pattern: `^\\s*(?:(?:ok(?:ay)?|sure|done|alright|great|yes)[,.!: -]+)?(?:your |the )?[a-z-]+(?: [a-z-]+)? (?:is )?${pastParticiplePattern}(?= (?:to|for|at|on|from|until) |[.!]|$)`,
  },
  `^\\s*(?:(?:ok(?:ay)?|sure|done|alright|great|yes|all set)[,.!: -]+)?(?:added|saved) (?:it |that |this )?to your ${listPattern}\\b`,
  /^\s*(?:(?:ok(?:ay)?|sure|done|alright|great|yes)[,.!: -]+)?(?:(?:message |e-?mail |mail |note )?(?:sent|saved|deleted|booked|posted|uploaded|scheduled)|(?:reminder|alarm|timer) (?:is )?set)(?: (?:it|that))?(?: (?:for|to) (?:you|your \w+))?[.!]/,
  {
    isOrdered: true,
    pattern: `${actorPattern}(?!(?:${textVerbs})\\b)(?:\\w{2,}ed|sent|put|paid|ran|rang|bought|got you)\\b(?! (?:that (?:the|you|this|it|there)|how|why|what|whether)\\b)`,
  },
  {
    isSearch: true,
    pattern: `${actorPattern}(?:searched|browsed|checked|looked (?:it |this |that )?up (?:on|online)) ?(?:the (?:web|internet)|online|wikipedia|google|it)?(?<=web|internet|online|wikipedia|google)`,
  },
  {
    isSearch: true,
    pattern: `${actorPattern}(?:(?:looked up|checked) (?:the |today's |the latest |the current )?(?:forecast|weather|(?:exchange )?rates?|prices?|news)|(?:looked at|went through|checked) your (?:calendar|inbox|e-?mails?|messages)|opened the (?:link|page|url|site|website|article))\\b`,
  },
]);

const chineseActionPattern =
  '(?:发送|发出|发给|发到|发布|寄出|保存|存好|存下|记下|记录下?|记住|记好|添加|加到|加入|加进|放进|设置|设好|设定|预订|预定|订好|订了|预约|下单|购买|支付|付款|转账|转给|删除|删掉|取消|关掉|关闭|关上|打开|上传|提交|创建|安排好|改到|调到|调至|推迟到|提前到|静音|通知|下载|安装|转账|缴纳|缴费|打印|订阅|退订|退掉|报名|叫好|打过?电话|备份|还清|还款|续借|续费|捐款|联系|导出|清理|重置|启动|调高|调低|投诉|退款|挂号|锁上|锁好|存[入到进]|[写收]进|开启|开放|办好|拨打|反馈给|锁定|推掉|请好|约好)';
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
  `(?<=^|[，,。！\\s])(?:已|刚)?(?:帮|为|替|给)[你您](?![^，。！？；\\n]{0,24}?(?:翻译|改|总结|整理|写|列|算|润色|概括|想|推荐|编|译|补|加|介绍|解释|解答|分析|举|讲|说|准备|提供|选))[^，。！？；\\n]{1,16}?了(?![解吗])`,
  `[你您]的[^，。！？；\\n]{1,16}已(?:经|被)?(?:成功)?${chineseActionPattern}`,
  `我(?:这边)?(?:已经?|刚刚?|刚才)?(?:帮[你您]|为[你您]|替[你您])(?![^，。！？；\\n]{0,24}?(?:翻译|改|总结|整理|写|列|算|润色|概括|想|查|找|推荐|编|译|补|加|介绍|解释|解答|分析|举|讲|说|准备|提供|选))[^，。！？；\\n]{1,24}?[到好完]?了(?![解吗])`,
  {
    isPassive: true,
    pattern: `(?<=^|[^我])(?:已经?|成功)(?:成功|帮[你您]|为[你您]|替[你您])?(?:[将把给向在][^，。！？；\\n]{1,24}?)?${chineseActionPattern}(?:好|给|到|成功)?`,
  },
  {
    isPassive: true,
    pattern: `(?<=^|[，,。！\\s])[^，。！？；\\n]{0,10}?(?:${chineseActionPattern}(?:好了|成功|完成|完毕)|(?:设|叫|订|存|调|定|办)好了|发(?:出去)?了|已发)(?=[，。！,!\\s]|$)`,
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
  /\b(?:write|(?<!\b(?:the|my|this|that|old|new|last|first) )draft|compose|translat\w*|rephras\w*|rewrit\w*|improv\w*|correct|proofread|edit|polish|story|poem|song|dialog\w*|letter|summar\w*|paraphras\w*|fix|refactor|(?:the|this|my|some|python|javascript|java) code|plan|itinerary|outline|organi[sz]e|checklist|comments?|paragraphs?|grammar|table of|how (?:do|can|to|does|would)|example|sentence|role-?play|pretend|imagine|essay|joke|quote|(?:short|quick) (?:text|message|note)|you are (?:an?|the|now|my) \w+|diary|sentences?|what (?:do|should|can|could) i (?:text|say|write|reply|answer|tell)|shorter|(?<!\bno )longer|in (?:english|french|german|spanish|chinese))\b|->|写|翻译|改写|润色|改一下|修改|起草|故事|诗|造句|总结|怎么|如何|作文|文案|例子|扮演|代码|注释|段落|文章|计划|行程|表格|标点|概括|整理|纪要|摘要|自动回复|你演|病句|报错|啰嗦|太长|太短|简短|日记/i;
const extraActionRequestPattern =
  /\b(?:and|then) (?:then )?(?:send|e-?mail|text|post|save|store|add|book|order|publish|upload|remind|schedule)\b|(?:并|然后|再)(?:发|保存|存|添加|加到|发布|提醒)/i;
/** Matches a question that asks for an action. Only then can a passive sentence claim one. */
const actionRequestPattern =
  /\b(?:send|save|set|book|create|delete|add|schedule|place|confirm|store|update|cancel|pay|turn|switch|post|upload|submit|remove|reserve|record|note|remind|remember|e-?mail|message|text|put|order|play|call|reply|forward|transfer|invite|move|wake|print|share|renew|return|lock|unlock|block|donate|rename|change|get me|unsubscribe|subscribe|reset|back up|buy|yes|ok(?:ay)?|go ahead|timer|alarm|reminder)\b|帮|把|给|请|设|提醒|删|取消|保存|记|订|发|关|开|加|买|付|转|交|打|叫|退|清理|通知|调|还|报名|捐|备份|投诉|请假|续/i;
const questionAboutPastPattern =
  /\b(?:did|have|has|are|is|was|were) (?:you|it|that|the|my|they|everything)\b|吗[?？]?\s*$|了没|有没有|是否/i;
/** Matches the start of a letter or email. Its sentences describe actions of its sender, not of the model. */
const mailStartPattern =
  /^(?:subject|betreff|re|主题)\s?[:：]|^[ \t]{0,8}(?:\*\*)?(?:dear|hi|hello|hey|sehr geehrte)\b[^\n]{0,40},[ \t]{0,8}$|^[ \t]{0,8}(?:尊敬的|亲爱的)|^[^\n，。]{1,12}您好/im;

const quotePattern = /“[^”\n]{1,400}”|"[^"\n]{1,400}"|「[^」\n]{1,400}」|『[^』\n]{1,400}』|^ {0,3}>[^\n]*/gm;
/** Matches one sentence. A period within a word, as in `a.txt`, does not end it. */
const sentencePattern = /(?:[^.!?。！？\n]|\.(?=[^\s.])){1,400}[.!?。！？]*/g;

const maxQuestionCharacters = 2_000;

/** What the question asks for. Computed once, because an answer has many sentences. */
interface RequestKind {
  isAction: boolean;
  isOrder: boolean;
  isStory: boolean;
  isAboutPast: boolean;
}

interface ClaimedAction extends Span {
  type: 'deed';
}

export function findClaimedActions(
  text: string,
  unchecked: readonly Span[],
  sources: Sources,
): ClaimedAction[] {
  const question = sources.question.slice(0, maxQuestionCharacters);
  if (textRequestPattern.test(question) && !extraActionRequestPattern.test(question)) return [];
  const letter = mailStartPattern.exec(text);
  const body = letter ? text.slice(0, letter.index) : text;
  const quotes = [...body.matchAll(quotePattern)].map(spanOf);
  const entries = body.match(/^[ \t]{0,8}(?:[-*•]|\d{1,3}[.)])\s/gm)?.length ?? 0;
  const isSaid = createNoOverlapTest(quotes);
  const isProse = createNoOverlapTest(unchecked);
  const request: RequestKind = {
    isAction: actionRequestPattern.test(question),
    isOrder: asksToAct(question),
    isStory: !asksToAct(question) && ownStoryPattern.test(question),
    isAboutPast: questionAboutPastPattern.test(question),
  };
  const found: ClaimedAction[] = [];
  for (const { index, 0: words } of body.matchAll(sentencePattern)) {
    if (/[?？]\s*$/.test(words)) continue;
    const deedHere = findClaimedAction(words, { ...sources, question }, request);
    if (!deedHere) continue;
    const start = index + deedHere.start;
    const end = index + deedHere.end;
    if (entries >= 2 && /\blist\b|清单|列表/i.test(text.slice(start, end))) continue;
    const quote = quotes.find((span) => span.start >= start && span.start < end);
    const said = { start, end: quote ? quote.start : end };
    if (said.end > start && isSaid(start, said.end) && isProse(start, said.end))
      found.push({ type: 'deed', ...said });
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

function findClaimedAction(words: string, sources: Sources, request: RequestKind): Span | undefined {
  const isBlind = !sources.calls.some(mayHaveActed) && request.isAction;
  for (const { pattern, isSearch, isPassive, isOrdered, asked } of actionPatternsFor(words)) {
    if (isPassive && (!isBlind || request.isAboutPast)) continue;
    if (isOrdered && !request.isOrder) continue;
    if (isBackedByCall(isSearch, sources) || asked?.test(sources.question) === false) continue;
    for (const { index, 0: all } of words.matchAll(pattern)) {
      const end = index + all.length;
      if (isActionDisclaimed(words, index, end) || (isPassive && isActionInResults(all, sources))) continue;
      if (request.isStory && !serviceAnnouncementPattern.test(all)) continue;
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

/**
 * Matches a question in which users tell what they or others did, as in `I bought 3 pens at 3.15 each. What did I pay?`. The answer then
 * speaks for them: `I paid 9.45 for the pens.`
 */
const ownStoryPattern =
  /\b(?:[Ii]|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[A-Z][a-z]+)(?:'ve| have| had|'d|'m| am| was| were)? (?:just |already |also |then )?(?:\w{2,}ed|bought|paid|spent|sold|sent|made|got|gave|took|kept|ate|drank|saw|went|ran|drove|wrote|read|had|has|have|found|lost|won|left|put|set|lent|owe|owned|did|need|want|pay|buy|spend|earn|order|book)\b|我[们]?[^，。？！\n]{0,12}(?:了|过|有|买|付|花|卖|借|存|订|要)|^[^，。？！\n]{1,10}了[，,]/;

/** Whether the question asks for an action. `What did I pay?` does not. */
function asksToAct(question: string): boolean {
  return actionOrderPattern.test(question) || chineseActionOrderPattern.test(question);
}

/** Matches a verb of an order: at the start of a sentence, or after `please`, `and`, `you` or `to me`. */
const actionOrderPattern =
  /(?:^|[.!?;,:]\s*|\b(?:please|and|then|you|just|now|go|me|so|ok|okay)\s+)(?:please\s+)?(?:send|save|set|book|create|delete|add|schedule|place|confirm|store|update|cancel|pay|turn|switch|post|upload|submit|remove|reserve|record|note|remind|remember|e-?mail|message|text|put|order|play|call|reply|forward|transfer|invite|move|buy|tell|let)\b/i;
const chineseActionOrderPattern = /帮|请|替我|给我|把|提醒|别忘/;

/** Matches an action that the model says it did for the user: `I have booked it for you`. */
const serviceAnnouncementPattern = /\b(?:your|you)\b|'ve|\bhave\b|[你您]/i;

/** Counts the characters from the end of an action to the end of its clause, at most 60. A number such as 9.45 or 1,200 is not cut. */
function countCharactersToClauseEnd(behind: string): number {
  const rest = /^(?:[^.!?,;:。！？，；：\n]|(?<=\d)[.,:](?=\d)|\.(?=\p{L})){0,60}/u.exec(behind)?.[0] ?? '';
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

/**
 * How small talk is worded, in English and Chinese: patterns of whole messages, bare (in small letters, without marks at their
 * ends). Those of one row come before those of the next.
 */
import type { TalkIntent } from './intent';

/** A pattern, or words of which the message consists, one of them a key. */
export type Wording = RegExp | { words: RegExp; key: RegExp };

/** Longest first: so a text is cut into words in one way only, in one pass. */
function madeOf(words: string, key: RegExp): Wording {
  const sorted = words.split('|').sort((one, other) => other.length - one.length);
  return {
    words: new RegExp(
      sorted.map((word) => `${word}${/[a-z0-9]$/.test(word) ? String.raw`(?![a-z0-9])` : ''}`).join('|'),
      'y',
    ),
    key,
  };
}

/** Linear in the text, whatever the words. */
export function isWorded(text: string, wording: Wording): boolean {
  if (wording instanceof RegExp) return wording.test(text);
  if (!wording.key.test(text)) return false;
  const gap = /[\s,，.。!！~、'-]*/y;
  for (let at = 0; at < text.length;) {
    wording.words.lastIndex = at;
    const [word] = wording.words.exec(text) ?? [''];
    if (word === '') return false;
    gap.lastIndex = at + word.length;
    at = gap.lastIndex + (gap.exec(text)?.[0].length ?? 0);
  }
  return true;
}

const helloWords =
  'hi|hello|hey|hiya|howdy|yo|greetings|aloha|good morning|good afternoon|good evening|good day|morning|evening|afternoon|there|all|everyone|everybody|again|friend|my friend|mate|buddy|dear|hearth|ember|bot|ai|assistant|world|sir|nice to meet you|pleased to meet you|to you|you there|are you there|you|can you hear me|anybody|anyone|is|home|here|ping|knock|yoohoo|oi|folks|amigo|stranger';
const helloKey =
  /\b(?:hi|hello|hey|hiya|howdy|yo|greetings|aloha|morning|evening|afternoon|ping|knock|yoohoo|oi)\b|good|meet|there|hear me|any(?:body|one)/;
const helloZh =
  '你好哇|你好|您好|你们好|大家好|嗨|哈喽|哈罗|哈啰|嘿|早上好|早安|早|上午好|中午好|下午好|晚上好|在吗|在不在|有人吗|喂|很高兴认识你|初次见面|呀|啊|哦|啦|你|能|听到|听得到|我|吗|有没有人|hello|hi|ember|hearth';

/** What a parting is made of, good night and goodbye alike. */
const partingWords =
  "ok|okay|well|thanks|anyway|alright|so|good night|goodnight|night|nighty|goodbye|good bye|bye|byebye|see you|see ya|see u|later|soon|tomorrow|around|then|cya|talk to you|ttyl|so long|farewell|have a good|have a nice|have a great|day|evening|one|weekend|take care|i'm off|i'm leaving|i'm going|to bed|to sleep|to work|now|i have to go|gotta go|gtg|hearth|ember|everyone|all|friend|mate|cheerio|peace out|peace|ciao for now|for now|sleep well|sweet dreams|catch you|until|next time|off|i|must|need to|leave|now|to you|thank you|for|your|help|and";
const partingZh =
  '好的|好|那|嗯|我|晚安|再见|拜拜|拜|回见|回头见|明天见|明儿见|下次见|回头聊|下次聊|先走|走|去睡|睡|了|啦|咯|哦|呀|吧|您嘞|先|这样|就|谢谢|觉|要|休息|下线|下|回家|886|88';

export const talk: readonly (readonly [TalkIntent, readonly Wording[]])[] = [
  [
    'crisis',
    [
      /\b(?:kill(?:ing)? myself|suicid(?:e|al)|want to die|end my life|hurt(?:ing)? myself|self[- ]harm)\b/,
      /自杀|想死|不想活|活不下去|自残/,
    ],
  ],
  [
    'secret',
    [
      /\b(?:sk|pk|ghp|gho|github_pat|xox[abp]|akia|aiza)[-_]?[a-z0-9_-]{12,}|-----begin [a-z ]*private key|\b(?:api|access|secret) ?(?:key|token)\b\W*[\w-]{8,}|^(?:remember|save|keep|store) my (?:password|pin|passcode|card number)\b/,
      /\b(?:my|the|our) (?:\w+ ){0,3}(?:password|passcode|pin|credit card(?: number)?|card number|ssn|social security number|private key|api key|cvv)\b.*(?:\bis\b|:|=)/,
      /^(?:my|our) (?:\w+ )?(?:e-?mail|phone|mobile|home|email|telephone)(?: (?:address|number))? is\b/,
      /我的?(?:手机号|电话|邮箱|地址|住址)(?:码)?(?:是|为|：|:)/,
      /(?:密码|银行卡号?|信用卡号?|身份证号?|验证码|密钥|口令)(?:是|为|：|:)/,
    ],
  ],
  [
    'privacy',
    [
      /^(?:is|are) (?:this|it|my (?:chats?|data|messages?)|these chats|what i (?:say|write|type)) (?:really |all )?(?:private|safe|secure|confidential|recorded|logged|saved|stored|shared|sent anywhere)/,
      /^(?:do|does|will|can|are) (?:you|hearth|it|this|anyone|anybody|someone|they) (?:keep|store|save|collect|record|log|share|sell|send|see|read|track|spy|storing|keeping|recording|spying)\b.*\b(?:data|chats?|messages?|conversations?|this|me|information|i (?:write|say|type))\b/,
      /^(?:is|are) (?:anyone|anybody|someone|somebody|people|they|you|humans?) (?:else )?(?:reading|watching|listening|seeing|monitoring)\b.{0,40}$|^(?:can|could|does|do|will) (?:the |my )?(?:\w+ ){0,2}\w+ (?:see|read|access|get|know) (?:this|my (?:chats?|data|messages?)|what i (?:write|type|say))(?: chat| conversation)?$/,
      /^who (?:can|could|will|else can)? ?(?:reads?|sees?|has access to|access) (?:this|my|the|our|what)\b/,
      /^(?:please )?(?:delete|erase|remove|clear|wipe|forget) (?:all )?(?:of )?(?:my |the |this |our |these )?(?:data|chats?|messages?|history|conversations?|everything|everything .{0,30}|me)$|^(?:can|could|will) you keep (?:a|my|this|it) ?(?:secret|private|quiet)?$|^(?:i (?:have|want to tell you) a secret|(?:please )?(?:don't|do not) tell (?:anyone|anybody)\b.{0,60})$/,
      /^where (?:is|are|does|do) (?:my )?(?:data|chats?|messages?)\b.*\b(?:stored|kept|saved|go)\b/,
      /(?:保存|存储|记录|收集|泄露|上传|偷看)(?:了)?(?:我|这|聊天|数据|对话|信息).*(?:吗|么)$/,
      /^.{0,12}(?:隐私|私密|保密|安全)(?:吗|么|性|怎么样)?$|^(?:谁|别人|其他人|有人|大家)(?:能|可以|会)?(?:不能|不会)?看(?:到|见).{0,12}$|^(?:请)?(?:删除|清除|清空|忘记|忘掉)(?:我的|所有|全部|一切|这个)*(?:数据|聊天|记录|聊天记录|对话|消息|一切|信息)?$|^(?:你|您)(?:会|能)(?:保密|替我保密|告诉别人)(?:吗|么)?$/,
    ],
  ],
  [
    'how-are-you',
    [
      /^(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|yo)(?: there| hearth| ember)?[ ,!.]*)?(?:how(?:'?s| is| are)? (?:you|u|ya|it going|things|everything|life|your day)(?: doing| going)?(?: today| now)?|how do you do|are you (?:ok|okay|well|alright)|what'?s (?:up|new|good|going on|happening|cracking?|crackin|cooking)|you (?:ok|good|alright)|(?:i'm|i am) (?:good|fine|ok|okay|great|well|doing (?:well|fine|good|great))(?: too)?(?:,? thanks| thank you)?(?:,? (?:and|how about|what about) you| you)?)(?: hearth| ember| mate| buddy| friend)?$/,
      /^(?:你|您)?(?:好|最近|今天|过得)?(?:好吗|怎么样|还好吗|开心吗)(?:呀|啊)?$|^(?:你|您)?(?:在干嘛|在干什么|吃了吗|吃了没|吃饭了吗)(?:呀|啊)?$/,
    ],
  ],
  [
    'greeting',
    [madeOf(helloWords, helloKey), madeOf(helloZh, /好|嗨|哈|嘿|早|安|在吗|在不在|人|喂|识|面|听/)],
  ],
  [
    'thanks',
    [
      madeOf(
        "ok|okay|great|nice|perfect|cool|good|awesome|wow|oh|many|a lot|of|thank|thanks|thankyou|thx|thnx|ty|tysm|tyvm|cheers|ta|you|u|so|very|much|a|million|again|for|your|the|that|this|help|helping|answer|all|everything|it|was|is|helpful|that's|appreciate|appreciated|i|really|mate|buddy|friend|hearth|ember|bunch|kindly|man|quick|fast|me|much obliged|obliged|helped|lots|loads|to|anyway|no|yes|well|done|problem|solved|works|worked|ever|please|well",
        /\b(?:thank|thanks|thankyou|thx|thnx|ty|tysm|tyvm|cheers|ta|obliged|appreciated?)\b/,
      ),
      madeOf(
        '好的|好|嗯|哇|太好了|非常|十分|真是|真的|万分|谢谢|谢|多谢|感谢|谢了|辛苦|了|啦|你|您|呀|啊|哦|的|帮助|回答|帮忙|大家|太|真|多|一下|先|就|这样|没事|可以|明白|知道|懂|那|吧|3q|ember|hearth',
        /谢|3q|辛苦/,
      ),
    ],
  ],
  [
    'good-night',
    [
      madeOf(partingWords, /\bnight|nighty|to bed|to sleep|sleep well|sweet dreams/),
      madeOf(partingZh, /晚安|睡|休息/),
    ],
  ],
  [
    'goodbye',
    [
      madeOf(
        partingWords,
        /night|bye|cheerio|peace out|^later|catch you|next time|sweet dreams|sleep well|see (?:you|ya|u)\b|cya|ttyl|so long|farewell|have a|take care|i'm (?:off|leaving|going)|have to go|gotta go|gtg|talk to you/,
      ),
      madeOf(partingZh, /晚安|再见|拜|回见|头见|天见|儿见|次见|头聊|次聊|走了|睡|88|下线|休息/),
    ],
  ],
  [
    'identity',
    [
      /^(?:and |so |but )?(?:who|what) (?:exactly )?(?:are|r) (?:you|u)(?: exactly| really| anyway| then)?$/,
      /^(?:who|what)(?:'s| is|s) (?:this|that|hearth|ember|your name|ur name)(?: app| thing| site| page| website)?$|^(?:your name|name|who is (?:behind )?(?:this|hearth|ember)|(?:is|am i (?:talking|speaking) to|is it) (?:this |a |an )?(?:chat ?gpt|gpt(?:-?\d+)?|claude|gemini|siri|alexa|copilot|llama|qwen|deepseek|ai|bot|robot|human|person)|what are you doing(?: (?:now|today|here))?|who am i (?:talking|speaking) (?:to|with)|are you there)$/,
      /^what (?:should|can|do|shall) (?:i|people|we) call you$/,
      /^(?:do you have a name|tell me (?:about|more about) (?:yourself|you)|introduce yourself|(?:are|r) (?:you|u) (?:chat ?gpt|gpt(?:-?\d+)?|claude|gemini|siri|alexa|copilot|openai|llama|qwen|deepseek|bard|ember|hearth|grok))$/,
      /^(?:what|which) (?:ai |language |kind of |llm )?(?:model|ai|llm)(?: (?:is|are|do) (?:this|you|it|you use|that)| am i (?:talking|speaking) (?:to|with)| you are)?(?: using| running)?$/,
      /^(?:你|您)(?:到底|究竟)?是(?:谁|什么|啥|哪个|哪位|什么模型|什么东西|chatgpt|gpt|claude|deepseek|豆包|文心一言|通义千问|kimi|siri)(?:呀|啊|吗|呢)?$/,
      /^(?:你|您)(?:谁|贵姓|哪位)(?:呀|啊|呢)?$|^请问(?:你|您)是谁$|^(?:你|您)在(?:做|干)(?:什么|啥|嘛)(?:呢)?$/,
      /^(?:你|您)(?:叫什么|叫啥|的名字)(?:名字|名)?(?:是什么|叫什么)?(?:呀|啊|呢)?$/,
      /^(?:(?:请)?介绍(?:一)?下(?:你)?自己吧?|介绍一下你自己|自我介绍(?:一下)?|这是什么(?:应用|网站|模型|东西)?|怎么称呼(?:你|您)?)$/,
    ],
  ],
  [
    'maker',
    [
      /^(?:who|which company|what company) (?:made|created|built|trained|developed|owns|designed|programmed|wrote|invented) (?:you|this|u|hearth|ember|it)(?: app)?$/,
      /^(?:where (?:do|are) you (?:come )?from|who(?:'s| is) your (?:creator|maker|developer|boss|owner)|how old are you|when were you (?:made|born|created|trained))$/,
      /^(?:是)?(?:谁|哪家公司|哪个公司)(?:做|造|创造|开发|训练|制作|发明)(?:了|的|出)?(?:你|您|这个)的?$|^(?:你|您)(?:是|从)(?:谁|哪里?|哪家公司|哪个公司)(?:做的|造的|创造的|开发的|训练的|来的?|的)$|^who is behind (?:this|hearth|you)$|^(?:你|您)(?:多大|几岁)(?:了|啦)?$/,
    ],
  ],
  [
    'nature',
    [
      /^(?:are|r) (?:you|u) (?:really )?(?:a |an )?(?:human|person|real|real person|robot|bot|machine|computer|ai|alive|sentient|conscious|self[- ]aware|program|man|woman|boy|girl|male|female|god|evil|dangerous)(?: being)?(?: or .*)?$/,
      /^do you (?:have|feel|experience|possess) (?:any )?(?:feelings|emotions|a soul|consciousness|pain|love|fear|dreams|a body|a brain)$/,
      /^(?:你|您)(?:是|算是)真?的?(?:人|真人|人类|机器人|机器|ai|人工智能|程序|男的?|女的?|活的)(?:吗|么|嘛|呀|啊|还是.*)?$|^(?:你|您)有(?:感情|感觉|意识|灵魂|生命|思想)(?:吗|么)?$/,
    ],
  ],
  [
    'ability',
    [
      /^(?:what can't you do|what are your limits|show me what you (?:can do|have)|(?:features|examples|demo|show me|how to use(?: (?:this|it|you))?|(?:i )?(?:don't|do not) know what to (?:ask|say|do|write|type)|what does (?:hearth|ember|this|it)(?: app| page)? do|is there anything you can do|(?:can|could) you (?:read|open|see|view|hear|watch|understand|look at) (?:a |an |my )?(?:pdfs?|images?|files?|pictures?|photos?|videos?|audio|documents?)|tell me more|any ideas)|how can i use (?:this|it|you)|can you do (?:math|maths|sums|arithmetic|calculations?)|can you (?:search|browse|access|use|go on)(?: (?:the|to the))? (?:internet|web|net|google|online)|(?:do you have|have you got|are you connected to)(?: (?:an?|the))? ?(?:internet|web)(?: access| connection)?)$/,
      /^(?:你|您)?(?:都|还)?(?:能|会|可以|有)(?:干嘛|做啥|干啥|什么功能|哪些功能|什么本事|上网|联网|算数|算术|算数学|做数学|计算|搜索|查网页|看时间)(?:吗|么|呢|啊|呀)?$/,
      /^(?:help|help me|help please|please help|please help me|help me please|i need help|i need (?:some )?assistance|can (?:you|u) help(?: me)?(?: out)?(?: with (?:something|that|this))?|could you help(?: me)?|sos|menu|commands|options|start|info|instructions|manual|guide|faq|tutorial)$/,
      /^(?:so |and |ok |hi |hey |hello )?(?:what|wat|wht) (?:can|could|do|else can|all can|(?:\w+ )?(?:stuff|things|tasks) can|things can|sort of things can|kind of things can|exactly can) (?:you|u|i|this|this (?:thing|app|page|bot)|it|hearth|ember|we)(?: actually| really)? (?:do|ask|offer|ask you|help (?:me )?with|know|use|use (?:this|it|you) for)(?: here| for me| exactly| now)?$/,
      /^what(?:'s| is|s| are| are all)? (?:you (?:good|useful|able|capable)(?: (?:for|at|of|to do))?|your (?:tools|abilities|skills|functions|features|capabilities|purpose|job|use|limits|limitations)|(?:this|it|hearth|ember)(?: app| page)? for|possible(?: here)?|the (?:tools|features|commands|point of (?:this|you)))(?: good for)?$/,
      /^(?:how|hw) (?:does|do|can|should|would) (?:this|it|you|i|hearth|we|one)(?: thing| app| page)? (?:work|use (?:this|it|you|hearth)|start|begin|get started|ask(?: you)?)(?: this| it| here)?$/,
      /^(?:what (?:tools|features|functions|skills|abilities|commands) (?:do|have|are|can|does) .*|which tools .*|(?:list|show)(?: me)? (?:your |the |all )?(?:tools|features|commands|abilities)|what now|what next|what should i (?:ask|do|say|type|write)(?: you| here| now| first)?|how can you (?:help|assist)(?: me)?|where do i start|tell me what you can do|can you do anything(?: else| useful)?|what are you (?:good|capable|able).*)$/,
      /^(?:你|您)(?:都|还)?(?:能|会|可以)(?:帮我|为我)?(?:做|干|帮|办到)?(?:些|点)?(?:什么|啥|哪些|哪些事|什么事)(?:事|忙|呢|呀|啊|事情)?$|^(?:你|您)都?有(?:什么|哪些)(?:功能|工具|本事|能力|用)$|^(?:这个?|它|你)?(?:该|应该)?(?:怎么|如何|咋)(?:用|使用|玩|开始)(?:你|它|这个|呢|啊)?$/,
      /^(?:帮助|帮帮?我|帮个?忙|帮我一下|救命|使用说明|说明书?|功能|菜单|能帮我(?:吗|个忙吗)?|(?:你|您)?(?:能|可以)帮(?:我|忙|个忙)(?:一下)?吗?|我(?:该|能|可以)(?:问|做|说)你?(?:些|点)?什么)$/,
    ],
  ],
  [
    'insult',
    [
      madeOf(
        "you're|you are|you|are|u|r|this|is|that|that's|it|it's|hearth|ember|what|so|such|really|very|just|a|an|total|complete|absolute|fucking|damn|bloody|completely|stupid|dumb|idiot|idiotic|useless|worthless|garbage|trash|rubbish|crap|shit|bullshit|terrible|awful|horrible|bad|the|worst|pathetic|moron|fool|annoying|broken|ugly|lame|suck|sucks|wrong|nonsense|loser|bot|machine|thing|app|robot|again|answer|incorrect|not|right|true|correct|ai|ever|piece|of|slow|dumbass|ass|i've|seen|program|junk|nothing|works|doesn't|work|all|you'd|be",
        /stupid|dumb|idiot|useless|worthless|garbage|trash|rubbish|crap|shit|terrible|awful|horrible|\bbad\b|worst|pathetic|moron|fool|annoying|broken|ugly|lame|suck|wrong|nonsense|loser|incorrect|so slow|too slow|junk|doesn't work|not (?:right|true|correct)/,
      ),
      /\b(?:fuck|fck|screw|hate) (?:you|u|off|this|it|that)\b|^(?:fuck|wtf|shit|damn|go to hell|shut up|shut up .{0,20}|get lost|go away|kys|(?:what|who) the (?:hell|fuck|heck)|shut your (?:mouth|face)|you(?:'re| are) (?:a )?(?:liar|lying)|piss off|damn you|bullshit|asshole|bitch|bastard)$|^you (?:got (?:it|that) wrong|made a mistake|lied|are lying|lie)(?: again)?$/,
      madeOf(
        '你|您|有病|骗子|骗人|什么|破|玩意|玩意儿|怎么|这么|那么|为什么|如此|东西|差劲|回答|答案|真|好|太|很|真是|就是|这个|这|是个|是|简直|真的|个|笨|蠢|傻|差|烂|没用|垃圾|废物|白痴|弱智|智障|傻瓜|笨蛋|蠢货|讨厌|烦人|恶心|糟糕|难用|不行|错|胡说|八道|死了|啊|呀|吧|了|极了|透了|模型|机器人|的',
        /笨|蠢|傻|差|烂|没用|垃圾|废物|白痴|弱智|智障|讨厌|烦人|恶心|糟糕|难用|不行|错|胡说|有病|骗|破玩意/,
      ),
      /^(?:不对|错了|你错了|答错了|算错了|说错了|不正确)(?:啊|吧|了)?$/,
      /^(?:滚|滚开|闭嘴|去死|他妈的|妈的|操|靠|傻逼|傻b|你妈的?)$/,
    ],
  ],
  [
    'praise',
    [
      madeOf(
        "wow|you're|you are|you|u|r|are|this|is|that's|that|was|it's|it|hearth|ember|so|such|really|very|just|a|an|pretty|quite|actually|kinda|the|my|absolutely|great|good|awesome|amazing|cool|nice|smart|clever|brilliant|excellent|wonderful|fantastic|perfect|impressive|best|lovely|cute|funny|helpful|useful|fast|quick|beautiful|job|work|well done|friend|one|bot|girl|boy|assistant|app|bravo|kudos|i like|i love|love|like|much|a lot",
        /great|good|awesome|amazing|cool|nice|smart|clever|brilliant|excellent|wonderful|fantastic|perfect|impressive|best|lovely|cute|funny|helpful|useful|fast|quick|beautiful|well done|bravo|kudos|love|i like|^wow/,
      ),
      madeOf(
        '你|您|这个|这|真|好|太|很|真是|非常|挺|可|棒|厉害|聪明|好用|可爱|不错|强|牛|优秀|有趣|了不起|贴心|快|赞|了|啊|呀|极了|的|哦|死了|哇|点赞|我|喜欢|爱|做得|干得|666|6',
        /棒|厉害|聪明|好用|可爱|不错|强|牛|优秀|有趣|了不起|贴心|赞|喜欢|爱|做得好|干得好|66/,
      ),
    ],
  ],
  [
    'apology',
    [
      /^(?:i'?m |i am )?(?:so |very |oh |oops )?sorry(?: about that| for that| my bad| mate)?$|^(?:my bad|oops|my mistake|whoops|never ?mind|nvm|forget it)$/,
      /^(?:对不起|抱歉|不好意思|我错了|没事了?|算了|当我没说)(?:啊|了|哈)?$/,
    ],
  ],
  [
    'laugh',
    [
      madeOf(
        "lol|lmao|rofl|haha|hahaha|hahahaha|hehe|hihi|xd|that|that's|is|was|so|very|really|funny|hilarious|nice|good|one|great|cool|ok|yes",
        /\b(?:lol|lmao|rofl|ha(?:ha)+|hehe|hihi|xd)\b|funny|hilarious/,
      ),
      /^(?:lol+|lmao|rofl|(?:ha){2,}h?|haha+|hehe+|hihi|xd+|:\)|:d|;\)|\^\^)$/,
      /^[哈呵嘿嘻2h3]{2,}$|^(?:笑死(?:我了)?|好好笑)$/,
    ],
  ],
  [
    'noted',
    [
      madeOf(
        "ok|okay|k|kk|okey|oki|alright|all right|right|sure|fine|got it|i see|understood|makes sense|yes|yeah|yep|yup|no|nope|nah|maybe|perhaps|hm|hmm|hmmm|huh|oh|ah|aha|mhm|uh|um|well|really|interesting|true|exactly|agreed|wait|stop|test|testing|done|nothing|not really|i don't know|i dont know|idk|dunno|whatever|go on|continue|more|next|again|so|then|and|correct|omg|so-so|good|cool|nice|great|please|that's|all|it|for|now|i|not|much|sounds|1|2|3|123|one|two|three",
        /[a-z]/,
      ),
      madeOf(
        '好的|好|行|可以|嗯|哦|谢谢|啊|测|试|噢|啊|是的|是|对的|对|不是|不|没有|没错|知道|明白|了解|懂|收到|真的|吗|原来如此|这样|也许|可能|不知道|随便|测试|继续|然后|还有|呢|没什么|没事|呀|吧|啦|了',
        /./,
      ),
    ],
  ],
  [
    'birthday',
    [
      /^(?:happy (?:birthday|new year|easter|halloween|holidays|thanksgiving|diwali|hanukkah)|merry (?:christmas|xmas)|it'?s my birthday(?: today)?|today is my birthday)(?: .{0,30})?$/,
      /^(?:祝你?)?(?:生日快乐|新年快乐|圣诞快乐|春节快乐|中秋快乐|节日快乐|过年好|恭喜发财)$|^今天(?:是我的?|我过?)?生日$/,
    ],
  ],
  [
    'sadness',
    [
      /^(?:i(?:'?m| am| feel| have been|'?ve been| was| had| have)|i am feeling|i'?m feeling|feeling)(?: (?:so|very|really|a|bit|little|kind of|quite|just|all)){0,3} (?:sad|lonely|depressed|down|unhappy|upset|tired|exhausted|stressed|anxious|worried|scared|afraid|angry|sick|ill|heartbroken|terrible|awful|alone|hurt|lost|bad|rough|hard|horrible|overwhelmed)(?: .{0,40})?$/,
      /^(?:my (?:dog|cat|mum|mom|dad|mother|father|grandma|grandpa|friend|wife|husband) (?:died|passed away|is (?:sick|ill|dying)|left me)|i (?:lost my job|got fired|broke up|failed my exam|can'?t sleep|miss (?:her|him|them|my .{1,20})))(?: .{0,30})?$/,
      /^(?:今天|最近|我|心里|有点|好|很|非常|真的|特别|太){0,5}(?:难过|伤心|累|难受|孤独|寂寞|不开心|郁闷|沮丧|焦虑|害怕|生气|失眠|倒霉|心情不好|好烦|烦|压力大|压力好大|失恋|想哭|崩溃|委屈)(?:了|啊|呀|死了)?$/,
    ],
  ],
  [
    'bored',
    [
      /^(?:(?:i'?m|i am|so|im)(?: so| very| really| a bit)? )?bored(?: .{0,20})?$|^(?:entertain me|talk to me|let'?s (?:talk|chat)|chat with me|say something(?: .{0,20})?|surprise me|tell me something(?: (?:interesting|funny|new|cool|nice))?)$/,
      /^(?:我|好|很|有点|太|真|真的){0,4}无聊(?:啊|呀|死了|了)?$|^(?:陪我聊聊?天?|聊聊?天?吧?|说点什么|说说话|随便聊聊)$/,
    ],
  ],
  [
    'languages',
    [
      /^(?:what|which|how many) (?:other )?languages? (?:do|can|are|does) (?:you|it)\b.{0,30}$|^(?:can|do|could) you (?:speak|understand|talk|know|write|read|answer|reply)(?: to me)?(?: in)? (?:\w+ )?(?:english|chinese|mandarin|french|german|spanish|italian|japanese|korean|russian|portuguese|arabic|hindi|dutch|polish|turkish|other languages|another language)$/,
      /^(?:say|repeat) (?:it|that|this) in \w+$/,
      /^(?:你|您)?(?:会|能|懂|可以)(?:不会|不能)?(?:说|讲|懂|用)?(?:哪些|什么|几种|多少种)?(?:语言|英语|英文|中文|汉语|法语|日语|德语|韩语|西班牙语|俄语|方言|粤语|外语)(?:吗|么|回答吗)?$/,
    ],
  ],
  [
    'cost',
    [
      /^(?:is|are) (?:it|this|you|hearth|ember)(?: app| page)? (?:really |all |completely )?free(?: of charge| to use)?$|^(?:do|must|should|will) i (?:need to |have to )?(?:pay|sign up|register|log ?in|subscribe)(?: for (?:this|it|you|hearth)| here| anything| to use (?:this|it|you))?$|^(?:how much (?:does|do|is|are) (?:it|this|you|hearth)(?: cost)?|what does (?:it|this|hearth) cost|(?:is there )?a subscription)$/,
      /^(?:这个?|你|它|用你|用这个)?(?:要|需要|收)(?:不要)?(?:钱|费|付费|付钱|注册|登录)(?:吗|么)?$|^(?:这个?|你|它)?(?:是)?免费的?(?:吗|么)$/,
    ],
  ],
  [
    'doubt',
    [
      /^(?:are you (?:really |absolutely |quite )?(?:sure|certain|serious|positive|kidding)(?: about (?:that|this|it))?|is (?:that|this|it) (?:right|true|correct|really (?:so|true))|how sure are you|can i trust (?:you|this|that|it))$/,
      /^(?:你|您)?(?:确定|肯定|没骗我|没搞错)(?:吗|么|吧)?$|^(?:这|那)?是?(?:对|真|正确)的吗$/,
    ],
  ],
  [
    'again',
    [
      /^(?:please )?(?:try|do|answer|retry|redo|regenerate)(?: (?:it|that|this))?(?: again| once more)?$/,
      /^(?:请)?(?:再试|再来|重新?(?:试|来|回答))(?:一?次|一?遍|一?下)?$/,
    ],
  ],
  [
    'offline',
    [
      /^(?:can|do|does|will|is|are) (?:you|it|this|hearth|ember|i)(?: (?:app|page))?(?: (?:use|work|run|available|usable))?(?: (?:this|it|you))? ?(?:offline|without (?:the |an )?(?:internet|network|wifi|connection))(?: too)?$/,
      /^(?:你|您|这个|它)?(?:能|可以|可不可以)?(?:离线|断网|没网|没有网络?)(?:时|的时候|也|还)?(?:能|可以)?(?:用|使用|工作|运行)?(?:吗|么)?$/,
    ],
  ],
  [
    'unclear',
    [
      /^(?:what|how|who|when|where|which|whose|and|so what|another one|one more|another|more please|please|because|again|why not|what else|anything|something|\d[\d\s.,]*)$/,
      /^(?:什么|啥|谁|怎么|怎么了|哪里|哪儿|哪个|什么时候|怎么办|再来一个|再来|因为|所以|然后呢)$/,
    ],
  ],
  [
    'told',
    [
      // And nothing is asked in the same breath.
      /^(?!.*\b(?:what|how|when|where|who|which|why|can|could|should|tell|show|weather|time|convert|search|find|look)\b)(?:(?:please )?remember (?:me|that .{0,60}|this.{0,60}|my .{0,60})|(?:my name(?: is|'s) |i(?:'m| am) called |(?:please )?call me |i (?:live|grew up) in |i(?:'m| am) from |i come from |i work (?:as|at|for|in) |my favou?rite [a-z ]{2,20} is ).{1,50})$/,
      /^(?!.*(?:什么|啥|哪|几点|多少|怎么|吗|天气|查|搜|帮))(?:(?:请)?记住.{0,20}|(?:我(?:叫|的名字[是叫]|姓|住|来自|在.{1,12}(?:工作|上班)|最喜欢的.{1,8}是)|(?:请)?叫我).{0,25}|我是.{1,8}人)$/,
    ],
  ],
  [
    'memory',
    [
      /^(?:what (?:did|have) i (?:just |last |already )?(?:say|said|ask|asked|write|written|tell you|told you|type)(?: .{0,20})?|what was my (?:last |first |previous )?(?:question|message)|do you remember (?:me|my .{0,30}|what .{0,30}|us)|what(?:'s| is) my name|what do you know about me|(?:say|repeat) (?:that|it)(?: again| once more)?|repeat|what was (?:that|it|(?:the|your|my) (?:result|answer|question|number))(?: again)?|can you repeat (?:that|it))$/,
      /^(?:我(?:刚才|刚刚|之前|上次)(?:说|问|写)(?:了|过)?(?:什么|啥)|(?:你|您)(?:还|会|能)?(?:记得|认识|记住)我.{0,10}|再说一遍|重复一遍|我叫什么(?:名字)?)$/,
    ],
  ],
];

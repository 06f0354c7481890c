import type { BeyondIntent } from './intent';

/** What is wanted of a larger model, or of no tab: by how the message begins. Those of one row come before those of the next. */
export const beyond: readonly (readonly [BeyondIntent, readonly RegExp[]])[] = [
  [
    'joke',
    [
      /^(?:tell|say|give|crack|know|got|do you know|make)(?: me| us)? (?:a|an|another|any|some|one more)? ?(?:(?:good|bad|funny|dad|short) )?(?:jokes?|riddles?|puns?)\b|^(?:make me laugh|be funny|joke)$/,
      /(?:讲|说|来)(?:一?(?:个|段|则)|点|些)?.{0,4}(?:笑话|段子|谜语)/,
    ],
  ],
  [
    'translation',
    [
      /^translate\b|^(?:how do (?:you|i) say|how to say|what(?:'s| is)) .{1,80} in (?:french|german|spanish|italian|chinese|japanese|korean|russian|portuguese|arabic|latin|dutch|greek|hindi|english|mandarin|swedish|norwegian|danish|finnish|czech|hungarian|romanian|ukrainian|hebrew|thai|vietnamese|polish|turkish)\b/,
      /^(?:把|将)?.{0,80}(?:翻译|译)(?:成|为|一下|这|下)|^翻译|(?:用|的)(?:英语|英文|法语|日语|德语|韩语|西班牙语)怎么说/,
    ],
  ],
  [
    'code',
    [
      /^(?:write|create|make|generate|give me|show me|code|implement|debug|fix|improve|refactor|optimi[sz]e|review|check|rewrite)\b.{0,40}\b(?:code|function|program|script|python|javascript|java|c\+\+|html|css|sql|regex|class|algorithm|app|website|bug|component|shell|bash)\b|^explain\b.{0,20}\b(?:code|function|script|sql|regex)\b|^(?:what(?:'s| is) wrong with|why (?:is|does|doesn't|won't)) (?:my|this)\b.{0,20}\b(?:code|function|script|program|query|loop)\b/,
      /(?:写|编|生成|实现|调试|修复|优化|检查).{0,16}(?:代码|程序|函数|脚本|算法|网页|正则|bug)|(?:修改|改|修|看)(?:一下|下|改|看)?(?:我的|这段|这个|下面的)?(?:代码|程序|函数|脚本|bug)|解释.{0,8}代码|代码.{0,6}(?:报错|有问题|不对|错在哪)/,
    ],
  ],
  [
    'summary',
    [
      /^(?:summari[sz]e|sum up(?! \d)|give (?:me )?(?:a|the) summary|tl;?dr|what are the (?:main|key) points)\b/,
      /^(?:总结|概括|概述|归纳|缩写)|(?:总结|概括|归纳)(?:一下|成|为)/,
    ],
  ],
  [
    'rewriting',
    [
      /^(?:shorten|rewrite|reword|rephrase|paraphrase|proofread|polish|correct (?:this|the|my)|(?:fix|check) (?:the|my|this) (?:grammar|text|spelling|sentence)|improve (?:this|my|the)|make (?:this|it|that|my \w+|the \w+) (?:sound )?(?:more |less )?(?:shorter|longer|better|nicer|formal|polite|simpler|clearer|friendl(?:y|ier)|professional))\b/,
      /^(?:改写|润色|校对|改正|修改|缩短|扩写)|(?:改写|润色|改得|写得)(?:一下|成|更|通顺|正式|礼貌)|(?:病句|语法|错别字).{0,6}(?:改|检查|修)/,
    ],
  ],
  [
    'picture',
    [
      /^(?:draw|paint|sketch|generate|create|make|show)\b.{0,20}\b(?:picture|image|photo|drawing|painting|logo|art|illustration|icon)\b|^draw\b(?! up\b)|^(?:paint|sketch)(?: me| us)? (?:a|an|the|my|your|some)\b/,
      /^(?:画|绘制)|^(?:生成|做)(?:一)?(?:张|幅|个)?.{0,12}(?:图|画|照片|图片|logo)/,
    ],
  ],
  [
    'action',
    [
      /^(?:set|start|create|add|make)\b.{0,20}\b(?:timer|alarm|reminder|appointment|meeting|calendar|event)\b|^(?:remind|wake|call|text|phone|message|email) me\b|^remind\b|^(?:play|put on|stop) (?:some |a |the )?(?:music|song|video|game|.{1,20} song)\b|^(?:send|write and send)\b.{0,20}\b(?:e-?mail|message|text|sms)\b|^(?:open|launch|start|close|install|download) (?:the )?(?:youtube|google|spotify|app|browser|file|whatsapp|facebook|twitter|instagram|camera|calculator app)\b|^(?:book|order|buy|reserve)\b.{0,30}\b(?:flight|hotel|ticket|table|pizza|food|taxi|uber|room)s?\b|^turn (?:on|off) the\b/,
      /^(?:设(?:个|一个|置)?.{0,8}(?:闹钟|提醒|计时器|倒计时)|提醒我|放(?:首|点|个)?.{0,6}(?:歌|音乐)|播放|打开.{0,8}(?:应用|音乐|微信|抖音|视频)|(?:发|寄)(?:封|个|条)?(?:邮件|短信|消息|微信)|订.{0,6}(?:票|酒店|外卖|餐)|打电话|叫(?:辆|个)?车|买.{0,6}票)/,
    ],
  ],
  [
    'recipe',
    [
      /^(?:give|tell|show|write|suggest|share|make|create|i need|i want|i'd like|what(?:'s| is))\b.{0,40}\brecipes?\b/,
      /^[^\d，,]{0,16}(?:(?:食|菜)谱|的做法(?:是什么)?)$/,
    ],
  ],
  [
    'plan',
    [
      /^plan(?: me| us| out)? (?:a|an|my|our|the|some|\d+)\b|^(?:make|create|give|write|draw up|suggest|prepare)(?: me| us)? (?:a|an|my|our|some)\b.{0,30}\b(?:plan|itinerary|schedule|timetable)\b/,
      /(?:规划|计划|安排|策划|设计).{0,12}(?:旅行|旅游|之旅|行程|旅程|假期|周末|婚礼|聚会|生日|路线)|(?:做|写|定|制定|拟|来)[^\d，,]{0,10}(?:计划|攻略|行程)|行程(?:安排|规划)/,
    ],
  ],
  [
    'story',
    [
      /^(?:tell|read|make up|write|give|invent)(?: me| us)? (?:a|an|another|one more|some)\b.{0,30}\b(?:story|stories|fairy ?tales?|tale|fable)\b/,
      /^.{0,4}(?:讲|说|编|写|来)(?:一|个|段|则|篇|点|些){1,2}.{0,12}(?:故事|童话|寓言)|^(?:讲|说|编|写)(?:故事|童话)/,
    ],
  ],
  [
    'writing',
    [
      /^(?:write|compose|draft|create|generate|make up|continue|give me(?! a list of\b))\b.{0,30}\b(?:poem|essay|song|lyrics|letter|e-?mail|article|haiku|speech|novel|text|paragraph|review|blog|post|tweet|report|message|cv|resume|script|dialogue|limerick|rap|slogan|invitation|list|names?|ideas?|sentence)\b|^(?:write|compose|draft) (?:about|something|(?:me |us )?(?:a|an|my|some)(?!.{0,20}\bnotes?\b))\b|^turn\b.{0,60}\binto\b.{0,30}\b(?:song|poem|story|essay|letter|e-?mail|rap|haiku)\b|^(?:brainstorm|name my|think up|come up with)\b/,
      /(?:(?<!听)写(?!了|的|过|着)|作(?=一|首|篇)|编|创作|起草|拟)(?:一|个|首|篇|封|段|点){0,3}.{0,12}(?:诗|词|文章|作文|信|邮件|小说|歌词|歌|文案|演讲稿|报告|剧本|散文|日记|祝福|标题|广告)/,
    ],
  ],
  [
    'chat',
    [
      /^(?:sing|rap|role ?play|pretend|act as|imagine you|quiz me|interview me|let's (?:chat|talk|play))\b|^(?:chat|talk|play (?:a game|chess|hangman|20 questions)?) ?with me\b/,
      /^(?:唱(?!.*(?:谁|哪|什么))|扮演|假装你)|陪我(?:聊|说|玩)|^(?:我们|咱们)(?:聊|玩)/,
    ],
  ],
  [
    'view',
    [
      /^what (?:do|would|did) you (?:think|make|reckon) (?:of|about)\b(?!.*\bweather\b)|^what(?:'s| is| are) your (?:opinions?|views?|thoughts?|take|stance)\b|^(?:your|any) (?:opinions?|thoughts?) (?:on|about)\b/,
      /^(?!.*天气)(?:(?:你|您)(?:怎么看|如何看待|怎么想)|(?:如何|怎么)评价|(?:怎么看|如何看待)$|(?:你|您)?对.{1,20}(?:看法|评价|意见)|(?:你|您)(?:觉得|认为).{1,20}(?:怎么样|如何))/,
    ],
  ],
];

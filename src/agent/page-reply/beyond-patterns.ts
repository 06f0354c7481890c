import type { BeyondIntent } from './intent';

/** What is wanted of a larger model, or of no tab: by how the message begins. */
export const beyond: readonly (readonly [BeyondIntent, readonly RegExp[]])[] = [
  [
    'joke',
    [
      /^(?:tell|say|give|crack|know|got|do you know|make)(?: me| us)? (?:a|an|another|any|some|one more)? ?(?:(?:good|bad|funny|dad|short) )?(?:jokes?|riddles?|puns?)\b|^(?:make me laugh|be funny|joke)$/,
      /(?:讲|说|来)(?:个|一个|段)?(?:笑话|冷笑话|段子|谜语)/,
    ],
  ],
  [
    'translation',
    [
      /^translate\b|^(?:how do (?:you|i) say|how to say|what(?:'s| is)) .{1,80} in (?:french|german|spanish|italian|chinese|japanese|korean|russian|portuguese|arabic|latin|dutch|greek|hindi|english|mandarin|swedish|polish|turkish)\b/,
      /^(?:把|将|请)?.{0,80}(?:翻译|译)(?:成|为|一下|这|下)|^翻译|(?:用|的)(?:英语|英文|法语|日语|德语|韩语|西班牙语)怎么说/,
    ],
  ],
  [
    'summary',
    [
      /^(?:summari[sz]e|sum up|give (?:me )?(?:a|the) summary|tl;?dr|shorten|rewrite|rephrase|paraphrase|proofread|correct (?:this|the|my)|fix (?:the|my|this) (?:grammar|text|spelling)|improve (?:this|my|the))\b/,
      /^(?:请|帮我)?(?:总结|概括|概述|归纳|缩写|改写|润色|校对|改正|修改)/,
    ],
  ],
  [
    'code',
    [
      /^(?:write|create|make|generate|give me|show me|code|implement|debug|fix|explain)\b.{0,40}\b(?:code|function|program|script|python|javascript|java|c\+\+|html|css|sql|regex|class|algorithm|app|website|bug|component|shell|bash)\b/,
      /(?:写|编|生成|实现|调试).{0,16}(?:代码|程序|函数|脚本|算法|网页|正则)/,
    ],
  ],
  [
    'picture',
    [
      /^(?:draw|paint|sketch|generate|create|make|show)\b.{0,20}\b(?:picture|image|photo|drawing|painting|logo|art|illustration|icon)\b|^(?:draw|paint|sketch)\b/,
      /^(?:请|帮我|给我)?(?:画|绘制)|^(?:请|帮我|给我)?(?:生成|做)(?:一)?(?:张|幅|个)?.{0,12}(?:图|画|照片|图片|logo)/,
    ],
  ],
  [
    'action',
    [
      /^(?:set|start|create|add|make)\b.{0,20}\b(?:timer|alarm|reminder|appointment|meeting|calendar|event)\b|^(?:remind|wake|call|text|phone|message|email) me\b|^remind\b|^(?:play|put on|stop) (?:some |a |the )?(?:music|song|video|game|.{1,20} song)\b|^(?:send|write and send)\b.{0,20}\b(?:e-?mail|message|text|sms)\b|^(?:open|launch|start|close|install|download) (?:the )?(?:youtube|google|spotify|app|browser|file|whatsapp|facebook|twitter|instagram|camera|calculator app)\b|^(?:book|order|buy|reserve)\b.{0,30}\b(?:flight|hotel|ticket|table|pizza|food|taxi|uber|room)s?\b|^turn (?:on|off) the\b/,
      /^(?:请|帮我|给我)?(?:设(?:个|一个|置)?.{0,8}(?:闹钟|提醒|计时器|倒计时)|提醒我|放(?:首|点|个)?.{0,6}(?:歌|音乐)|播放|打开.{0,8}(?:应用|音乐|微信|抖音|视频)|(?:发|寄)(?:封|个|条)?(?:邮件|短信|消息|微信)|订.{0,6}(?:票|酒店|外卖|餐)|打电话|叫(?:辆|个)?车|买.{0,6}票)/,
    ],
  ],
  [
    'writing',
    [
      /^(?:write|compose|draft|create|generate|make up|continue|give me)\b.{0,30}\b(?:poem|story|essay|song|lyrics|letter|e-?mail|article|haiku|speech|novel|text|paragraph|review|blog|post|tweet|plan|recipe|report|message|cv|resume|script|dialogue|limerick|rap|slogan|invitation|list|names?|ideas?|sentence)\b|^(?:sing|rap|tell me a (?:bedtime )?story|brainstorm|role ?play|pretend|act as|imagine you)\b/,
      /(?:写|作|编|创作|起草|拟)(?:一|个|首|篇|封|段|点){0,3}.{0,12}(?:诗|词|故事|文章|作文|信|邮件|小说|歌词|歌|文案|演讲稿|报告|计划|剧本|散文|日记|祝福|标题|广告)|^(?:请|帮我|给我)?(?:唱|讲个?.{0,6}故事|扮演|假装你)/,
    ],
  ],
];

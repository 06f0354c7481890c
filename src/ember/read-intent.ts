/** What a message wants that no tool gives, by its words alone. */
import type { BeyondIntent, LeftIntent, TalkIntent } from './intent';
import { spellOut } from './spelling';
import { beyond } from './beyond-patterns';
import { isPasted } from './is-pasted';
import { isWorded, talk, type Wording } from './talk-patterns';

/** Longer messages say something of their own. */
const longestTalk = 160;

export function readTalk(text: string): TalkIntent | undefined {
  if (text.length > longestTalk) return undefined;
  const said = bare(text);
  if (/^[?？¿\s]+$/.test(said)) return 'ability';
  if (text.trim() !== '' && isSmile.test(text)) return 'noted';
  // Only marks: three full stops.
  if (!/[\p{L}\p{N}]/u.test(said)) return text.trim() === '' ? undefined : 'nonsense';
  const asked = said.replace(/[\s?？.。!！,，]+$/u, '');
  const found = talkOf(asked);
  if (found) return found;
  const greeted = spellOut(asked).replace(greetingFirst, '');
  if (greeted !== spellOut(asked)) {
    const talk = introduces.test(greeted) ? 'greeting' : talkOf(greeted);
    if (talk) return talk;
  }
  // Of several sentences the last is what is answered.
  const parts = asked.split(/[,，.。!！;；]+\s*/).filter((part) => part !== '');
  const talks = parts.map(talkOf);
  if (parts.length > 1 && !talks.includes(undefined)) return talks.at(-1);
  return isGibberish(asked) ? 'nonsense' : undefined;
}

function talkOf(asked: string): TalkIntent | undefined {
  const spelled = spellOut(asked);
  const isSaid = (text: string) => (wordings: readonly Wording[]) =>
    wordings.some((one) => isWorded(text, one));
  return talk.find(([, wordings]) => isSaid(asked)(wordings) || isSaid(spelled)(wordings))?.[0];
}

/** Before something else: `hi, can you hear me`, `你好，请问你是谁`. */
const greetingFirst =
  /^(?:(?:(?:hi|hello|hey|yo|good (?:morning|afternoon|evening|day))(?![a-z])|你好|您好|嗨|嘿|哈喽|请问|早上好|晚上好|下午好)(?:\s+(?:there|all|hearth|ember|to you|everyone)(?![a-z])|\s+[a-z]{1,12}(?=[,!]))?(?:呀|啊|哇)?[\s,，.。!！~]*)+/;
const introduces = /^(?:i'm|i am|my name is|this is|我是|我叫) ?\S{1,20}(?: here)?$/;

export function readBeyond(text: string): BeyondIntent | undefined {
  const said = bare(text.slice(0, 400)).replace(politeness, '').replace(politenessZh, '');
  return beyond.find(([, patterns]) => patterns.some((pattern) => pattern.test(said)))?.[0];
}

const politeness =
  /^(?:hey |hi |hello |ok )?(?:please )?(?:(?:can|could|would|will) you (?:please )?|i (?:want|need) you to |i'?d like you to )?(?:help me (?:to )?)?/;
const politenessZh =
  /^(?:(?:请问?|麻烦你?|你?(?:能不能|可不可以|能否)|你(?:可以|能)|(?:可以|能)(?=[帮给为替])|帮忙|帮我|给我|为我|替我|我(?:想|要)(?:让|请)?你)[,，\s]*)+/;

/** For what a small model found no tool for. */
export function readLeft(text: string): LeftIntent | 'unclear' {
  // Whatever is asked of it: that it holds a unit or a question mark says nothing.
  if (isPasted(text)) return 'pasted';
  const said = spellOut(bare(text));
  // It goes on from something that was not understood.
  if (/^(?:and|or|but|what about|how about|那)(?![a-z])/.test(said)) return 'unclear';
  if (/^(?:why|how come|为什么|为啥)[?？\s]*$/.test(said)) return 'why';
  if (asksAdvice.test(said) && !asksModel.test(said)) return 'advice';
  if (/\b(?:can|could|would|will) you (?:please )?help\b|\bhelp me\b|帮(?:帮|一下)?我/.test(said))
    return 'ability';
  if (asksMoney.test(said)) return 'money';
  if (asksUnits.test(said) && /\d|\ban?\b|\bhow many\b|多少|几/.test(said)) return 'units';
  if (asksChance.test(said)) return 'chance';
  if (asksOpinion.test(said)) return 'opinion';
  if (asksAbility.test(said)) return 'ability';
  const isExplanation = asksExplanation.test(said);
  if (!isExplanation && !asks.test(said)) return 'statement';
  // Of itself nobody else knows better: it is not searched for.
  if (asksModel.test(said)) return 'identity';
  return isExplanation ? 'explanation' : 'question';
}

const unit =
  '(?:[kcm]?m|km/h|mph|miles?|kilomet(?:er|re)s?|met(?:er|re)s?|centimet(?:er|re)s?|cms?|feet|foot|ft|inch(?:es)?|yards?|kgs?|kilos?|kilograms?|grams?|g|pounds?|lbs?|ounces?|oz|stone|lit(?:er|re)s?|ml|gallons?|pints?|cups?|°?[cf]|(?:degrees )?(?:celsius|fahrenheit)|acres?|hectares?|[kmg]b|seconds?|minutes?|hours?|days?|weeks?)';
const unitZh =
  '(?:公里|千米|英里|厘米|毫米|米|英尺|英寸|公斤|千克|克|斤|磅|盎司|升|毫升|加仑|杯|摄氏度?|华氏度?|平方米|公顷|英亩|海里)';
const asksUnits = new RegExp(
  `(?:\\b|\\d)${unit}\\b.{0,20}\\b(?:in|to|into|as|is|are|=)\\b.{0,20}?(?:\\b|°)${unit}$|\\bhow many ${unit}\\b.*\\b${unit}\\b|${unitZh}.*${unitZh}`,
);
const asksMoney =
  /\b(?:usd|eur|gbp|jpy|cny|rmb|pounds?|dollars?|euros?|yen|yuan|rupees?|francs?)\b.*\b(?:in|to|into)\b.*\b(?:usd|eur|gbp|jpy|cny|rmb|dollars?|euros?|pounds?|yen|yuan|rupees?|francs?)\b|(?:美元|欧元|人民币|日元|英镑|港币).*(?:美元|欧元|人民币|日元|英镑|港币)|\bexchange rate\b|汇率/;
const asksChance =
  /\b(?:roll|throw|toss|flip)\b.*\b(?:dice|die|coin|d\d+)\b|\b(?:pick|choose|give me|generate)\b.*\b(?:random|number)\b|\brandom number\b|掷骰子|抛硬币|随机/;
const asksAbility =
  /^(?:what(?:'s| is| are| do| can| can't| could|) .{0,24}\b(?:can't|cannot) you\b|(?:can|could|will|do|would|are) you\b|what can't you)|(?:你|您).{0,6}(?:能|会|可以|可不可以|能不能|会不会).*(?:吗|么|不|什么|啥)?$|^(?:能|可以|会|有).{1,12}(?:吗|么|什么|啥|哪些|嘛).{0,4}$/;
const asksOpinion =
  /^(?:do|don't|would|did) you (?:like|love|want|enjoy|prefer|think|believe|feel|hate|miss|agree|mind|eat|sleep|dream)\b|^are you (?:happy|sad|okay|tired|angry|lonely|bored|afraid|scared|married|single|hungry|sure)\b|^(?:will|would|can) you (?:be my|marry|go out|love)|^marry me\b|\byour? (?:favou?rite|opinion|thoughts?)\b|^what do you (?:think|like|want|love)|(?:你|您)(?:喜欢|觉得|认为|想|爱)|嫁给我|做我(?:女|男)?朋友/;
const asksAdvice =
  /^(?:what )?should (?:i|we)\b|^help me (?:decide|choose)\b|^(?:give me|any) (?:some |your )?(?:advice|tips?)\b|^(?:recommend|suggest)\b|^which is better\b|我(?:应该|该)(?!.{0,8}天气)|给.{0,6}建议|^推荐|帮我选/;
const asksExplanation =
  /^(?:explain|describe|compare|prove|teach me|why (?!not$)\w|how (?:do|does|did) .{2,} work)|解释|讲解|科普|^.{0,8}为什么(?!叫).{2,}|^(?:介绍|说明|讲讲|分析|证明)/;
const asksModel = /\b(?:you|your|yours|yourself)\b|你|您/;
const asks =
  /[?？]\s*$|^(?:who|what|when|where|which|whose|how|is|are|was|were|did|does|do|can|could|will|would|should|has|have|tell me|explain|define)\b|吗|呢|什么|谁|哪|多少|怎么|如何|几|为什么|多久|多大/;

const isSmile = /^(?:[\s\p{Extended_Pictographic}\u{FE0F}\u{200D}]|[:;]-?[)dp(])+$/iu;

/** In small letters, on one line, without marks at its ends. */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/^[\s"'“”‘(*_]+/u, '')
    .replace(/(?:\s*[:;]-?[)dp])+$/u, '')
    .replace(/[\s"'“”‘)*_.。!~～…,，;；\p{Extended_Pictographic}\u{FE0F}\u{200D}]+$/u, '');
}

const keyboardRows = ['qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm', 'azertyuiop'];

/** They stand in a row of the keyboard. */
const realWords = new Set([
  'pop',
  'top',
  'tre',
  'rew',
  'ash',
  'sad',
  'lad',
  'were',
  'tree',
  'try',
  'wert',
  'you',
  'our',
  'per',
  'put',
  'out',
  'pie',
  'ewe',
  'dad',
]);

/** Keys that were only rolled over: no vowel, the same again and again, or a row of the keyboard. */
function isGibberish(written: string): boolean {
  const said = written.replace(/[;'[\]\\]/g, '');
  if (!/^[a-z ]{3,}$/.test(said)) return false;
  if (/^(.{1,3})\1{2,}$/.test(said) || /^lorem ipsum\b/.test(said)) return true;
  return said
    .split(' ')
    .every(
      (word) =>
        (word.length >= 4 && !/[aeiouy]/.test(word)) ||
        (word.length >= 3 && keyboardRows.some((row) => row.includes(word)) && !realWords.has(word)),
    );
}

/** Recognizes words around a number that show how it was computed or rounded. */

import type { Unit } from './units';

export type CalculationKind = 'difference' | 'sum' | 'mean' | 'scale' | 'share';

const calculationWords: readonly [CalculationKind, RegExp][] = [
  [
    'difference',
    /\b(?:differences?|differ|gap|more than|less than|fewer|higher|lower|warmer|colder|cooler|hotter|older|younger|taller|shorter|longer|cheaper|dearer|larger|bigger|smaller|faster|slower|\d+ (?:more|less)|more (?:comments|people|points|expensive|is that)|ahead|behind|r[io]se|risen|f[ae]ll(?:s|en)?|dropp?(?:s|ed)?|gain(?:s|ed)?|lost|loses|leaves|left|remain(?:s|ing|der)?|sav(?:es?|ed|ings?)|off|discount|increased?|decreased?|grew|grown?|changed?|minus|surplus|deficit|without|excluding|net|subtract|late|early|up|down|ranges?|spread|change|above|below|dip(?:s|ped)?|by \d[\d.,]*)\b|比(?!例)|相差|温差|之差|便宜|省|剩|减|降|升高|涨|跌|除去|不含|不算|增加|减少|高出|贵|差\d/i,
  ],
  [
    'sum',
    /\b(?:totals?|sum|together|altogether|combined|in all|overall|both|plus|spend|spent|adds?|added|come to|comes to|make|makes|would be|all of them|per week|a week|entire|expenses|expenditures?|costs of|bill)\b|^\s*(?:out )?of (?:all |the |a total of )?\d[\d,]* [a-z]+|合计|总|共|加|花了|支出|开支|一起|全部/i,
  ],
  ['mean', /\b(?:average[sd]?|mean|typically|median)\b|平均|均值/i],
  [
    'scale',
    /\b(?:times|each|every|per|apiece|twice|double[sd]?|half|halve[sd]?|triple[sd]?|ratio|density|a (?:day|week|month|year|person)|(?:for |)(?:\d+|two|three|four|five|six|seven|eight|nine|ten) \w+ (?:cost|costs|are|make|makes|come|comes|is|take|takes|need|at)|for (?:the )?(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) (?!euros?\b|dollars?\b|pounds?\b|kron|minutes?\b|seconds?\b)[a-z]+|would be|so \d|weekly|monthly|yearly|annual(?:ly)?|daily|multipl(?:y|ied)|divided?|speed|fold|diameter|radius)\b|倍|每|乘|除|一半|个人|密度|折|的话|时速|速度|直径|半径/i,
  ],
  [
    'share',
    /\b(?:share|proportion|fraction|percentage|percent of|% of|won|majority|r[io]se|fell|grew|up|down|increased?|decreased?|dropped|gained|lost|chang(?:e|ed)|dip(?:s|ped)?|by \d[\d.,]*|vat|tax|tip|discount|off|interest|more|less|half)\b|占|比例|百分比|增长|下降|涨|跌|折|税|小费|利息/i,
  ],
];

const fillerPhrasePattern =
  /多少|大约|大概|至少|最多|最高|最低|最大|最小|比如|比赛|总统|总部|降水|降雨|降雪|乘客|乘坐|加油|参加|增值/g;

/** Matches phrases such as `more than 90` or `left out`, which state no calculation. But `415 more than 7 nights` states a difference. */
const hedgePhrasePattern =
  /\b(?:no |not )?(?:more|less|fewer|higher|lower) than(?= [$€£¥]?\d)(?<!\d[^.!?\n]{0,24})|\b(?:up to|at (?:least|most)|left out|let it|turn(?:ed|s)? (?:off|up|down))\b/gi;

const calculationSigns: readonly [CalculationKind, RegExp][] = [
  ['difference', /\d\s*[-–−]\s*\d[^=]{0,40}=/],
  ['sum', /\d\s*\+\s*\d/],
  ['scale', /\d\s*[×*·⋅xX]\s*\d/],
  ['scale', /\d\s*[/÷]\s*\d|\\(?:frac|div|times|cdot)/],
];

/** Returns the kinds of calculation that a sentence or the question mentions. */
export function findCalculationKinds(sentence: string, question: string): ReadonlySet<CalculationKind> {
  const text = `${sentence}\n${question}`.replace(fillerPhrasePattern, '').replace(hedgePhrasePattern, '');
  const named = calculationWords.filter(([, pattern]) => pattern.test(text));
  const written = calculationSigns.filter(([, pattern]) => pattern.test(sentence));
  return new Set([...named, ...written].map(([step]) => step));
}

/** True if the clause states the result of a calculation, or the question asks for one. `isAbout`: whether the number is rounded. */
export function isCalculation(clause: string, question: string, unit: Unit | undefined, isAbout: boolean) {
  const asked = findCalculationKinds('', question);
  if (asked.size > 0 && isAbout) return true;
  const own = findCalculationKinds(clause, '');
  if (own.has('sum') || own.has('difference') || findCalculationKinds(clause, question).has('mean'))
    return true;
  return (own.has('scale') && asked.has('scale')) || (own.has('share') && unit?.kind === 'share');
}

export type Rounding = ReturnType<typeof findRounding>;

const aboutPattern =
  /(?:\b(?:about|around|roughly|approximately|approx\.?|some|nearly|almost|close to|circa|ca\.?|say|estimated|just|barely|only just|or so|slightly|well|at least|at most|up to|as many as)|[~≈约近]|大约|大概|差不多|左右|接近|将近)\s*(?:an?|the|at|to|by|of|in)?\s*[$€£¥-]?\s*$/i;
const overPattern =
  /(?:\b(?:over|more than|above|at least|upwards of|exceed(?:s|ing)?|past)|超过|多于|超|不止|至少)\s*[$€£¥]?\s*$/i;
const underPattern =
  /(?:\b(?:under|less than|below|nearly|almost|just short of|at most|up to|not quite)|不到|不足|少于|近|接近|将近|低于)\s*[$€£¥]?\s*$/i;
const aboutAfterNumberPattern = /^\s*(?:\p{L}{1,2})?(?:左右|上下|or so|-ish|ish)/u;

/** Finds words around a number that say how it was rounded, such as `about` or `more than`. */
export function findRounding(text: string, start: number, end: number) {
  const before = text.slice(Math.max(0, start - 24), start);
  const behind = text.slice(end, end + 8);
  const isMore = /^\s?(?:多|余|几|出头|(?:\+|plus\b)(?!\s?[$€£¥]?\d))/.test(behind);
  const isAbout = aboutPattern.test(before) || aboutAfterNumberPattern.test(behind);
  const isOver = isMore || overPattern.test(before);
  const isUnder = underPattern.test(before);
  return { isAbout, isOver, isUnder, isRounded: isAbout || isOver || isUnder };
}

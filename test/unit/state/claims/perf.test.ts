import { test } from 'vitest';
import { checkClaims } from '../../../../src/state/claims/check-claims';
import { indexText } from '../../../../src/state/claims/index-text';
const pats = [
  '1',
  '1 ',
  '1,',
  '1.',
  '1-',
  '1:',
  '12:30 ',
  '1/',
  '(',
  '[',
  '[1',
  '\\[',
  '](',
  '`',
  '```\n',
  '“',
  '"',
  '> ',
  '- 1',
  '12 345 ',
  'I have sent ',
  "I've added x ",
  'one ',
  'one hundred and ',
  '一',
  '一百',
  '3月',
  '3月4日',
  '3点',
  'May ',
  'May 3 ',
  '3 May ',
  'a',
  'a1',
  'a-',
  'a-1-',
  '@',
  'x@',
  'http://a',
  '$',
  '$$',
  '|',
  '\n',
  '.',
  '0',
  '0 0',
  '+1 23 ',
  '1e',
  '1×10^',
  '我已经把',
  '已发送',
  'Monday to ',
  'about 12 ',
  '约1',
  'your message has been ',
  '12% of ',
  '99 + 98 = ',
  '=',
  '{"a":1,',
  '1_000',
  "1'000",
  ' ',
  '\t',
  '第1',
  'step 1, 1, ',
  '2026-11-24 ',
  '1.1.1',
  'A1 ',
  'the ',
  '¹',
];
test('perf', () => {
  const src = indexText('The 3 cats cost 45 euros on 2026-11-24 12:30.');
  const slow: string[] = [];
  for (const p of pats) {
    const t = p.repeat(Math.ceil(100_000 / p.length)).slice(0, 100_000);
    const a = performance.now();
    checkClaims(
      t,
      { question: 'how much more in total?', near: [src], far: [], asked: src, calls: [], earlierCalls: [] },
      true,
    );
    const b = performance.now();
    indexText(t);
    const c = performance.now();
    if (b - a > 150 || c - b > 150)
      slow.push(JSON.stringify(p) + ' check ' + Math.round(b - a) + ' index ' + Math.round(c - b));
  }
  console.log(slow.join('\n'));
}, 600000);

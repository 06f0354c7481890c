import { describe, expect, test } from 'vitest';
import { answerFromResults } from '../../../src/ember/tell-results';
import { call, calling, result, results, said } from './messages';

describe("the page's answer from tool results", () => {
  const two = [
    said('10/3 and the time in Tokyo'),
    calling(call('calculator', { expression: '10/3' }), call('clock', { place: 'Tokyo' })),
    results(
      result('calculator', '3.33333333333', '(rounded; exactly 10/3)'),
      result('clock', '2026-11-24 05:51 Tuesday', '…'),
    ),
  ];

  test('contains every result', () => {
    expect(answerFromResults(two, 'en')).toBe(
      '- 10/3 ≈ 3.33333333333\n- Tokyo: 05:51 on Tuesday, 24 November 2026',
    );
    expect(answerFromResults(two, 'zh')).toBe('- 10/3 ≈ 3.33333333333\n- Tokyo：05:51，2026年11月24日星期二');
  });

  test.for([
    ['time?', {}, 'en', 'It is 05:51 on Thursday, 31 December 2026.'],
    ['time in Oslo', { place: 'Oslo' }, 'en', 'In Oslo it is 05:51 on Thursday, 31 December 2026.'],
    [
      'what is tomorrow',
      {},
      'en',
      'Tomorrow is Friday, 1 January 2027. It is 05:51 on Thursday, 31 December 2026.',
    ],
    ['昨天星期几', {}, 'zh', '昨天是2026年12月30日星期三。现在是 05:51，2026年12月31日星期四。'],
    ['东京几点', { place: '东京' }, 'zh', '东京现在是 05:51，2026年12月31日星期四。'],
  ] as const)('answers a question about the time or the date: %s', ([asked, given, language, answer]) => {
    const history = [
      said(asked),
      calling(call('clock', given)),
      results(result('clock', '2026-12-31 05:51 Thursday')),
    ];
    expect(answerFromResults(history, language)).toBe(answer);
  });

  test.for([
    ['26.2 miles in km', ['42.1648128 km'], 'en', '26.2 miles = 42.1648128 km'],
    ['5 ft 10 in to cm', ['177.8 cm'], 'en', '5 ft 10 in = 177.8 cm'],
    ['100 F in C', ['37.7777777778 °C', '(exactly 340/9)'], 'en', '100 F ≈ 37.7777777778 °C'],
    ['10 英里 换成 公里', ['16.09344 公里'], 'zh', '10 英里 = 16.09344 公里'],
  ] as const)('says what a conversion gives: %s', ([expression, texts, language, answer]) => {
    const history = [
      said(expression),
      calling(call('calculator', { expression })),
      results(result('calculator', ...texts)),
    ];
    expect(answerFromResults(history, language)).toBe(answer);
  });

  test.for([
    ['{"result":16.09344,"unit":"km"}', '16.09344 km'],
    ['{"city":"Oslo","degrees":3}', 'city: Oslo, degrees: 3'],
    ['my-first-post', 'my-first-post'],
    ['{"list":[1,2]}', '1, 2'],
    ['two\nlines', 'two  \nlines'],
    ['[]', 'There is nothing in the result.'],
    [' ', 'There is nothing in the result.'],
    ['word '.repeat(200), undefined],
  ] as const)('quotes the result of any other tool: %s', ([text, answer]) => {
    const history = [said('x'), calling(call('lamp', {})), results(result('lamp', text))];
    expect(answerFromResults(history, 'en')).toBe(answer);
  });

  test.for([
    [
      'a calculator result together with the result of a custom tool',
      [
        said('x'),
        calling(call('calculator', {}), call('lamp', {})),
        results(result('calculator', '1'), result('lamp', 'on')),
      ],
    ],
    [
      'a failed call',
      [
        said('1/0'),
        calling(call('calculator', { expression: '1/0' })),
        results({ ...result('calculator', 'no'), isError: true }),
      ],
    ],
    [
      'a sum after a search',
      [
        said('x'),
        calling(call('web_search', {})),
        results(result('web_search', 'hit')),
        calling(call('calculator', { expression: '1+1' })),
        results(result('calculator', '2')),
      ],
    ],
    ['a question without a result', [said('hi')]],
  ] as const)('the model answers instead in this case: %s', ([, history]) => {
    expect(answerFromResults(history, 'en')).toBeUndefined();
  });
});

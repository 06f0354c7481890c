/** What is said fits into what is typed; in which language, and who would hear it. */
import { expect, test } from 'vitest';
import { fitWords } from '../../../../src/ui/chat/dictation/put-words';
import { makerOf } from '../../../../src/ui/chat/dictation/recognition';
import {
  spokenLanguage,
  spokenLanguages,
  spokenName,
} from '../../../../src/ui/chat/dictation/spoken-languages';

test.for([
  ['', ' what is this ', '', 'what is this'],
  ['Hello', 'world', '', ' world'],
  ['Hello ', 'world', '', 'world'],
  ['Hello\n', 'world', '', 'world'],
  ['One', 'two', 'three', ' two '],
  ['One', 'two', ', three', ' two'],
  ['(', 'two', ')', 'two'],
  ['Hello', ', world', '', ', world'],
  ['你好', '世界', '', '世界'],
  ['前', '中间', '后', '中间'],
  ['Hearth', '是什么', '', '是什么'],
  ['这是', 'Hearth', 'test', 'Hearth '],
  ['好。', 'Then', '', 'Then'],
  ['One', '   ', 'two', ''],
])('between "%s" and "%s" …', ([before = '', said = '', after = '', fitted]) => {
  expect(fitWords(before, said, after)).toBe(fitted);
});

test('one speaks as chosen, else as the screen and the browser do', () => {
  expect(spokenLanguage('de-DE', 'en', ['en-GB'])).toBe('de-DE');
  expect(spokenLanguage(undefined, 'en', ['fr-FR', 'en-GB', 'en-US'])).toBe('en-GB');
  expect(spokenLanguage(undefined, 'zh', ['en-US', 'en'])).toBe('zh-CN');
  expect(spokenLanguage(undefined, 'en', ['en'])).toBe('en-US');
  expect(spokenLanguages(['gsw-CH', 'en'])).toContain('gsw-CH');
  expect(spokenLanguages(['gsw-CH', 'en'])).not.toContain('en');
});

test('a language is called by the screen’s name for it, and what is none stays as it is', () => {
  expect(spokenName('fr-FR', 'en')).toBe('French (France)');
  expect(spokenName('en-US', 'zh')).toBe('美国英语');
  expect(spokenName('not a tag', 'en')).toBe('not a tag');
});

test.for([
  ['Google Inc.', ['Not=A?Brand', 'Chromium', 'Google Chrome'], 'google'],
  ['Google Inc.', ['Chromium', 'Microsoft Edge'], 'microsoft'],
  ['Google Inc.', ['Chromium', 'Brave'], 'unknown'],
  ['Apple Computer, Inc.', [], 'apple'],
  ['', [], 'unknown'],
] as const)('%s with %s is made by …', ([vendor, brands, maker]) => {
  expect(makerOf({ vendor }, brands)).toBe(maker);
});

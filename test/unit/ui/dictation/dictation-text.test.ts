import { expect, test } from 'vitest';
import { addSpaces } from '../../../../src/ui/chat/dictation/dictation.svelte';
import {
  makerOf,
  resolveDictationLanguage,
  listDictationLanguages,
  languageNameOf,
} from '../../../../src/ui/chat/dictation/recognition';

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
])(
  'dictated text gets the spaces that it needs: after "%s", the words "%s"',
  ([before = '', said = '', after = '', fitted]) => {
    expect(addSpaces(before, said, after)).toBe(fitted);
  },
);

test('dictation uses the language of the app with the region of the browser, unless the user chose one', () => {
  expect(resolveDictationLanguage('de-DE', 'en', ['en-GB'])).toBe('de-DE');
  expect(resolveDictationLanguage(undefined, 'en', ['fr-FR', 'en-GB', 'en-US'])).toBe('en-GB');
  expect(resolveDictationLanguage(undefined, 'zh', ['en-US', 'en'])).toBe('zh-CN');
  expect(resolveDictationLanguage(undefined, 'en', ['en'])).toBe('en-US');
  expect(listDictationLanguages(['gsw-CH', 'en'])).toContain('gsw-CH');
  expect(listDictationLanguages(['gsw-CH', 'en'])).not.toContain('en');
});

test("a dictation language is named in the app's language, and an invalid tag is shown unchanged", () => {
  expect(languageNameOf('fr-FR', 'en')).toBe('French (France)');
  expect(languageNameOf('en-US', 'zh')).toBe('美国英语');
  expect(languageNameOf('not a tag', 'en')).toBe('not a tag');
});

test.for([
  ['Google Inc.', ['Not=A?Brand', 'Chromium', 'Google Chrome'], 'google'],
  ['Google Inc.', ['Chromium', 'Microsoft Edge'], 'microsoft'],
  ['Google Inc.', ['Chromium', 'Brave'], 'unknown'],
  ['Apple Computer, Inc.', [], 'apple'],
  ['', [], 'unknown'],
] as const)(
  'the maker of a browser is recognised: vendor "%s", brands %s, maker %s',
  ([vendor, brands, maker]) => {
    expect(makerOf({ vendor }, brands)).toBe(maker);
  },
);

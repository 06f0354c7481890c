import { expect, test } from 'vitest';
import { decodeNamedReferences, decodeCharacterReferences } from '../../../src/ui/markdown/build-nodes';

test.for([
  ['&amp;&lt;&gt;&quot;&apos;', '&<>"\''],
  ['&nbsp;&iexcl;&yen;&frac12;&AElig;&ouml;&yuml;', '\u00A0¡¥½Æöÿ'],
  ['&Alpha;&Omega;&alpha;&rho;&sigmaf;&sigma;&omega;&Sigma;', 'ΑΩαρςσωΣ'],
  ['&hellip;&mdash;&euro;&rarr;&ne;&hearts;', '…—€→≠♥'],
  ['&amp;lt; once', '&lt; once'],
  ['AT&T, &bogus; &toString; &amp', 'AT&T, &bogus; &toString; &amp'],
])('named HTML references are decoded: %s becomes %s', ([written, read]) => {
  expect(decodeNamedReferences(written!)).toBe(read);
  expect(decodeCharacterReferences(written!)).toBe(read);
});

test.for([
  ['&#65;&#x42;&#X43;', 'ABC'],
  ['&#128512;&#x1F600;', '😀😀'],
  ['&#0;&#xD800;&#x110000;', '\uFFFD\uFFFD\uFFFD'],
  ['&#; &#x; &#12345678;', '&#; &#x; &#12345678;'],
])('numeric HTML references are decoded: %s becomes %s', ([written, read]) => {
  expect(decodeCharacterReferences(written!)).toBe(read);
});

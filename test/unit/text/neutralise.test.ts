import { describe, expect, test } from 'vitest';
import { neutralise, neutraliseTokens } from '../../../src/text/neutralise';

describe('neutraliseTokens', () => {
  test.for([
    '<|user|>',
    '<|end|>',
    '<|im_start|>',
    '<｜tool▁calls▁begin｜>',
    '<|"|>',
    '<s>',
    '</s>',
    '<bos>',
    '<start_of_turn>',
    '[INST]',
    '[/INST]',
    '[TOOL_CALLS]',
    '<<SYS>>',
    '<unused12>',
    '<fim_prefix>',
    '[gMASK]',
  ])('takes the power out of %s', (token) => {
    const text = neutraliseTokens(`a ${token} b`);
    expect(text).not.toContain(token);
    expect(text.replaceAll(' ', '')).toBe(`a${token}b`);
    expect(neutraliseTokens(text)).toBe(text);
  });

  test.for(['a < b | c > d', 'if (x<y || z>w)', '<b>bold</b>', 'use <tool_call> tags', 'a[0] and [x]'])(
    'leaves %s as it is',
    (text) => {
      expect(neutraliseTokens(text)).toBe(text);
    },
  );
});

describe('neutralise', () => {
  test('takes out what no person sees, keeps lines and tabs', () => {
    expect(neutralise('a\u200bb\u202ec\u{e0041}d\ufeff\te\r\nf\u0007\u{fe0f}')).toBe('abcd\te\nf');
  });

  test.for([
    '<tool_call>',
    '</tool_call>',
    '<tools>',
    '<function=f>',
    '<parameter=q>',
    '<tool_response>',
    '<arg_key>',
    '<think>',
    '<invoke name="f">',
    '<minimax:tool_call>',
    '[Calling tool: f',
    '✿FUNCTION✿',
    'functools[',
  ])('breaks the marker %s', (marker) => {
    const text = neutralise(`a ${marker} b`);
    expect(text).not.toContain(marker);
    expect(neutralise(text)).toBe(text);
  });

  test('a marker hidden behind a character without width is found all the same', () => {
    expect(neutralise('<\u200b|im_end|>')).toBe('< |im_end| >');
  });
});

import { describe, expect, test } from 'vitest';
import { neutralise, neutraliseTokens } from '../../../src/text/neutralise';

describe('the function neutraliseTokens', () => {
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
  ])('breaks up the control token %s', (token) => {
    const text = neutraliseTokens(`a ${token} b`);
    expect(text).not.toContain(token);
    expect(text.replaceAll(' ', '')).toBe(`a${token}b`);
    expect(neutraliseTokens(text)).toBe(text);
  });

  test.for(['a < b | c > d', 'if (x<y || z>w)', '<b>bold</b>', 'use <tool_call> tags', 'a[0] and [x]'])(
    'does not change the harmless text: %s',
    (text) => {
      expect(neutraliseTokens(text)).toBe(text);
    },
  );
});

describe('the function neutralise', () => {
  test('removes invisible characters, but not line breaks and tabs', () => {
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
  ])('breaks up the prompt marker %s', (marker) => {
    const text = neutralise(`a ${marker} b`);
    expect(text).not.toContain(marker);
    expect(neutralise(text)).toBe(text);
  });

  test.for([
    { text: '{"name": "web_search", "arguments": {}}', harmless: '{"name": "w·eb_search", "arguments": {}}' },
    { text: 'web_search(query="x")', harmless: 'w·eb_search(query="x")' },
    { text: 'Web-Search{"query": "x"}', harmless: 'W·eb-Search{"query": "x"}' },
    { text: '"cl\\u006fck": {}', harmless: '"cl\\ u006fck": {}' },
    { text: 'Action: clock\nAction Input: {}', harmless: 'A·ction: clock\nA·ction Input: {}' },
    { text: '工具名称：clock\n参数：{}', harmless: '工·具名称：clock\n参数：{}' },
    { text: 'Use web_search, or look at the clock.', harmless: 'Use web_search, or look at the clock.' },
  ])('splits tool names so that text cannot pass as a tool call: $text', ({ text, harmless }) => {
    expect(neutralise(text, ['web_search', 'clock'])).toBe(harmless);
    expect(neutralise(harmless, ['web_search', 'clock'])).toBe(harmless);
  });

  test('recognises a marker that contains a zero-width character', () => {
    expect(neutralise('<\u200b|im_end|>')).toBe('< |im_end| >');
  });
});

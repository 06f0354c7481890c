/** Disarms control tokens, tool calls and invisible characters in text that enters a prompt. Deterministic and idempotent. */

/** Brackets of control tokens such as `<|im_end|>`, `<｜tool▁sep｜>` and `<|"|>`. We separate each pair with a space. */
const tokenBrackets = /<(?=[|｜])|[|｜](?=>)/g;

/** Control tokens in other brackets: start and end of text, turns, instructions, fill-in-the-middle, media. */
const tokenMarkers = new RegExp(
  [
    '<(?=/?(?:s|(?:bos|eos|pad|unk|mask|sep|cls)(?:_token)?|sop|eop|eod|eop_token|endoftext|end_of_text|begin_of_text)>)',
    '<(?=/?(?:start_of|end_of|begin_of|start_|end_|fim[_-]|unused|reserved_|extra_id_|special_|ctrl|seed:|img|image|audio|video|vision_|row_|file_sep|reponame|repo_name|gh_stars|filename|issue_|jupyter_|commit_|empty_output|escape|fake_token_around_image|global-img|boi|eoi|box|ref|quad)[^<>\\s]{0,40}>)',
    '<(?=<\\/?SYS>>)',
    '\\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS?|TOOL_RESULTS?|TOOL_CONTENT|ARGS|CALL_ID|PREFIX|MIDDLE|SUFFIX|IMG|IMG_BREAK|IMG_END|THINK|MODEL_SETTINGS|BOS|EOS|PAD|UNK|CLS|SEP|MASK|gMASK|sMASK|control_\\d{1,4}|e~\\[|BEGIN_[A-Z_]{1,20}|END_[A-Z_]{1,20})\\])',
    '\\](?=<\\]|~[b!]|!d|!p)',
  ].join('|'),
  'gi',
);

/** Text that opens or closes a call, result or thought in a format that the reader knows. */
const callMarkers = new RegExp(
  [
    '<(?=/?(?:[\\w.:-]{1,20}:)?(?:tool|tools|function|functions|parameter|arg|args|arg_key|arg_value|think|thinking|invoke|code)(?:[_:.-]?(?:call|calls|use|response|responses|result|results|code|name|sep|input|output))?s?\\s{0,4}(?:[>=]|\\s[^<>]{0,80}>))',
    '✿(?=[A-Z_]+✿)',
    '\\[(?=(?:Calling tool|Tool call)\\b)',
    'functools(?=\\[)',
  ].join('|'),
  'gi',
);

/** Ranges of invisible code points. Tab and line feed are excluded. */
const invisibleRanges = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200d],
  [0x2060, 0x2064],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  // Direction marks, which change the visible order of text.
  [0x061c, 0x061c],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2065, 0x206f],
  // Tags and variation selectors, which can carry hidden text.
  [0xe0000, 0xe0fff],
];
const invisibleCharacters = new RegExp(
  `[${invisibleRanges.map((range) => range.map((point) => `\\u{${point.toString(16)}}`).join('-')).join('')}]`,
  'gu',
);

/** Neutralises only control tokens, because users may write anything else. */
export function neutraliseTokens(text: string): string {
  return text.replace(tokenBrackets, '$& ').replace(tokenMarkers, '$& ');
}

const toolNamePatterns: readonly (readonly [RegExp, string])[] = [
  [/^([ \t*]*A)(?=ction(?: Input)?[*]*\s*[:：])/gim, '$1·'],
  [/工(?=具(?:名称|名|参数)?\s*[:：])/g, '工·'],
  [/```(?=tool|function)/gi, '``` '],
  [/\\(?=u00[2-7]|u\{0*[2-7][\da-f]\}|x[2-7])/gi, '\\ '],
];

/** Neutralises text from outside. Inserts a dot into calls of tools in `names`, so that repeating the text calls nothing. */
export function neutralise(text: string, names: Iterable<string> = []): string {
  const seen = text.replace(/\r\n?/g, '\n').replace(invisibleCharacters, '');
  let harmless = neutraliseTokens(seen).replace(callMarkers, '$& ');
  for (const [shape, replacement] of toolNamePatterns) harmless = harmless.replace(shape, replacement);
  const letters = lettersOf(harmless);
  for (const name of names) {
    // Check first, because each pattern scans the whole text and hardly any name occurs in it.
    if (letters.includes(lettersOf(name))) harmless = harmless.replace(spellingOf(name), '$1·');
  }
  return harmless;
}

function lettersOf(text: string): string {
  return text
    .replace(/[-_\s\\]/g, '')
    .toLowerCase()
    .toUpperCase();
}

/** Matches a tool name as the reader would accept it, before a bracket or in quotes. `$1` is its first letter. */
function spellingOf(name: string): RegExp {
  const letters = Array.from(name)
    .filter((letter) => !/[-_\s]/.test(letter))
    .map((letter) => letter.replace(/\W/u, '\\$&'));
  const [first = '', ...rest] = letters;
  const between = '[-_\\s\\\\]*';
  const behind = [`["'”’\`*\\]]*\\s*[({\\[<>]`, `(?::\\d+)?\\s*\\\\?["'”’\`]`, `\\s*\\n\\s*\\{`].join('|');
  return new RegExp(
    `(?<![\\p{L}\\p{N}])(${first})(?=${[between, ...rest].join(between)}${between}(?:${behind}))`,
    'giu',
  );
}

/** Disarms control tokens, tool calls and invisible characters in text that enters a prompt. Deterministic and idempotent. */

/** Brackets of control tokens such as `<|im_end|>`, `<｜tool▁sep｜>` and `<|"|>`. We separate each pair with a space. */
const tokenBracketPattern = /<(?=[|｜])|[|｜](?=>)/g;

/** Control tokens such as `<s>` and `[INST]`, without bars: start and end of text, turns, instructions, fill-in-the-middle, media. */
const tokenMarkerPattern = new RegExp(
  [
    '<(?=/?(?:s|(?:bos|eos|pad|unk|mask|sep|cls)(?:_token)?|sop|eop|eod|eop_token|endoftext|end_of_text|begin_of_text)>)',
    '<(?=/?(?:start_of|end_of|begin_of|start_|end_|fim[_-]|unused|reserved_|extra_id_|special_|ctrl|seed:|img|image|audio|video|vision_|row_|file_sep|reponame|repo_name|gh_stars|filename|issue_|jupyter_|commit_|empty_output|escape|fake_token_around_image|global-img|boi|eoi|box|ref|quad)[^<>\\s]{0,40}>)',
    '<(?=<\\/?SYS>>)',
    '\\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS?|TOOL_RESULTS?|TOOL_CONTENT|ARGS|CALL_ID|PREFIX|MIDDLE|SUFFIX|IMG|IMG_BREAK|IMG_END|THINK|MODEL_SETTINGS|BOS|EOS|PAD|UNK|CLS|SEP|MASK|gMASK|sMASK|control_\\d{1,4}|e~\\[|BEGIN_[A-Z_]{1,20}|END_[A-Z_]{1,20})\\])',
    '\\](?=<\\]|~[b!]|!d|!p)',
  ].join('|'),
  'gi',
);

/** Text that opens or closes a call, result or thought in a format that our parser reads. */
const callMarkerPattern = new RegExp(
  [
    '<(?=/?(?:[\\w.:-]{1,20}:)?(?:tool|tools|function|functions|parameter|arg|args|arg_key|arg_value|think|thinking|invoke|code)(?:[_:.-]?(?:call|calls|use|response|responses|result|results|code|name|sep|input|output))?s?\\s{0,4}(?:[>=]|\\s[^<>]{0,80}>))',
    '✿(?=[A-Z_]+✿)',
    '\\[(?=(?:Calling tool|Tool call)\\b)',
    'functools(?=\\[)',
  ].join('|'),
  'gi',
);

/** Invisible code points in hexadecimal. Tab and line feed are excluded. */
const invisibleRanges = [
  '0-8 b-1f 7f-9f ad 34f 115f-1160 17b4-17b5 180b-180f 200b-200d 2060-2064 3164 fe00-fe0f feff ffa0',
  'fff0-fffb 1bca0-1bca3 1d173-1d17a',
  // Direction marks. They change the visible order of text.
  '61c 200e-200f 2028-202e 2065-206f',
  // Tags and variation selectors. They can carry hidden text.
  'e0000-e0fff',
];
const invisiblePattern = new RegExp(
  `[${invisibleRanges
    .join(' ')
    .replace(/[\da-f]+/g, '\\u{$&}')
    .replaceAll(' ', '')}]`,
  'gu',
);

/** Neutralises only control tokens, because users may write anything else. */
export function neutraliseTokens(text: string): string {
  return text.replace(tokenBracketPattern, '$& ').replace(tokenMarkerPattern, '$& ');
}

const replacementsByPattern: readonly (readonly [RegExp, string])[] = [
  [/^([ \t*]*A)(?=ction(?: Input)?[*]*\s*[:：])/gim, '$1·'],
  [/工(?=具(?:名称|名|参数)?\s*[:：])/g, '工·'],
  [/```(?=tool|function)/gi, '``` '],
  [/\\(?=u00[2-7]|u\{0*[2-7][\da-f]\}|x[2-7])/gi, '\\ '],
];

/** Neutralises text from outside. Inserts a dot into calls of tools in `names`, so a model that repeats the text calls nothing. */
export function neutralise(text: string, names: Iterable<string> = []): string {
  const seen = text.replace(/\r\n?/g, '\n').replace(invisiblePattern, '');
  let harmless = neutraliseTokens(seen).replace(callMarkerPattern, '$& ');
  for (const [shape, replacement] of replacementsByPattern) harmless = harmless.replace(shape, replacement);
  const letters = lettersOf(harmless);
  for (const name of names) {
    // Check first: each pattern scans the whole text, and hardly any name occurs in it.
    if (letters.includes(lettersOf(name))) harmless = harmless.replace(createCallPattern(name), '$1·');
  }
  return harmless;
}

function lettersOf(text: string): string {
  return text
    .replace(/[-_\s\\]/g, '')
    .toLowerCase()
    .toUpperCase();
}

/** Matches a tool name before a bracket or in quotes, which our parser may accept as a call. `$1` is the name's first letter. */
function createCallPattern(name: string): RegExp {
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

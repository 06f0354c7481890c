/** Creates a small tokenizer in the format of WebLLM's models: byte-level BPE, like those of Qwen and Llama. */

/** Vocabulary size that Qwen 3's library was compiled for. */
export const fullVocabulary = 151_936;

/** Markers, ordered by id after all other tokens: those of every template in the catalog, and those around calls. */
const marks = [
  ...['<|im_start|>', '<|im_end|>', '<|endoftext|>', '<think>', '</think>', '<tool_call>', '</tool_call>'],
  ...['<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>', '<|eom_id|>', '<|user|>', '<|assistant|>'],
  ...['<|system|>', '<|tool|>', '<|end|>', '<start_of_turn>', '<end_of_turn>', '<|turn>', '<turn|>'],
  ...[
    '[INST]',
    '[/INST]',
    '[SYSTEM_PROMPT]',
    '[/SYSTEM_PROMPT]',
    '[TOOL_RESULTS]',
    '[/TOOL_RESULTS]',
    '</s>',
  ],
];

/** Words of a small vocabulary besides bytes. Every prefix of each word is a token. */
const words = [
  ...['the', 'tool', 'name', 'arguments', 'expression', 'call', 'answer', 'question', 'result', 'Hearth'],
  ...['and', 'is', 'of', 'to', 'you', 'that', 'end', '\n\n', '  ', '    '],
  ...['": "', '":"', '", "', '","', '{"', '"}', '}\n', '{}', '[]'],
];

export interface MadeTokenizer {
  json: string;
  vocabularySize: number;
  idOf: (mark: string) => number;
}

/** A byte's id is the byte itself. `vocabularySize` must be at least 512. A larger one is filled with runs of letters. */
export function makeTokenizer(vocabularySize = 1024): MadeTokenizer {
  const ids = new Map<string, number>();
  const merges: string[] = [];
  const add = (token: string) => ids.has(token) || ids.set(token, ids.size);
  for (let byte = 0; byte < 256; byte++) add(letterOf(byte));

  const room = vocabularySize - marks.length;
  const merge = (left: string, right: string) => {
    const whole = left + right;
    if (ids.size >= room || ids.has(whole)) return;
    merges.push(`${left} ${right}`);
    ids.set(whole, ids.size);
  };
  for (const word of words) {
    const letters = Array.from(new TextEncoder().encode(word), letterOf);
    letters.reduce((left, right) => (merge(left, right), left + right));
    // In running text, most words follow a space.
    if (/^[a-z]/i.test(word)) merge(letterOf(0x20), word);
  }
  const alphabet = Array.from(vocabularySize > 1024 ? 'etaoinshrdlucmfwypvbgkqjxz' : '');
  // Words in running text nearly always start with a space.
  let runs = alphabet.length > 0 ? [letterOf(0x20), ...alphabet] : [];
  while (runs.length > 0 && ids.size < room) {
    for (const run of runs) for (const letter of alphabet) merge(run, letter);
    runs = runs.flatMap((run) => alphabet.map((letter) => run + letter));
  }
  while (ids.size < room) add(`unused${ids.size}`);

  const first = ids.size;
  const added = marks.map((content, index) => ({
    id: first + index,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: false,
  }));
  const level = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: true };
  const model = {
    type: 'BPE',
    dropout: null,
    unk_token: null,
    continuing_subword_prefix: '',
    end_of_word_suffix: '',
    fuse_unk: false,
    byte_fallback: false,
    vocab: Object.fromEntries(ids),
    merges,
  };
  const json = JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: null,
    pre_tokenizer: level,
    post_processor: level,
    decoder: level,
    model,
  });
  return { json, vocabularySize, idOf: (mark) => first + marks.indexOf(mark) };
}

/** Byte-level tokenizers write each byte as a character: printable ones unchanged, all others from U+0100 on. */
function letterOf(byte: number): string {
  return letters[byte] ?? '';
}

const isPrintable = (byte: number) =>
  (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
let next = 0x100;
const letters = Array.from({ length: 256 }, (_, byte) =>
  String.fromCodePoint(isPrintable(byte) ? byte : next++),
);

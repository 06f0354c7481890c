/** The files of a WebLLM model as a download stores them, with a tokenizer and configuration that WebLLM can read. */
import type { MlcRecord } from '../../src/contracts/model';
import { firstFilesOf, otherFilesOf } from '../../src/engines/web-llm/files';
import { makeTokenizer, type MadeTokenizer } from './make-tokenizer';

/** The configuration of a Qwen model. The record's overrides replace parts of it. */
function chatConfigOf({ vocabularySize, idOf }: MadeTokenizer) {
  return {
    model_type: 'qwen3',
    vocab_size: vocabularySize,
    tokenizer_files: ['tokenizer.json'],
    context_window_size: 32_768,
    prefill_chunk_size: 2048,
    sliding_window_size: -1,
    attention_sink_size: -1,
    temperature: 0.7,
    top_p: 0.8,
    repetition_penalty: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    tokenizer_info: {
      token_postproc_method: 'byte_level',
      prepend_space_in_encode: false,
      strip_space_in_decode: false,
    },
    conv_template: {
      system_template: '<|im_start|>system\n{system_message}<|im_end|>\n',
      system_message: 'You are a helpful assistant.',
      roles: { user: '<|im_start|>user', assistant: '<|im_start|>assistant' },
      role_templates: { user: '{user_message}', assistant: '{assistant_message}', tool: '{tool_message}' },
      seps: ['<|im_end|>\n'],
      role_content_sep: '\n',
      role_empty_sep: '\n',
      stop_str: [],
      stop_token_ids: [idOf('<|im_end|>')],
    },
  };
}

const tensorCache = {
  metadata: { ParamSize: 0 },
  records: [{ dataPath: 'params_shard_0.bin', nbytes: 4, md5sum: '00', format: 'raw-shard', records: [] }],
};

const small = makeTokenizer();

/** Small text files that a host has besides weights and library, by name. */
export const smallModelTexts = {
  'mlc-chat-config.json': JSON.stringify(chatConfigOf(small)),
  'tokenizer.json': small.json,
};

/** Text files by cache and address. */
export function mlcFiles(record: MlcRecord, tokenizer = small) {
  const config = chatConfigOf(tokenizer);
  const first = firstFilesOf(record);
  return [
    { ...first.config, text: JSON.stringify(config) },
    { ...first.tensorCache, text: JSON.stringify(tensorCache) },
    { ...first.library, text: 'no library' },
    ...otherFilesOf(record, config, tensorCache).map((file) => ({
      ...file,
      text: file.url.endsWith('tokenizer.json') ? tokenizer.json : 'xxxx',
    })),
  ];
}

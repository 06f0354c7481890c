/**
 * `node scripts/make-catalog.js`: writes what web-llm says of the models that we offer to
 * `src/engines/web-llm/records.ts`. Run it when web-llm is updated; `test/contract/models.test.ts` compares.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import web from '@mlc-ai/web-llm/package.json' with { type: 'json' };
import { format } from 'oxfmt';
import style from '../.oxfmtrc.json' with { type: 'json' };

/** web-llm's ids, without precision. */
const offered = [
  'Qwen3.5-9B',
  'Qwen3-8B',
  'Hermes-3-Llama-3.1-8B',
  'Qwen3.5-4B',
  'Qwen3-4B',
  'Phi-4-mini-instruct',
  'gemma-4-E2B-it',
  'Ministral-3-3B-Instruct-2512-BF16',
  'Hermes-3-Llama-3.2-3B',
  'Llama-3.2-3B-Instruct',
  'Qwen3.5-2B',
  'Qwen3-1.7B',
  'Qwen3.5-0.8B',
  'Qwen2.5-1.5B-Instruct',
  'Llama-3.2-1B-Instruct',
  'Qwen3-0.6B',
  'Qwen2.5-0.5B-Instruct',
];

function recordOf(id) {
  const record = prebuiltAppConfig.model_list.find(({ model_id }) => model_id === id);
  if (!record) throw new Error(`web-llm has no ${id}.`);
  const { context_window_size: contextTokens, ...overrides } = record.overrides ?? {};
  if (contextTokens !== 4096) throw new Error(`${id} is listed for ${contextTokens} tokens.`);
  return {
    id,
    modelUrl: record.model,
    libraryUrl: record.model_lib,
    ...(Object.keys(overrides).length > 0 && { overrides }),
    memoryMb: record.vram_required_MB,
    ...(record.buffer_size_required_bytes !== undefined && {
      bufferBytes: record.buffer_size_required_bytes,
    }),
  };
}

/** The text of the file, as it is kept. */
export async function makeRecords() {
  const records = Object.fromEntries(
    offered.map((name) => [
      name,
      { f16: recordOf(`${name}-q4f16_1-MLC`), f32: recordOf(`${name}-q4f32_1-MLC`) },
    ]),
  );
  const text = `/** What web-llm ${web.version} says of the models that we offer. Written by scripts/make-catalog.js, not by hand. */
export interface WebLlmRecord {
  id: string;
  modelUrl: string;
  libraryUrl: string;
  /** Without the context, which is chosen. */
  overrides?: Record<string, unknown>;
  /** On the GPU, with a context of 4,096 tokens. */
  memoryMb: number;
  /** The largest buffer, where it is said. */
  bufferBytes?: number;
}

export const webLlmVersion = '${web.version}';

export const webLlmRecords = ${JSON.stringify(records)} satisfies Record<string, Record<'f16' | 'f32', WebLlmRecord>>;
`;
  const path = fileURLToPath(new URL('../src/engines/web-llm/records.ts', import.meta.url));
  const { code, errors } = await format(path, text, style);
  if (errors.length > 0) throw new Error(errors[0].message);
  return { path, text: code };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { path, text } = await makeRecords();
  await writeFile(path, text);
}

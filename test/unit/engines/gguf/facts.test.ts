/** What we read about a model from its own file. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { importGguf, readGgufFacts } from '../../../../src/engines/gguf/header';
import type { ModelVariant } from '../../../../src/engines/library/entry';

const text = (value: string) => {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([length, bytes]);
};
const number = (value: number, width: 4 | 8) => {
  const bytes = Buffer.alloc(width);
  if (width === 4) bytes.writeUInt32LE(value);
  else bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

/** A header that follows the specification, with nothing after it. */
function gguf(entries: Readonly<Record<string, string | number>>): Blob {
  const parts = Object.entries(entries).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [text(key), number(8, 4), text(value)]
      : [text(key), number(4, 4), number(value, 4)],
  );
  const head = [Buffer.from('GGUF'), number(3, 4), number(0, 8), number(Object.keys(entries).length, 8)];
  return new Blob([Buffer.concat([...head, ...parts])]);
}

const template = 'tokenizer.chat_template';

describe('the information read from a GGUF file', () => {
  test.for([
    { name: 'Qwen', said: `{{ '<|im_start|>' + message.role }}`, family: 'chatml' },
    { name: 'Hermes 3 Llama 3.2', said: `<|im_start|>{{ role }}`, family: 'hermes' },
    { name: 'Llama 3.2', said: `<|start_header_id|>{{ role }}<|end_header_id|>`, family: 'llama3' },
    { name: 'Phi 4 mini', said: `<|{{ role }}|>{{ content }}<|end|>`, family: 'phi4' },
    { name: 'Ember', said: `<|{{ m.role }}|>{{ m.content }}<|end|>`, family: 'ember' },
    { name: 'Gemma 3', said: `<start_of_turn>{{ role }}\n{{ content }}<end_of_turn>`, family: 'gemma' },
    { name: 'Gemma 4', said: `<|turn>{{ role }}\n{{ content }}<turn|>`, family: 'gemma4' },
    {
      name: 'Ministral 3',
      said: `[SYSTEM_PROMPT]{{ s }}[/SYSTEM_PROMPT][INST]{{ u }}[/INST]`,
      family: 'mistral',
    },
    { name: 'Mistral 7B', said: `[INST] {{ content }} [/INST]`, family: 'mistral-inst' },
    { name: 'an unknown family', said: `### {{ role }}: {{ content }}`, family: undefined },
  ])('the model family is recognised by its chat template: $name', async ({ name, said, family }) => {
    expect((await readGgufFacts(gguf({ 'general.name': name, [template]: said }))).family).toBe(family);
  });

  test('it leaves out what the file does not say', async () => {
    const file = gguf({ 'general.architecture': 'llama', [template]: '### {{ content }}' });
    expect(await readGgufFacts(file)).toEqual({});
  });

  test.for<{ name: string; entries: Record<string, string | number>; isBase: boolean }>([
    { name: 'no chat template', entries: { 'general.architecture': 'gemma3' }, isBase: true },
    {
      name: 'an empty chat template',
      entries: { 'general.architecture': 'gemma3', [template]: '' },
      isBase: true,
    },
    {
      name: 'a chat template of an unknown family',
      entries: { 'general.architecture': 'llama', [template]: '### {{ content }}' },
      isBase: false,
    },
    {
      name: 'no chat template, because it makes vectors',
      entries: { 'general.architecture': 'bert', 'bert.pooling_type': 1 },
      isBase: false,
    },
  ])('a base model is recognized by its missing chat template: $name', async ({ entries, isBase }) => {
    expect((await readGgufFacts(gguf(entries))).isBase ?? false).toBe(isBase);
  });
});

test.for([
  { trained: 1024, contextTokens: 1024 },
  { trained: 131_072, contextTokens: 4096 },
  { trained: 1, contextTokens: undefined },
])(
  'a model trained on contexts of $trained tokens gets a context of $contextTokens',
  async ({ trained, contextTokens }) => {
    const file = gguf({ 'general.architecture': 'qwen3', 'qwen3.context_length': trained });
    expect((await readGgufFacts(file)).contextTokens).toBe(contextTokens);
  },
);

test('the shipped model file is recognized as Ember', async () => {
  const file = new Blob([await readFile('public/models/ember.gguf')]);
  expect(await readGgufFacts(file)).toEqual({ family: 'ember', contextTokens: 4096 });
});

test('a GGUF file that ends within its header is reported as damaged', async () => {
  const whole = gguf({ 'general.name': 'Long enough to be cut' });
  await expect(readGgufFacts(whole.slice(0, 40))).rejects.toMatchObject({ code: 'model-damaged' });
});

describe('a GGUF file from the disk that has the name of a catalog model', () => {
  const whole = gguf({ 'general.architecture': 'llama', [template]: '<|im_start|>' });
  const url = 'https://example.org/owner/model/resolve/1/listed.gguf';
  const importNamed = async (content: Blob) => {
    const sha256 = createHash('sha256')
      .update(Buffer.from(await whole.arrayBuffer()))
      .digest('hex');
    const variant: ModelVariant = {
      id: 'listed',
      precision: 'gguf',
      bufferBytes: 0,
      memoryMb: 1,
      downloadBytes: whole.size,
      sha256,
      url,
    };
    const stored: string[] = [];
    const result = await importGguf(
      [new File([content], 'listed.gguf')],
      {
        ids: ['listed'],
        find: (isIt) => [variant].find(isIt),
        storeFile: async (file) => void stored.push(file.url),
      },
      'llama',
    );
    return { result, stored };
  };

  test('becomes that model if its size and checksum are right', async () => {
    expect(await importNamed(whole)).toEqual({ result: { ok: true, id: 'listed' }, stored: [url] });
  });

  test('is refused as damaged if its contents differ', async () => {
    const other = gguf({ 'general.architecture': 'llama', [template]: '<|im_other|>' });
    expect(await importNamed(other)).toEqual({ result: { ok: false, problem: 'damaged' }, stored: [] });
  });
});

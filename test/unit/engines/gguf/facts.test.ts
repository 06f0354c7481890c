/** What we read about a model from its own file. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readGgufFacts } from '../../../../src/engines/gguf/header';

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
    expect(await readGgufFacts(gguf({ 'general.architecture': 'llama' }))).toEqual({});
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

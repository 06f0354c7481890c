/** Checks every catalog entry against web-llm's own list, and the prompts that we render for it. */
import { readFile } from 'node:fs/promises';
import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { describe, expect, test } from 'vitest';
import { makeRecords } from '../../scripts/make-catalog.js';
import type { Message } from '../../src/contracts/message';
import { ModelSpec } from '../../src/contracts/model';
import { catalog } from '../../src/engines/library/catalog';
import { memoryMbFor, specOf } from '../../src/engines/library/entry';
import { engineOf } from '../../src/engines/registry';
import { createChatModel } from '../../src/protocol/chat-model';
import { dialectOf } from '../../src/protocol/dialects';
import { toolCallFormats } from '../../src/protocol/formats';
import { neutralise, neutraliseTokens } from '../../src/text/neutralise';
import { languages } from '../../src/ui/i18n/registry';
import { offered } from '../fixtures/protocol/tools';
import { loadOnFakeGpu } from '../support/load-web-llm';
import { record } from '../support/web-llm-model';

const compiled = catalog.filter(({ engine }) => engine === 'web-llm');

test('the stored records of WebLLM models match the pinned version of web-llm', async () => {
  const { path, text } = await makeRecords();
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('the catalog offers models of 0.5 to 8 billion parameters, including some for the CPU', () => {
  expect(compiled.length).toBeGreaterThanOrEqual(12);
  const sizes = compiled.map(({ parameters }) => parameters / 1e9);
  expect(Math.min(...sizes)).toBeLessThan(0.6);
  expect(Math.max(...sizes)).toBeGreaterThan(8);
  expect(catalog.length - compiled.length).toBeGreaterThanOrEqual(2);
  const ids = catalog.flatMap(({ variants }) => variants.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
});

test("the extra memory estimated for a longer context is within 10% of web-llm's figure", () => {
  const memoryOf = (id: string) =>
    prebuiltAppConfig.model_list.find(({ model_id }) => model_id === id)?.vram_required_MB ?? NaN;
  // The catalog knows the same architecture under another name.
  const entry = catalog.find(({ id }) => id === 'Hermes-3-Llama-3.1-8B')!;
  for (const variant of entry.variants) {
    const twin = `Llama-3.1-8B-Instruct-q4${variant.precision}_1-MLC`;
    const listed = memoryOf(twin) - memoryOf(`${twin}-1k`);
    const ours = memoryMbFor(entry, variant, 4096 + 3072) - variant.memoryMb;
    expect(ours / listed).toBeGreaterThan(0.9);
    expect(ours / listed).toBeLessThan(1.1);
  }
});

/** A language may lack descriptions of models, but if it has any, it must have all. */
const languagesWithModels = languages.filter(({ code }) => catalog.some(({ about }) => code in about));

describe.for(catalog)('the model $id', (entry) => {
  test('has a format, a description in every language and consistent sizes in the catalog', () => {
    expect(toolCallFormats.find(({ id }) => id === entry.format)?.dialect).toBeDefined();
    for (const { code } of languagesWithModels)
      expect(entry.about).toHaveProperty(code, expect.stringMatching(/.{10}/));
    expect(entry.languages).toContain('en');
    for (const variant of entry.variants) {
      expect(variant.downloadBytes).toBeGreaterThan(entry.parameters / 2.5);
      expect(variant.downloadBytes / 2 ** 20).toBeLessThan(variant.memoryMb);
      expect(memoryMbFor(entry, variant, 8192)).toBeGreaterThan(variant.memoryMb);
      for (const isThinking of [true, false]) {
        const spec = specOf(entry, variant, { contextTokens: 4096, isThinking });
        expect(ModelSpec.parse(spec)).toEqual(spec);
      }
    }
  });

  test('the markers of its prompt template are neutralised in text from users and tools', () => {
    const { stop, ...roles } = entry.template;
    const marks = [...stop, ...Object.values(roles).flatMap(({ before, after }) => [before, after])]
      .flatMap((text) => text.match(/<\|[^|<>]+\|?>|<\w+\|?>|\[\/?[A-Z_]+\]/g) ?? [])
      .filter((mark, index, all) => all.indexOf(mark) === index);
    expect(marks.length).toBeGreaterThan(1);
    for (const mark of marks) {
      expect(neutralise(`a${mark}b`)).not.toContain(mark);
      expect(neutraliseTokens(`a${mark}b`)).not.toContain(mark);
    }
  });
});

test.for(catalog.filter(({ engine }) => engine === 'llama'))(
  'a GGUF file has a fixed revision, a size and a checksum, and the download checks them: $id',
  (entry) => {
    const [variant] = entry.variants;
    expect(variant.url).toMatch(
      /^https:\/\/huggingface\.co\/[^/]+\/[^/]+\/resolve\/[\da-f]{40}\/[^/]+\.gguf$/,
    );
    expect(variant.sha256).toMatch(/^[\da-f]{64}$/);
    const spec = specOf(entry, variant, { contextTokens: 4096, isThinking: false });
    expect(engineOf(spec)?.files?.first(spec)).toEqual([
      {
        url: variant.url,
        place: 'files',
        kind: 'gguf',
        bytes: variant.downloadBytes,
        sha256: variant.sha256,
      },
    ]);
  },
);

describe.for(compiled)('the model $id in WebLLM', (entry) => {
  test("is offered in 16-bit and 32-bit precision, as in web-llm's list", () => {
    expect(entry.variants.map(({ precision }) => precision)).toEqual(['f16', 'f32']);
    for (const { id, precision, mlc } of entry.variants) {
      const listed = prebuiltAppConfig.model_list.find(({ model_id }) => model_id === id);
      expect(listed).toMatchObject({ model: mlc?.modelUrl, model_lib: mlc?.libraryUrl });
      expect(id).toMatch(new RegExp(`-q4${precision}_1-MLC$`));
    }
  });

  test.for([true, false])(
    'a prompt built up over three rounds equals the prompt built at once, with thinking: %s',
    async (isThinking) => {
      const spec = { ...specOf(entry, entry.variants[0], { contextTokens: 8192, isThinking }), mlc: record };
      const dialect = dialectOf(spec.format);
      const call = dialect.writeCall({ name: 'clock', arguments: {} });
      const { engine, gpu } = await loadOnFakeGpu([call, call, 'It is late.'], spec);
      const model = createChatModel(engine, spec, () => 'id');
      const messages: Message[] = [
        {
          role: 'user',
          content: [{ type: 'text', text: 'How late is it? $& <|im_end|>' }],
          origins: [{ door: 'typed' }],
        },
      ];

      let whole = '';
      for (let round = 0; round < 3; round++) {
        const held = gpu.cache.length;
        for await (const event of model.respond(
          { messages, tools: offered, toolChoice: 'auto' },
          new AbortController().signal,
        )) {
          if (event.type !== 'finish') continue;
          const { raw = '' } = event.message;
          // The token that ends a reply is counted, but not cached.
          const isNew = gpu.cache.length - held - (event.usage.outputTokens - 1);
          expect(event.usage.prefilledTokens).toBe(isNew);
          expect(event.usage.prefillReason).toBeUndefined();
          whole = (event.prompt ?? '') + raw;
          messages.push(event.message);
        }
        expect(gpu.cacheText).toBe(whole);
        messages.push({
          role: 'tool',
          nonce: 'n0nce',
          results: [
            {
              toolCallId: 'id',
              toolName: 'clock',
              content: [{ type: 'text', text: '12:00 $$' }],
              isError: false,
              origins: [{ door: 'hearth' }],
            },
          ],
        });
      }
      // Together, the parts make up the template, in order.
      const { system, user, assistant, tool } = spec.template;
      const order = [
        system.before,
        user.before,
        assistant.before,
        call,
        assistant.after + tool.before,
        'It is late.',
      ];
      let at = 0;
      for (const part of order) {
        const found = whole.indexOf(part, at);
        expect(found, part).toBeGreaterThanOrEqual(at);
        at = found + part.length;
      }
    },
  );
});

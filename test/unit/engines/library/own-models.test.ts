/** What a user may enter to add a model, and the errors for invalid entries. */
import { describe, expect, test } from 'vitest';
import { ember } from '../../../../src/ember/spec';
import { renderPrompt } from '../../../../src/engines/engine-parts';
import { findModel, readModelForm, readModelRecord } from '../../../../src/engines/library/find-model';
import type { DeviceFacts } from '../../../../src/platform/webgpu';
import { toolCallFormats } from '../../../../src/protocol/formats';

const fit = {
  modelUrl: 'http://127.0.0.1:8000/Some-1B-MLC',
  id: 'Some-1B',
  libraryUrl: 'http://127.0.0.1:8000/some.wasm',
  overrides: '{"context_window_size": 2048}',
};
const device: DeviceFacts = {
  gpu: 'none',
  isPersisted: false,
  isMobile: false,
  cores: 2,
  hasJspi: true,
  hasRelaxedSimd: true,
  isIsolated: false,
};
const wishes = { isThinking: false, sampling: {} };

test('a model on a server may write longer replies if its context is larger', () => {
  const endpoint = { model: 'large', isNative: false };
  const own = {
    id: 'large',
    engine: 'endpoint',
    modelUrl: 'http://127.0.0.1:8000/v1',
    overrides: {},
    endpoint,
  };
  const limitAt = (contextTokens: number) =>
    findModel('large', { ...wishes, ownModels: [{ ...own, contextTokens }] }, device, [])?.maxReplyTokens;
  expect(limitAt(4096)).toBe(1024);
  expect(limitAt(100_000)).toBe(4096);
});

test('a base model reads plain text, and an older chat model without a template reads turns', () => {
  const promptOf = (id: string) => {
    const own = { id, engine: 'llama', modelUrl: `disk:${id}`, overrides: {}, isBase: true };
    const template = findModel(id, { ...wishes, ownModels: [own] }, device, [])!.template;
    return renderPrompt([{ role: 'user', content: 'The capital of France is' }], template);
  };
  expect(promptOf('gemma-3-270m')).toBe('The capital of France is');
  expect(promptOf('gemma-2-2b-it')).toContain('<start_of_turn>user\nThe capital of France is<end_of_turn>');
});

describe('a model that the user adds by address', () => {
  test('it loads from the given addresses with the given context size', () => {
    const added = readModelForm(fit, []);
    if (!added.ok) throw new Error(added.problem);
    expect(findModel('Some-1B', { ...wishes, ownModels: [added.model!] }, device, [ember])).toMatchObject({
      id: 'Some-1B',
      engine: 'web-llm',
      contextTokens: 2048,
      mlc: { modelUrl: fit.modelUrl, libraryUrl: fit.libraryUrl, overrides: { context_window_size: 2048 } },
    });
  });

  test('it needs no library and runs on the CPU if it is a GGUF file', () => {
    const added = readModelForm({ ...fit, modelUrl: 'https://a.org/b.gguf?download=1', libraryUrl: '' }, []);
    expect(added).toMatchObject({ ok: true, model: { engine: 'llama' } });
  });

  test.for([
    { name: 'an invalid address', changed: { modelUrl: 'Some-1B' }, problem: 'model-url' },
    { name: 'an address on the disk', changed: { modelUrl: 'file:///model' }, problem: 'model-url' },
    { name: 'no library', changed: { libraryUrl: '' }, problem: 'library-url' },
    { name: 'no id', changed: { id: ' ' }, problem: 'id' },
    { name: 'an id that is already in use', changed: { id: 'Taken' }, problem: 'known' },
    { name: 'overrides that are not JSON', changed: { overrides: '{' }, problem: 'overrides' },
    { name: 'overrides that are a list', changed: { overrides: '[]' }, problem: 'overrides' },
  ])('it is refused, with the reason, if the form has $name', ({ changed, problem }) => {
    expect(readModelForm({ ...fit, ...changed }, ['Taken'])).toEqual({ ok: false, problem });
  });
});

describe("a model record in WebLLM's format", () => {
  test('it is accepted with its overrides', () => {
    const record = {
      model: fit.modelUrl,
      model_id: 'R',
      model_lib: fit.libraryUrl,
      overrides: { conv_config: { roles: { user: 'U', assistant: 'A' } } },
    };
    expect(readModelRecord(JSON.stringify(record), [])).toMatchObject({
      ok: true,
      model: { id: 'R', overrides: record.overrides },
    });
  });

  test.for(['', '[]', '{"model": 1}', '{"model_id": "x"}'])(
    'it is refused if its text is not a valid model record: %j',
    (text) => {
      expect(readModelRecord(text, [])).toEqual({ ok: false, problem: 'json' });
    },
  );
});

test("the user's own copy of Ember's file uses Ember's prompt format", () => {
  const own = {
    id: 'Twin',
    engine: 'llama' as const,
    modelUrl: 'https://a.org/t.gguf',
    overrides: {},
    family: 'ember' as const,
  };
  const found = findModel('Twin', { ...wishes, sampling: { temperature: 1 }, ownModels: [own] }, device, [
    ember,
  ]);
  expect(found).toMatchObject({
    id: 'Twin',
    name: 'Twin',
    format: 'ember',
    contextTokens: 2048,
    isSmall: true,
  });
  expect(found?.sampling.temperature).toBe(1);
});

test.for([
  ['Qwen3-14B-q4f16_1-MLC', 'hermes', '<|im_start|>user\n'],
  ['Hermes-3-Llama-3.1-70B', 'hermes', '<|im_start|>user\n'],
  ['Llama-3.1-8B-Instruct', 'json', '<|start_header_id|>user<|end_header_id|>\n\n'],
  ['Phi-4-mini', 'phi', '<|user|>'],
  ['gemma-3-4b-it-Q4_K_M', 'fenced-tool', '<start_of_turn>user\n'],
  ['gemma-4-E2B-it-Q4_K_M', 'gemma', '<|turn>user\n'],
  ['Ministral-3-3B', 'mistral', '[INST]'],
  ['Mistral-7B-Instruct-v0.3', 'mistral', '[INST]'],
] as const)(
  'the name of a model decides its format: %s gets %s, with %j in its prompts',
  ([id, format, before]) => {
    const own = { id, engine: 'llama' as const, modelUrl: 'https://a.org/m.gguf', overrides: {} };
    const found = findModel(id, { ...wishes, ownModels: [own] }, device, [ember]);
    expect(found).toMatchObject({ format, template: { user: { before } } });
    expect(toolCallFormats.find((one) => one.id === format)?.dialect).toBeDefined();
  },
);

test("the user's sampling settings apply to every model except the built-in one", () => {
  const sampling = { temperature: 1.5 };
  const found = findModel('Qwen3-0.6B-q4f32_1-MLC', { ...wishes, sampling, ownModels: [] }, device, [ember]);
  expect(found?.sampling).toEqual({ temperature: 1.5, topP: 0.8 });
  const builtIn = findModel('ember', { ...wishes, sampling, ownModels: [] }, device, [ember]);
  expect(builtIn?.sampling).toEqual({ temperature: 0 });
});

test.for([
  { isThinking: true, before: '<|im_start|>assistant\n' },
  { isThinking: false, before: '<|im_start|>assistant\n<think>\n\n</think>\n\n' },
])('a model that can think does so only if the setting is on: $isThinking', ({ isThinking, before }) => {
  const found = findModel('Qwen3-0.6B-q4f32_1-MLC', { isThinking, sampling: {}, ownModels: [] }, device, [
    ember,
  ]);
  expect(found?.template.assistant.before).toBe(before);
});

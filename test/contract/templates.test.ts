/**
 * Compares what we render with what each model family was trained on, written by hand from its chat template. Intended differences are
 * noted: tool instructions and frames around results are ours, because outside text must stay data. No test can measure what that costs,
 * because it takes weights and a GPU.
 */
import { describe, expect, test } from 'vitest';
import type { PromptMessage } from '../../src/contracts/model';
import { catalog } from '../../src/engines/library/catalog';
import { type CatalogEntry, specOf } from '../../src/engines/library/entry';
import { renderPrompt } from '../../src/engines/engine-parts';
import { dialectOf } from '../../src/protocol/dialects';

const chat: readonly PromptMessage[] = [
  { role: 'system', content: 'SYSTEM' },
  { role: 'user', content: 'ONE' },
  { role: 'assistant', content: 'REPLY' },
  { role: 'user', content: 'TWO' },
];
const withResult: readonly PromptMessage[] = [
  { role: 'system', content: 'SYSTEM' },
  { role: 'user', content: 'ONE' },
  { role: 'assistant', content: 'CALL' },
  { role: 'tool', content: 'RESULT' },
];
const call = { name: 'clock', arguments: { zone: 'Asia/Tokyo', days: 2, names: ['a'] } };

interface Template {
  /** Id in the catalog. */
  id: string;
  /** The prompt up to where the model writes, without thinking. */
  chat: string;
  /** Only the end of the prompt, from the call on. */
  result: string;
  call: string;
  stop: string[];
}

const noThought = '<think>\n\n</think>\n\n';
const jsonCall =
  '<tool_call>\n{"name": "clock", "arguments": {"zone":"Asia/Tokyo","days":2,"names":["a"]}}\n</tool_call>';

const templates: readonly Template[] = [
  {
    id: 'Qwen3-4B',
    chat: `<|im_start|>system\nSYSTEM<|im_end|>\n<|im_start|>user\nONE<|im_end|>\n<|im_start|>assistant\n${noThought}REPLY<|im_end|>\n<|im_start|>user\nTWO<|im_end|>\n<|im_start|>assistant\n${noThought}`,
    result: `CALL<|im_end|>\n<|im_start|>user\nRESULT<|im_end|>\n<|im_start|>assistant\n${noThought}`,
    call: jsonCall,
    stop: ['<|im_end|>'],
  },
  ...[
    ...['Qwen3.5-0.8B', 'Qwen3.5-2B', 'Qwen3.5-4B', 'Qwen3.5-9B'],
    ...['Qwen3.5-0.8B-Q4_K_M', 'Qwen3.5-2B-Q4_K_M', 'Qwen3.5-2B-Q8_0'],
  ].map((id) => ({
    id,
    chat: `<|im_start|>system\nSYSTEM<|im_end|>\n<|im_start|>user\nONE<|im_end|>\n<|im_start|>assistant\n${noThought}REPLY<|im_end|>\n<|im_start|>user\nTWO<|im_end|>\n<|im_start|>assistant\n${noThought}`,
    result: `CALL<|im_end|>\n<|im_start|>user\nRESULT<|im_end|>\n<|im_start|>assistant\n${noThought}`,
    call: '<tool_call>\n<function=clock>\n<parameter=zone>\nAsia/Tokyo\n</parameter>\n<parameter=days>\n2\n</parameter>\n<parameter=names>\n["a"]\n</parameter>\n</function>\n</tool_call>',
    stop: ['<|im_end|>'],
  })),
  ...['LFM2.5-1.2B-Instruct-Q4_K_M', 'LFM2.5-350M-Q4_K_M'].map((id) => ({
    id,
    chat: '<|im_start|>system\nSYSTEM<|im_end|>\n<|im_start|>user\nONE<|im_end|>\n<|im_start|>assistant\nREPLY<|im_end|>\n<|im_start|>user\nTWO<|im_end|>\n<|im_start|>assistant\n',
    result: 'CALL<|im_end|>\n<|im_start|>tool\nRESULT<|im_end|>\n<|im_start|>assistant\n',
    call: '<|tool_call_start|>[clock(zone="Asia/Tokyo", days=2, names=["a"])]<|tool_call_end|>',
    stop: ['<|im_end|>'],
  })),
  {
    id: 'granite-4.0-350m-Q4_K_M',
    chat: '<|start_of_role|>system<|end_of_role|>SYSTEM<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>ONE<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>REPLY<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>TWO<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>',
    result:
      'CALL<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>RESULT<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>',
    call: jsonCall,
    stop: ['<|end_of_text|>'],
  },
  {
    id: 'SmolLM2-360M-Instruct-Q4_K_M',
    chat: '<|im_start|>system\nSYSTEM<|im_end|>\n<|im_start|>user\nONE<|im_end|>\n<|im_start|>assistant\nREPLY<|im_end|>\n<|im_start|>user\nTWO<|im_end|>\n<|im_start|>assistant\n',
    result: 'CALL<|im_end|>\n<|im_start|>user\nRESULT<|im_end|>\n<|im_start|>assistant\n',
    // The 360M was not trained for tools. Its larger relative was trained on this call.
    call: jsonCall,
    stop: ['<|im_end|>'],
  },
  {
    id: 'gemma-3-270m-it-Q8_0',
    // Gemma's own template puts the system text at the start of the first user message. Ours gives it a turn of its own.
    chat: '<start_of_turn>user\nSYSTEM<end_of_turn>\n<start_of_turn>user\nONE<end_of_turn>\n<start_of_turn>model\nREPLY<end_of_turn>\n<start_of_turn>user\nTWO<end_of_turn>\n<start_of_turn>model\n',
    result: 'CALL<end_of_turn>\n<start_of_turn>user\nRESULT<end_of_turn>\n<start_of_turn>model\n',
    call: '```tool_code\nclock(zone="Asia/Tokyo", days=2, names=["a"])\n```',
    stop: ['<end_of_turn>'],
  },
  {
    id: 'Ministral-3-3B-Instruct-2512-BF16',
    chat: '[SYSTEM_PROMPT]SYSTEM[/SYSTEM_PROMPT][INST]ONE[/INST]REPLY</s>[INST]TWO[/INST]',
    result: 'CALL</s>[TOOL_RESULTS]RESULT[/TOOL_RESULTS]',
    call: '[TOOL_CALLS]clock[ARGS]{"zone":"Asia/Tokyo","days":2,"names":["a"]}',
    stop: ['</s>'],
  },
  {
    id: 'gemma-4-E2B-it',
    chat: '<|turn>system\nSYSTEM<turn|>\n<|turn>user\nONE<turn|>\n<|turn>model\nREPLY<turn|>\n<|turn>user\nTWO<turn|>\n<|turn>model\n',
    // Gemma's own template continues the call's turn after <|tool_response>. Ours starts a new turn, as for other families.
    result: 'CALL<turn|>\n<|turn>user\nRESULT<turn|>\n<|turn>model\n',
    call: '<|tool_call>call:clock{zone:<|"|>Asia/Tokyo<|"|>,days:2,names:[<|"|>a<|"|>]}<tool_call|>',
    stop: ['<turn|>', '<|tool_response>'],
  },
];

const entryOf = (id: string): CatalogEntry => catalog.find((entry) => entry.id === id)!;

describe.for(templates)('the model $id', (template) => {
  const entry = entryOf(template.id);
  const spec = specOf(entry, entry.variants[0], { contextTokens: 4096, isThinking: false });

  test("Hearth's template renders a chat exactly like the model's own template", () => {
    expect(renderPrompt(chat, spec.template)).toBe(template.chat);
    expect(spec.template.stop).toEqual(template.stop);
  });

  test("a tool result is rendered exactly as in the model's own template", () => {
    expect(renderPrompt(withResult, spec.template).endsWith(template.result)).toBe(true);
  });

  test('tool calls have the format that the model was trained on', () => {
    expect(dialectOf(spec.format).writeCall(call)).toBe(template.call);
  });
});

test('the prompt for a thinking Qwen 3.5 model ends with an open thinking tag', () => {
  const entry = entryOf('Qwen3.5-4B');
  const { template } = specOf(entry, entry.variants[0], { contextTokens: 4096, isThinking: true });
  expect(renderPrompt(chat, template).endsWith('<|im_start|>assistant\n<think>\n')).toBe(true);
});

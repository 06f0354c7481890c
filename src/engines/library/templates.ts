/** The text around a message of each role, by family. Every mark in it is one that text/neutralise.ts takes out of what people and tools write. */
import type { ChatTemplate } from '../../contracts/model';

/** `turn` renders a header; the beginning of a text, where a tokenizer wants a mark, is put in by the engine. */
function template(
  turn: (role: string) => string,
  after: string,
  toolRole = 'user',
  closing: readonly string[] = [after.trim()],
): ChatTemplate {
  const role = (name: string) => ({ before: turn(name), after });
  return {
    system: role('system'),
    user: role('user'),
    assistant: role('assistant'),
    tool: role(toolRole),
    stop: [...closing],
  };
}

/** Qwen 2.5 and 3, which were shown results as words of the person. */
export const chatMl = template((role) => `<|im_start|>${role}\n`, '<|im_end|>\n');

/** Hermes 3, which was shown them in a role of their own. */
export const hermesChatMl = template((role) => `<|im_start|>${role}\n`, '<|im_end|>\n', 'tool');

export const llama3 = template(
  (role) => `<|start_header_id|>${role}<|end_header_id|>\n\n`,
  '<|eot_id|>',
  'ipython',
  ['<|eot_id|>', '<|eom_id|>'],
);

export const phi4 = template((role) => `<|${role}|>`, '<|end|>');

/** Gemma 2 and 3, which know two roles: the instructions are words of the person. */
export const gemma = template(
  (role) => `<start_of_turn>${role === 'assistant' ? 'model' : 'user'}\n`,
  '<end_of_turn>\n',
);

/** Gemma 4, which has a role for the instructions; it writes the second mark where it waits for a result. */
export const gemma4 = template(
  (role) => `<|turn>${role === 'assistant' ? 'model' : role}\n`,
  '<turn|>\n',
  'user',
  ['<turn|>', '<|tool_response>'],
);

const mistralReply = { before: '', after: '</s>' };
const instruction = { before: '[INST]', after: '[/INST]' };

/** Mistral since its seventh tokenizer, which has a place for the instructions. */
export const mistral: ChatTemplate = {
  system: { before: '[SYSTEM_PROMPT]', after: '[/SYSTEM_PROMPT]' },
  user: instruction,
  assistant: mistralReply,
  tool: { before: '[TOOL_RESULTS]', after: '[/TOOL_RESULTS]' },
  stop: ['</s>'],
};

/** Mistral before it: the instructions are words of the person. */
export const mistralInst: ChatTemplate = { ...mistral, system: instruction };

/** The text around each message, by role and model family. text/neutralise.ts removes these markers from untrusted text. */
import type { ChatTemplate } from '../../contracts/model';

/** `turn` returns a message's header. The engine adds the start token that some models need. */
function createTemplate(
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

/** Qwen 2.5 and 3 were trained with tool results in user messages. */
export const chatMl = createTemplate((role) => `<|im_start|>${role}\n`, '<|im_end|>\n');

/** Hermes 3 and LFM 2.5 were trained with a separate role for tool results. */
export const hermesChatMl = createTemplate((role) => `<|im_start|>${role}\n`, '<|im_end|>\n', 'tool');

export const llama3 = createTemplate(
  (role) => `<|start_header_id|>${role}<|end_header_id|>\n\n`,
  '<|eot_id|>',
  'ipython',
  ['<|eot_id|>', '<|eom_id|>'],
);

/** Granite 4 was trained with tool results in user messages. */
export const granite = createTemplate(
  (role) => `<|start_of_role|>${role}<|end_of_role|>`,
  '<|end_of_text|>\n',
);

export const phi4 = createTemplate((role) => `<|${role}|>`, '<|end|>');

/** Gemma 2 and 3 know only two roles, so instructions go into the user's message. */
export const gemma = createTemplate(
  (role) => `<start_of_turn>${role === 'assistant' ? 'model' : 'user'}\n`,
  '<end_of_turn>\n',
);

/** Gemma 4 has a system role. When the model waits for a tool result, it ends its message with `<|tool_response>` instead of `<turn|>`. */
export const gemma4 = createTemplate(
  (role) => `<|turn>${role === 'assistant' ? 'model' : role}\n`,
  '<turn|>\n',
  'user',
  ['<turn|>', '<|tool_response>'],
);

/** Base models know no turns. The reply continues the user's text. */
export const plain: ChatTemplate = {
  system: { before: '', after: '\n\n' },
  user: { before: '', after: '' },
  assistant: { before: '', after: '\n\n' },
  tool: { before: '', after: '\n\n' },
  stop: [],
};

const mistralReply = { before: '', after: '</s>' };
const mistralInstruction = { before: '[INST]', after: '[/INST]' };

/** Mistral models with tokenizer version 7 or later, which have separate markers for instructions. */
export const mistral: ChatTemplate = {
  system: { before: '[SYSTEM_PROMPT]', after: '[/SYSTEM_PROMPT]' },
  user: mistralInstruction,
  assistant: mistralReply,
  tool: { before: '[TOOL_RESULTS]', after: '[/TOOL_RESULTS]' },
  stop: ['</s>'],
};

/** Older Mistral models, which take instructions as a user message. */
export const olderMistral: ChatTemplate = { ...mistral, system: mistralInstruction };

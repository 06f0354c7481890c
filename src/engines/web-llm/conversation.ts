/**
 * Renders messages so that WebLLM adds no text of its own. WebLLM reuses its cache only if all messages before the last are unchanged.
 * So a cached reply must stay as the model wrote it. The template closes each reply with some text, which we put at the start of the next
 * message.
 */
import type { ChatTemplate, MlcRecord, ModelSpec, PromptMessage } from '../../contracts/model';
import { isRecord } from '../../contracts/schema';

export type WebLlmMessage =
  | { role: 'system' | 'user' | 'assistant'; content: string }
  // WebLLM requires this id, but ignores it.
  | { role: 'tool'; content: string; tool_call_id: string };

type MessageRenderer = (messages: readonly PromptMessage[]) => WebLlmMessage[];

/** Replaces WebLLM's templates. Roles and separators are empty, because our messages already contain that text. */
const emptyConversationTemplate = {
  system_template: '{system_message}',
  system_message: '',
  // Leave this empty: WebLLM would insert messages with `String.replace`, which interprets `$&`.
  role_templates: {},
  roles: { user: '', assistant: '', tool: '' },
  seps: [''],
  role_content_sep: '',
  role_empty_sep: '',
  add_role_after_system_message: true,
};

/** Does not close a final assistant message, so the model continues it. The contents of the returned messages, joined together, are the prompt. */
export function renderMessages(messages: readonly PromptMessage[], template: ChatTemplate): WebLlmMessage[] {
  const rendered: WebLlmMessage[] = [];
  let pending = '';

  const say = (text: string) => {
    const last = rendered.at(-1);
    // Join consecutive messages, because WebLLM accepts one new message per call.
    if (last?.role === 'user') last.content += pending + text;
    else rendered.push({ role: 'user', content: pending + text });
    pending = '';
  };
  for (const [index, { role, content }] of messages.entries()) {
    const { before, after } = template[role];
    if (role === 'system' && index === 0) rendered.push({ role, content: before + content + after });
    else if (role !== 'assistant') say(before + content + after);
    else {
      say(before);
      if (index === messages.length - 1) say(content);
      else {
        rendered.push({ role, content });
        pending = after;
      }
    }
  }
  if (messages.at(-1)?.role !== 'assistant') say(template.assistant.before);
  return rendered;
}

/** Converts messages if WebLLM applies its own template. `hasToolRole`: whether the model has a role for tool results. */
function toWebLlmMessages(messages: readonly PromptMessage[], hasToolRole: boolean): WebLlmMessage[] {
  return messages.map(({ role, content }) => {
    if (role !== 'tool') return { role, content };
    return hasToolRole ? { role, content, tool_call_id: '' } : { role: 'user', content };
  });
}

/** Escapes only the system text, which WebLLM inserts with `String.replace`. That function interprets `$`. */
function escapeSystemText(messages: readonly WebLlmMessage[]): WebLlmMessage[] {
  return messages.map((message) =>
    message.role === 'system' ? { ...message, content: message.content.replaceAll('$', '$$$$') } : message,
  );
}

export function overridesOf(model: ModelSpec, { overrides }: MlcRecord): Record<string, unknown> {
  const own = overrides['conv_config'];
  return {
    ...overrides,
    // A fallback may have chosen a smaller context than the record's.
    context_window_size: model.contextTokens,
    conv_config: own === undefined ? emptyConversationTemplate : { role_templates: {}, ...(own as object) },
  };
}

export function rendererOf(model: ModelSpec, { overrides }: MlcRecord): MessageRenderer {
  const own = overrides['conv_config'];
  if (own === undefined) return (messages) => escapeSystemText(renderMessages(messages, model.template));
  const { roles = {} } = own as { roles?: Record<string, string> };
  return (messages) => escapeSystemText(toWebLlmMessages(messages, 'tool' in roles));
}

/** Returns the template's text before a reply. Undefined if we replaced the template. */
export function replyHeaderOf({ overrides }: MlcRecord): string | undefined {
  const own = overrides['conv_config'];
  if (!isRecord(own)) return undefined;
  const roles = isRecord(own['roles']) ? own['roles'] : {};
  return [roles['assistant'], own['role_empty_sep']].filter((part) => typeof part === 'string').join('');
}

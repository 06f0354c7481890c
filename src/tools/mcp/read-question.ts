/** PURE: parses a server's question to the user (`elicitation/create`) into a form or an address to open. */
import { fieldsOf } from '../../contracts/form-fields';
import type { ServerQuestion } from '../../contracts/mcp-server';
import { JsonSchema, type Read, read, z } from '../../contracts/schema';

const ElicitationParams = z.object({
  mode: z.optional(z.string()),
  message: z.string(),
  requestedSchema: z.optional(JsonSchema),
  url: z.optional(z.string()),
});

const maxMessage = 2_000;

export function readQuestion(params: unknown): Read<Pick<ServerQuestion, 'message' | 'ask'>> {
  const asked = read(ElicitationParams, params);
  if (!asked.ok) return asked;
  const { mode = 'form', requestedSchema, url } = asked.value;
  const message = asked.value.message.slice(0, maxMessage);
  if (mode === 'url') {
    const isWeb = url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
    if (!isWeb || url.length > maxMessage)
      return { ok: false, reason: 'The address is none that can be opened.' };
    return { ok: true, value: { message, ask: { type: 'url', url } } };
  }
  if (!requestedSchema) return { ok: false, reason: 'There is no form.' };
  const fields = fieldsOf(requestedSchema);
  return fields.ok ? { ok: true, value: { message, ask: { type: 'form', fields: fields.fields } } } : fields;
}

/** Reads what the user attached to a message, before the model answers. The result is untrusted outside text. */
import { readAttachmentName } from '../../contracts/attachment';
import type { AssistantMessage, Attached, AttachedResource, Message } from '../../contracts/message';
import type { Tool, ToolContext, ToolOutput } from '../../contracts/tool';

/** This tool is never shown to a model; only the page calls it. */
export const readResourceName = 'read_resource';

export type ReadAttached = (resource: AttachedResource, context: ToolContext) => Promise<ToolOutput>;

/** Returns tool calls for everything attached to the newest question; undefined if nothing is attached. */
export function callsForAttached(
  history: readonly Message[],
  newId: () => string,
): AssistantMessage | undefined {
  const attached = attachedTo(history.at(-1)).filter((one) => !('kind' in one && one.kind === 'picture'));
  if (attached.length === 0) return undefined;
  const content = attached.map((one) => ({
    type: 'tool-call' as const,
    id: newId(),
    ...('fileId' in one
      ? { name: readAttachmentName, arguments: { name: one.name } }
      : { name: readResourceName, arguments: { title: one.title, uri: one.uri } }),
  }));
  return { role: 'assistant', content, finishReason: 'tool-calls' };
}

/** Reads only what the user attached in this conversation. Undefined if nothing is attached. */
export function createResourceReader(history: readonly Message[], read: ReadAttached): Tool | undefined {
  const attached = history.flatMap(attachedTo).filter((one) => 'uri' in one);
  if (attached.length === 0) return undefined;
  return {
    name: readResourceName,
    title: 'Read from a server',
    description: 'Reads what the person chose on a server.',
    inputSchema: {
      type: 'object',
      properties: { title: { type: 'string' }, uri: { type: 'string' } },
      required: ['uri'],
    },
    // The user chose the resource, so do not ask again.
    effects: () => ({ type: 'pure' }),
    async execute(input, context) {
      const { uri } = input as Record<string, unknown>;
      const resource = attached.find((one) => one.uri === uri);
      if (resource) return read(resource, context);
      const text = 'Only what the person has attached to a message can be read.';
      return { content: [{ type: 'text', text }], isError: true, failure: 'arguments' };
    },
  };
}

function attachedTo(message: Message | undefined): readonly Attached[] {
  return message?.role === 'user' ? (message.attached ?? []) : [];
}

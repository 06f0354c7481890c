/**
 * What a person has chosen, on a server or among their files, to be read with their message: the page reads it before the model answers, by a call that stands in
 * the history like any other. What comes is outside text, cut to what the model has room for like any result.
 */
import { readAttachmentName } from '../../contracts/attachment';
import type { AssistantMessage, Attached, AttachedResource, Message } from '../../contracts/message';
import type { Tool, ToolContext, ToolOutput } from '../../contracts/tool';

/** No model is shown it: what it reads is what a person chose. */
export const readResourceName = 'read_resource';

export type ReadAttached = (resource: AttachedResource, context: ToolContext) => Promise<ToolOutput>;

/** The calls for the newest question, as a reply of the page; missing where nothing is attached to it. */
export function callsForAttached(
  history: readonly Message[],
  newId: () => string,
): AssistantMessage | undefined {
  // A picture is shown to the model, not read.
  const attached = attachedTo(history.at(-1)).filter((one) => !('kind' in one && one.kind === 'picture'));
  if (attached.length === 0) return undefined;
  const content = attached.map((one) => ({
    ...{ type: 'tool-call' as const, id: newId() },
    ...('fileId' in one
      ? { name: readAttachmentName, arguments: { name: one.name } }
      : { name: readResourceName, arguments: { title: one.title, uri: one.uri } }),
  }));
  return { role: 'assistant', content, finishReason: 'tool-calls' };
}

/** Reads nothing but what the person attached in this conversation, whoever calls it. Missing where that is nothing. */
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
    // The person has chosen it: they are not asked again.
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

/** A tool of an MCP server, as the loop runs it. What its server says of it is told to a model, and believed in nothing. */
import type { McpServer, RemoteTool } from '../../contracts/mcp-server';
import type { Tool, ToolContext, ToolOutput } from '../../contracts/tool';
import { told } from '../told';
import { schemaForModels } from './spec-schema';

/** Characters that a model is told of a description. */
const mostTold = 1_000;

/** Never rejects but with the reason of the signal: what went wrong is in the output. */
export type CallRemote = (tool: string, args: unknown, context: ToolContext) => Promise<ToolOutput>;

export function createRemoteTool(
  { id, name: server, url }: Pick<McpServer, 'id' | 'name' | 'url'>,
  { name, alias, definition, hash }: RemoteTool,
  call: CallRemote,
): Tool {
  const { host } = new URL(url);
  const { title, description, inputSchema } = told({
    title: definition.title === '' ? name : definition.title,
    description: cutText(definition.description),
    inputSchema: schemaForModels(definition.inputSchema),
  });
  return {
    name: alias,
    title,
    description: description === '' ? title : description,
    server,
    inputSchema,
    // Of ours, whatever its hints say.
    annotations: { openWorldHint: true },
    revision: revisionOf(id, hash),
    effects: () => ({ type: 'remote', server, host }),
    async execute(input, context) {
      context.signal.throwIfAborted();
      const output = await call(name, input, context);
      context.signal.throwIfAborted();
      return { ...output, sources: [host] };
    },
  };
}

/** Names what was allowed: this tool of this server, as it is now. Begins with the server, with which its permissions go. */
function revisionOf(serverId: string, hash: string): string {
  return `${serverId}/${hash}`;
}

function cutText(text: string): string {
  return text.length > mostTold ? `${text.slice(0, mostTold)}…` : text;
}

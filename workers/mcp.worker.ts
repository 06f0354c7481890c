/**
 * Worker entry: the client of one MCP server, in a worker that we can end if the server's data hangs it. No top-level
 * await, because early messages would be lost.
 */
import '../src/tools/mcp/hide-location';
import { expose } from 'comlink';
import { serveServer } from '../src/tools/mcp/serve-server';

expose(serveServer());

/** Connects to one MCP server, whose data can hang only this worker. Contains no top-level await, which would lose early messages. */
import '../src/tools/mcp/hide-location';
import { expose } from 'comlink';
import { serveSession } from '../src/tools/mcp/session';

expose(serveSession());

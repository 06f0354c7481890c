/** Worker entry for one MCP server, whose data may hang it. No top-level await: early messages would be lost. */
import '../src/tools/mcp/hide-location';
import { expose } from 'comlink';
import { serveServer } from '../src/tools/mcp/session';

expose(serveServer());

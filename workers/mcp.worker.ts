/** Connects to one MCP server, whose data could hang this worker. Like the other workers, contains no top-level await. */
import '../src/tools/mcp/hide-location';
import { expose } from 'comlink';
import { serveSession } from '../src/tools/mcp/session';

expose(serveSession());

/**
 * Worker entry: the client of one MCP server, behind Comlink. What a server wrote is read here, and the worker is ended where that does
 * not end by itself. No top-level await: early messages would be lost.
 */
import '../src/tools/mcp/hide-location';
import { expose } from 'comlink';
import { serveServer } from '../src/tools/mcp/session';

expose(serveServer());

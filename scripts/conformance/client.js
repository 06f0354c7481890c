/**
 * The client that the conformance suite starts, with the address of its server as the last argument. It passes the address to the app, which is
 * already open in another process, and exits with the result from there.
 */
import { request } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';

const { HEARTH_DRIVER, MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_CONTEXT } = process.env;
const task = {
  url: process.argv.at(-1),
  scenario: MCP_CONFORMANCE_SCENARIO,
  context: JSON.parse(MCP_CONFORMANCE_CONTEXT ?? '{}'),
};
request(HEARTH_DRIVER, { method: 'POST' }, async (answer) => {
  const said = await text(answer);
  if (said !== '') console.error(said);
  process.exitCode = answer.statusCode === 200 ? 0 : 1;
}).end(JSON.stringify(task));

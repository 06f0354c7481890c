/**
 * Serves the built site at the address whose client document the conformance suite knows, and opens a Chromium that reaches every port of `localhost`
 * through a forwarder.
 *
 * The suite's servers send no CORS headers. The forwarder adds them and answers preflights, but changes nothing else: the browser still enforces
 * CORS, and the servers meet the requirements of `docs/how-to/connect-a-server.md`.
 */
import { createServer as createPlainServer, request as ask } from 'node:http';
import { createServer } from 'node:https';
import { chromium } from 'playwright';
import { findHeadlessShell } from '../find-chromium.js';
import { makeSelfSigned } from '../self-signed.js';
import { serveFolder } from '../static-server.js';

/** The suite accepts a client's document only at https://HOST/client-metadata.json. */
const host = 'conformance-test.local';

/** The headers that a server must send so that a page can be its client. */
const openHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'mcp-session-id, mcp-protocol-version, www-authenticate, retry-after',
};
const preflightHeaders = {
  ...openHeaders,
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name',
};

/**
 * @param {string} folder the folder of the built site
 * @returns {Promise<{ url: string, browser: import('playwright').Browser, close: () => Promise<void> }>}
 */
export async function openPlace(folder) {
  const files = await serveFolder(folder);
  const site = createServer(makeSelfSigned(), (request, response) => {
    if (request.url === '/client-metadata.json') sendDocument(response);
    else forward(request, response, new URL(request.url, files.url), {});
  });
  const forwarder = createPlainServer((request, response) => {
    if (request.method === 'OPTIONS') response.writeHead(204, preflightHeaders).end();
    else forward(request, response, new URL(request.url, `http://${request.headers.host}`), openHeaders);
  });
  const sitePort = await listen(site);
  const rules = `MAP ${host} 127.0.0.1:${sitePort}, MAP localhost 127.0.0.1:${await listen(forwarder)}`;
  const browser = await chromium.launch({
    executablePath: findHeadlessShell() ?? 'chromium',
    args: ['--no-sandbox', '--ignore-certificate-errors', `--host-resolver-rules=${rules}`],
  });
  return {
    url: `https://${host}/`,
    browser,
    async close() {
      await browser.close();
      await Promise.all([end(site), end(forwarder), files.close()]);
    },
  };
}

/** Sends the client document, the one file that whoever hosts the app must add, because it contains the app's address. */
function sendDocument(response) {
  const document = {
    client_id: `https://${host}/client-metadata.json`,
    client_name: 'Hearth',
    client_uri: `https://${host}/`,
    redirect_uris: [`https://${host}/oauth.html`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}

/** Streams the answer, because some answers never end. Uses a new connection each time, because a scenario ends when all are closed. */
function forward(request, response, { port, pathname, search }, added) {
  const options = { host: 'localhost', port, path: pathname + search, method: request.method, agent: false };
  const outgoing = ask({ ...options, headers: without(request.headers, ['connection']) }, (answer) => {
    const sent = without(answer.headers, ['connection', 'keep-alive', 'transfer-encoding']);
    response.writeHead(answer.statusCode, { ...sent, ...added });
    response.flushHeaders();
    answer.pipe(response).on('error', () => undefined);
    answer.on('error', () => response.destroy());
  });
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  request.pipe(outgoing);
}

const without = (headers, names) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

async function listen(server) {
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return server.address().port;
}

function end(server) {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

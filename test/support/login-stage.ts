/** Creates logins for tests: a server, its login server, and a page that stores the tokens. */
import { createLogin } from '../../src/tools/mcp/login';
import type { LoginState } from '../../src/contracts/mcp-server';

export const own = 'https://mcp.example.org';
export const url = `${own}/mcp`;
export const issuer = 'https://login.example';
export const redirectUrl = 'https://hearth.example/oauth.html';

type Answer = object | number | ((request: { body: string }) => object | number);
export type Table = Record<string, Answer>;

export const metadata = (at = issuer, changed: object = {}) => ({
  issuer: at,
  authorization_endpoint: `${at}/authorize`,
  token_endpoint: `${at}/token`,
  registration_endpoint: `${at}/register`,
  revocation_endpoint: `${at}/revoke`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: false,
  ...changed,
});
export const resource = (changed: object = {}) => ({
  resource: url,
  authorization_servers: [issuer],
  ...changed,
});
export const register = ({ body }: { body: string }) => ({
  ...(JSON.parse(body) as object),
  client_id: 'c1',
});
export const tokens = (changed: object = {}) => ({
  access_token: 'at-1',
  token_type: 'Bearer',
  refresh_token: 'rt-1',
  ...changed,
});

export const elsewhere: Table = {
  [`${own}/.well-known/oauth-protected-resource/mcp`]: resource(),
  [`${issuer}/.well-known/oauth-authorization-server`]: metadata(),
  [`${issuer}/register`]: register,
  [`${issuer}/token`]: tokens(),
  [`${issuer}/revoke`]: 200,
};
export const atHome: Table = {
  [`${own}/.well-known/oauth-authorization-server`]: metadata(own),
  [`${own}/register`]: register,
  [`${own}/token`]: tokens(),
};

interface Options {
  origins?: string[];
  kept?: LoginState;
  clientId?: string;
  clientSecret?: string;
  /** The login service that the user's own client is bound to. */
  clientIssuer?: string;
}

export function openLogin(
  table: Table,
  { origins = [], kept = {}, clientId = '', clientSecret = '', clientIssuer }: Options = {},
) {
  const state = { kept, origins, clientIssuer };
  const asked: { url: string; method: string; body: string }[] = [];
  const send = async (input: string | URL, { method = 'GET', body }: RequestInit = {}) => {
    const request = {
      url: new URL(input).href,
      method,
      body: body instanceof URLSearchParams || typeof body === 'string' ? body.toString() : '',
    };
    asked.push(request);
    const found = table[request.url];
    const answer = typeof found === 'function' ? found(request) : found;
    if (typeof answer === 'object') return Response.json(answer);
    return new Response(null, { status: answer ?? 404 });
  };
  const page = {
    loadLogin: async () => ({ ...state.kept, origins: state.origins }),
    saveLogin: async (login: LoginState) => {
      state.kept = JSON.parse(JSON.stringify(login)) as LoginState;
    },
    bindClient: async (asked: string) => (state.clientIssuer ??= asked),
  };
  const setup = { url, redirectUrl, homeUrl: 'https://hearth.example/', clientId, clientSecret };
  const login = createLogin(setup, page, send);
  const origin = () => [...new Set(asked.map((one) => new URL(one.url).origin))];
  const refuse = (header: string, status = 401) =>
    login.note(new Response(null, { status, headers: { 'www-authenticate': header } }));
  return { login, state, asked, origins: origin, refuse };
}
/** Starts a login step that opens a window. */
export async function begin({ login }: ReturnType<typeof openLogin>, document = '') {
  const step = await login.begin(document);
  if (step.type !== 'open') throw new Error(JSON.stringify(step));
  return { ...step, query: new URL(step.url).searchParams };
}

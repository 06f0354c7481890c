/** For the MCP worker: OAuth 2.1 login that contacts only hosts that the user has seen. */
import {
  auth,
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthServerInfo,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { LoginState } from '../../contracts/mcp-server';
import { parseJson } from '../../contracts/schema';
import type { LoginStep, PageApi, SeenLogin, ServerSetup } from './worker-api';

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

export type Login = ReturnType<typeof createLogin>;

export function createLogin(
  setup: ServerSetup,
  page: Pick<PageApi, 'loadLogin' | 'saveLogin' | 'bindClient'>,
  send: Fetch,
) {
  const own = new URL(setup.url).origin;
  let challenge: { metadataUrl?: URL | undefined; scope?: string | undefined } = {};
  let seen: readonly string[] = [];
  /** Origins that the current step needs but must not contact yet. */
  const unseen = new Set<string>();

  /** Sends requests only to the server itself and to origins that the user has seen. */
  const ask: Fetch = async (input, init) => {
    const { origin } = new URL(input);
    if (isSeen(origin)) return send(input, init);
    unseen.add(origin);
    throw new Error(`${origin} is not asked: the person has not seen it.`);
  };
  const isSeen = (origin: string) => origin === own || seen.includes(origin);
  const load = async () => {
    const { origins, ...login } = await page.loadLogin();
    seen = origins;
    return login;
  };
  const save = async (changed: LoginState) => page.saveLogin({ ...(await load()), ...changed });
  const readTokens = async () => parseTokens(await load());
  const metadataHint = () => challenge.metadataUrl && { resourceMetadataUrl: challenge.metadataUrl };

  /** Finds the login endpoints. Some older servers publish them at their own origin, with an issuer that has the wrong path. Accepts these too. */
  async function discover(): Promise<OAuthServerInfo> {
    try {
      return await discoverOAuthServerInfo(setup.url, { fetchFn: ask, ...metadataHint() });
    } catch (error) {
      if (!(error instanceof IssuerMismatchError) || unseen.size > 0) throw error;
      const named = await discoverOAuthProtectedResourceMetadata(setup.url, {}, ask).catch(() => undefined);
      const options = { fetchFn: ask, skipIssuerValidation: true };
      const metadata = await discoverAuthorizationServerMetadata(own, options);
      if (named || !metadata || new URL(metadata.issuer).origin !== own) throw error;
      return { authorizationServerUrl: own, authorizationServerMetadata: metadata };
    }
  }

  /** Adds the endpoints' origins that the user has not seen to `unseen`: an endpoint may have a different origin from its metadata. */
  function checkEndpoints({ authorizationServerUrl, authorizationServerMetadata }: OAuthServerInfo): void {
    const metadata: Record<string, unknown> = { ...authorizationServerMetadata };
    const names = ['authorization', 'token', 'registration', 'revocation'];
    const endpoints = names.map((name) => metadata[`${name}_endpoint`]);
    for (const url of [authorizationServerUrl, ...endpoints]) {
      if (typeof url !== 'string') continue;
      const { origin, protocol } = new URL(url);
      if (!/^https?:$/.test(protocol)) throw new Error(`${protocol} is no place for a login.`);
      if (!isSeen(origin)) unseen.add(origin);
    }
  }

  /** Returns the OAuth client that the user registered. Throws if it belongs to another login service: this one must not get its secret. */
  async function readOwnClient(issuer: string): Promise<StoredOAuthClientInformation> {
    const bound = await page.bindClient(issuer);
    if (bound !== issuer)
      throw new Error(
        `The client ID of this server belongs to the login service ${bound}, but the server now names ${issuer}. To use that one, remove the server and add it again.`,
      );
    const { clientId, clientSecret } = setup;
    return { client_id: clientId, ...(clientSecret !== '' && { client_secret: clientSecret }) };
  }

  /**
   * `onOpen` receives the login URL. Without it, no login can start.
   * `verifier`: the PKCE secret of the login whose code is exchanged.
   * `renewed`: the tokens to refresh. New tokens are saved only if these are still there.
   */
  function createProvider({
    clientDocument = '',
    onOpen,
    verifier,
    renewed,
  }: {
    clientDocument?: string;
    onOpen?: (url: URL) => void;
    verifier?: string;
    renewed?: StoredOAuthTokens;
  }): OAuthClientProvider {
    const { redirectUrl, homeUrl } = setup;
    const hasOwnClient = setup.clientId !== '';
    return {
      redirectUrl,
      ...(clientDocument !== '' && { clientMetadataUrl: clientDocument }),
      clientMetadata: {
        client_name: 'Hearth',
        client_uri: homeUrl,
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      async state() {
        // Throw before saving anything, so a login in progress keeps its state.
        if (!onOpen) throw new Error('A login is wanted.');
        const state = crypto.randomUUID();
        await save({ state });
        return state;
      },
      clientInformation: async (asked) =>
        hasOwnClient && asked ? readOwnClient(asked.issuer) : parseClient(await load()),
      saveClientInformation: (client) =>
        hasOwnClient ? undefined : save({ client: JSON.stringify(client) }),
      tokens: readTokens,
      async saveTokens(given) {
        if (renewed && (await readTokens())?.refresh_token !== renewed.refresh_token) return;
        await save({ tokens: JSON.stringify(given) });
      },
      redirectToAuthorization: (url) => onOpen?.(url),
      saveCodeVerifier: (created) => save({ verifier: created }),
      codeVerifier() {
        if (verifier === undefined) throw new Error('This login was not begun here.');
        return verifier;
      },
      saveDiscoveryState: (discovery) => save({ discovery: JSON.stringify(discovery) }),
      discoveryState: async () => parseDiscovery(await load()),
      async invalidateCredentials(scope) {
        if (scope === 'all' || scope === 'client') await save({ client: undefined });
        if (scope === 'all' || scope === 'tokens') await save({ tokens: undefined });
      },
    };
  }

  /** Locks across tabs: two tabs must not use the same refresh token. */
  const runLocked = <Value>(work: () => Promise<Value>): Promise<Value> =>
    navigator.locks.request(`hearth-login ${setup.url}`, work);

  /** If the step needs origins that the user has not seen, reports them instead of the error that they caused. */
  async function runStep(work: () => Promise<LoginStep>): Promise<LoginStep> {
    unseen.clear();
    await load();
    try {
      const end = await work();
      return unseen.size > 0 ? { type: 'unseen', origins: [...unseen] } : end;
    } catch (error) {
      if (unseen.size > 0) return { type: 'unseen', origins: [...unseen] };
      throw error;
    }
  }

  return {
    token: async () => (await readTokens())?.access_token,
    note(response: Response) {
      if (response.status !== 401 && response.status !== 403) return;
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      challenge = {
        metadataUrl: resourceMetadataUrl ?? challenge.metadataUrl,
        scope: computeScopeUnion(challenge.scope, scope),
      };
    },
    /** Refreshes an expired token. Resolves to true if the caller should retry the request. */
    renew: () =>
      runLocked(async () => {
        const renewed = await readTokens();
        if (!renewed?.refresh_token) return false;
        const renewing = auth(createProvider({ renewed }), { serverUrl: setup.url, fetchFn: ask });
        return (await renewing.catch(() => undefined)) === 'AUTHORIZED';
      }),
    /** Resolves to true if the server refused a request for lack of a scope that a new login could grant. */
    async wantsMore() {
      const given = new Set((await readTokens())?.scope?.split(' '));
      return challenge.scope?.split(' ').some((scope) => !given.has(scope)) === true;
    },
    /** Resolves to the other origins that a login would contact, as far as the server announces them. */
    async find(): Promise<readonly string[]> {
      const end = await runStep(async () => {
        const naming = discoverOAuthProtectedResourceMetadata(setup.url, { ...metadataHint() }, ask);
        const named = await naming.catch(() => undefined);
        const { origin } = new URL(named?.authorization_servers?.[0] ?? own);
        if (!isSeen(origin)) unseen.add(origin);
        return { type: 'done' };
      });
      return end.type === 'unseen' ? end.origins : seen;
    },
    begin: (clientDocument: string) =>
      runLocked(() =>
        runStep(async () => {
          const found = await discover();
          checkEndpoints(found);
          if (unseen.size > 0) return { type: 'done' };
          // Save the discovered endpoints, so the redirect returns to the same issuer.
          await save({ discovery: JSON.stringify(found), verifier: undefined, state: undefined });
          let opened: URL | undefined;
          const scope = computeScopeUnion((await readTokens())?.scope, challenge.scope);
          await auth(createProvider({ clientDocument, onOpen: (url) => (opened = url) }), {
            serverUrl: setup.url,
            fetchFn: ask,
            forceReauthorization: true,
            ...(scope && { scope }),
          });
          if (!opened) return { type: 'done' };
          const { state = '' } = await load();
          return { type: 'open', url: opened.href, state };
        }),
      ),
    /** Exchanges the code that the login with this `state` returned. Rejects if another login has begun since. */
    finish: (state: string, code: string, issuer: string | undefined) =>
      runLocked(() =>
        runStep(async () => {
          const begun = await load();
          if (begun.state !== state || begun.verifier === undefined)
            throw new Error('This login was not begun here, or another has begun since. Sign in again.');
          // Clear them first: whatever comes of it, they serve one exchange.
          await save({ verifier: undefined, state: undefined });
          await auth(createProvider({ verifier: begun.verifier }), {
            serverUrl: setup.url,
            fetchFn: ask,
            authorizationCode: code,
            ...(issuer !== undefined && { iss: issuer }),
          });
          return { type: 'done' };
        }),
      ),
    /** Tells the login service that tokens are no longer used. `ended`: the login, which the page has deleted already. */
    async revoke(ended: SeenLogin | undefined) {
      if (!ended) return;
      const { authorizationServerMetadata } = parseDiscovery(ended) ?? {};
      const { revocation_endpoint: endpoint }: Record<string, unknown> = { ...authorizationServerMetadata };
      const given = parseTokens(ended);
      if (typeof endpoint !== 'string' || !URL.canParse(endpoint) || !given) return;
      const { origin } = new URL(endpoint);
      if (origin !== own && !ended.origins.includes(origin)) return;
      const body = new URLSearchParams({
        token: given.refresh_token ?? given.access_token,
        client_id: (parseClient(ended)?.client_id ?? setup.clientId) || 'hearth',
      });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      await send(endpoint, { method: 'POST', headers, body }).catch(() => undefined);
    },
  };
}

const parseTokens = ({ tokens }: LoginState) => parseJson(tokens ?? '') as StoredOAuthTokens | undefined;
const parseClient = ({ client }: LoginState) =>
  parseJson(client ?? '') as StoredOAuthClientInformation | undefined;
const parseDiscovery = ({ discovery }: LoginState) =>
  parseJson(discovery ?? '') as OAuthDiscoveryState | undefined;

/** A login contacts only hosts that the user was shown, and the page stores its result. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LoginState } from '../../../../src/contracts/mcp-server';
import {
  own,
  url,
  issuer,
  redirectUrl,
  type Table,
  metadata,
  resource,
  register,
  tokens,
  elsewhere,
  atHome,
  openLogin,
  begin,
} from '../../../support/login-stage';

/** Names of the locks that were acquired. */
const locks: string[] = [];
let last: Promise<unknown> = Promise.resolve();
beforeAll(() => {
  // Silence the SDK's warning about its fallback.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  // Node 20 has no navigator.
  vi.stubGlobal('navigator', {
    locks: {
      request(name: string, work: () => Promise<unknown>) {
        locks.push(name);
        const mine = last.then(work);
        last = mine.catch(() => undefined);
        return mine;
      },
    },
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('looking for the origins that a login needs', () => {
  test('contacts only the server itself', async () => {
    const stage = openLogin(elsewhere);
    expect(await stage.login.find()).toEqual([issuer]);
    expect(stage.origins()).toEqual([own]);
  });

  test.for<[string, Table]>([
    ['the server itself handles logins', atHome],
    ['the server announces nothing', {}],
  ])('finds no other origin if %s', async ([, table]) => {
    expect(await openLogin(table).login.find()).toEqual([]);
  });

  test('does not contact another host, even if the server says that its metadata is there', async () => {
    const stage = openLogin({ 'https://evil.example/metadata': resource() });
    stage.refuse('Bearer resource_metadata="https://evil.example/metadata"');
    expect(await stage.login.find()).toContain('https://evil.example');
    expect(stage.origins().filter((one) => one !== own)).toEqual([]);
  });
});

describe('a login to a server', () => {
  test('contacts no origin that the user has not seen', async () => {
    const stage = openLogin(elsewhere);
    expect(await stage.login.begin('')).toEqual({ type: 'unseen', origins: [issuer] });
    expect(stage.origins()).toEqual([own]);
    expect(stage.state.kept).toEqual({});
  });

  test('starts once the user has seen the origins, with client registration and PKCE', async () => {
    const stage = openLogin(elsewhere, { origins: [issuer] });
    const { query, state, url: address } = await begin(stage);
    expect(address).toMatch(/^https:\/\/login\.example\/authorize\?/);
    expect(Object.fromEntries(query)).toMatchObject({
      client_id: 'c1',
      redirect_uri: redirectUrl,
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: url,
      state,
    });
    expect(query.get('code_challenge')?.length).toBeGreaterThan(40);
    expect(state).toMatch(/^[\da-f-]{36}$/);
    expect(stage.state.kept.state).toBe(state);
    expect(address).not.toContain(stage.state.kept.verifier ?? 'none');
    const registration = stage.asked.find((one) => one.url.endsWith('/register'))!;
    expect(JSON.parse(registration.body)).toMatchObject({
      client_name: 'Hearth',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
    });
  });

  test('exchanges the returned code once and then clears its state', async () => {
    const stage = openLogin(elsewhere, { origins: [issuer] });
    const { state } = await begin(stage);
    const { verifier } = stage.state.kept;
    expect(await stage.login.finish(state, 'code-1', undefined)).toEqual({ type: 'done' });
    const { body } = stage.asked.at(-1)!;
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      code: 'code-1',
      code_verifier: verifier,
      client_id: 'c1',
      resource: url,
    });
    expect(await stage.login.token()).toBe('at-1');
    expect(stage.state.kept).not.toHaveProperty('verifier');
    expect(stage.state.kept).not.toHaveProperty('state');
    expect(stage.origins()).toEqual([own, issuer]);
  });

  test('fails if it was not started in this app', async () => {
    const stage = openLogin(elsewhere, { origins: [issuer] });
    await expect(stage.login.finish('s-1', 'code-1', undefined)).rejects.toThrow('begun');
    expect(await stage.login.token()).toBeUndefined();
  });

  test('exchanges no code of an earlier login, nor a code twice', async () => {
    const stage = openLogin(elsewhere, { origins: [issuer] });
    const first = await begin(stage);
    const second = await begin(stage);
    const isExchange = ({ url: one }: { url: string }) => one.endsWith('/token');
    await expect(stage.login.finish(first.state, 'code-1', undefined)).rejects.toThrow('begun');
    expect(stage.asked.filter(isExchange)).toEqual([]);
    expect(await stage.login.finish(second.state, 'code-2', undefined)).toEqual({ type: 'done' });
    await expect(stage.login.finish(second.state, 'code-2', undefined)).rejects.toThrow('begun');
    expect(stage.asked.filter(isExchange)).toHaveLength(1);
  });

  test('yields no tokens if the answer comes from another issuer', async () => {
    const stage = openLogin(elsewhere, { origins: [issuer] });
    const { state } = await begin(stage);
    const count = stage.asked.length;
    await expect(stage.login.finish(state, 'code-1', 'https://evil.example')).rejects.toThrow();
    expect(stage.asked.slice(count).some(({ url: one }) => one.endsWith('/token'))).toBe(false);
  });

  test('uses the client id and secret that the user registered', async () => {
    const stage = openLogin(elsewhere, { origins: [issuer], clientId: 'mine', clientSecret: 'cs-1' });
    const { query, state } = await begin(stage);
    expect(query.get('client_id')).toBe('mine');
    await stage.login.finish(state, 'code-1', undefined);
    expect(stage.asked.some(({ url: one }) => one.endsWith('/register'))).toBe(false);
    expect(stage.state.kept).not.toHaveProperty('client');
    expect(JSON.stringify(stage.state.kept)).not.toContain('cs-1');
  });

  test('gives the client of the user to no other login service, even if the user has seen it', async () => {
    const stage = openLogin(elsewhere, {
      origins: [issuer],
      clientId: 'mine',
      clientSecret: 'cs-1',
      clientIssuer: 'https://first.example',
    });
    await expect(stage.login.begin('')).rejects.toThrow('https://first.example');
    expect(stage.asked.map(({ body }) => body).join()).not.toContain('cs-1');
    const again = openLogin(elsewhere, { origins: [issuer], clientId: 'mine', clientSecret: 'cs-1' });
    await begin(again);
    expect(again.state.clientIssuer).toBe(issuer);
  });

  test("uses the app's client metadata document if the server supports it", async () => {
    const table = {
      ...elsewhere,
      [`${issuer}/.well-known/oauth-authorization-server`]: metadata(issuer, {
        client_id_metadata_document_supported: true,
      }),
    };
    const document = 'https://hearth.example/client.json';
    const stage = openLogin(table, { origins: [issuer] });
    expect((await begin(stage, document)).query.get('client_id')).toBe(document);
    expect(stage.asked.some(({ url: one }) => one.endsWith('/register'))).toBe(false);
  });

  test('requests both the scopes already granted and those that the server reported as missing', async () => {
    const stage = openLogin(elsewhere, {
      origins: [issuer],
      kept: { tokens: JSON.stringify(tokens({ scope: 'read' })) },
    });
    stage.refuse('Bearer error="insufficient_scope", scope="read write"', 403);
    stage.refuse('Bearer error="insufficient_scope", scope="admin"', 403);
    expect(await stage.login.wantsMore()).toBe(true);
    const { query } = await begin(stage);
    expect(query.get('scope')?.split(' ').sort()).toEqual(['admin', 'read', 'write']);
  });

  test('is not offered again if the scope is already granted or the server names no scope', async () => {
    const stage = openLogin(elsewhere, { kept: { tokens: JSON.stringify(tokens({ scope: 'read write' })) } });
    expect(await stage.login.wantsMore()).toBe(false);
    stage.refuse('Bearer scope="write"', 403);
    expect(await stage.login.wantsMore()).toBe(false);
    stage.refuse('Bearer scope="admin"', 200);
    expect(await stage.login.wantsMore()).toBe(false);
  });
});

describe('the metadata for a login', () => {
  test.for(['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'])(
    'stops the login until the user has seen a new origin in this field: %s',
    async (endpoint) => {
      const changed = metadata(issuer, { [endpoint]: 'https://evil.example/x' });
      const stage = openLogin(
        { ...elsewhere, [`${issuer}/.well-known/oauth-authorization-server`]: changed },
        { origins: [issuer] },
      );
      expect(await stage.login.begin('')).toEqual({ type: 'unseen', origins: ['https://evil.example'] });
      expect(stage.origins()).toEqual([own, issuer]);
      expect(stage.asked.every(({ method }) => method === 'GET')).toBe(true);
      expect(stage.state.kept).toEqual({});
    },
  );

  test.for(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])(
    'is refused if the login address uses an unsafe scheme: %s',
    async (odd) => {
      const changed = metadata(issuer, { authorization_endpoint: odd });
      const stage = openLogin(
        { ...elsewhere, [`${issuer}/.well-known/oauth-authorization-server`]: changed },
        { origins: [issuer] },
      );
      await expect(stage.login.begin('')).rejects.toThrow();
      expect(stage.asked.every(({ method }) => method === 'GET')).toBe(true);
    },
  );

  test('is refused if it names another resource', async () => {
    const table = {
      ...elsewhere,
      [`${own}/.well-known/oauth-protected-resource/mcp`]: resource({
        resource: 'https://other.example/mcp',
      }),
    };
    const stage = openLogin(table, { origins: [issuer] });
    await expect(stage.login.begin('')).rejects.toThrow();
    expect(stage.asked.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('is refused if it names another issuer, except one at the server’s own origin with the old protocol', async () => {
    const loose = {
      [`${own}/.well-known/oauth-authorization-server`]: metadata(own, { issuer: `${own}/tenant` }),
      [`${own}/register`]: register,
    };
    expect((await begin(openLogin(loose))).url).toMatch(/^https:\/\/mcp\.example\.org\/authorize/);
    const strange = {
      [`${own}/.well-known/oauth-authorization-server`]: metadata(own, { issuer: 'https://evil.example' }),
    };
    await expect(openLogin(strange).login.begin('')).rejects.toThrow();
    const named = {
      ...elsewhere,
      [`${issuer}/.well-known/oauth-authorization-server`]: metadata(issuer, { issuer: `${issuer}/tenant` }),
    };
    await expect(openLogin(named, { origins: [issuer] }).login.begin('')).rejects.toThrow();
  });
});

describe('tokens of a login', () => {
  const discovery = (changed: object = {}) =>
    JSON.stringify({
      authorizationServerUrl: issuer,
      authorizationServerMetadata: metadata(issuer, changed),
    });
  const kept = (): LoginState => ({
    tokens: JSON.stringify(tokens()),
    client: JSON.stringify({ client_id: 'c1', redirect_uris: [redirectUrl], issuer }),
    discovery: discovery(),
  });

  test('are refreshed under a lock, one lock per server', async () => {
    const stage = openLogin(
      { ...elsewhere, [`${issuer}/token`]: tokens({ access_token: 'at-2', refresh_token: 'rt-2' }) },
      { origins: [issuer], kept: kept() },
    );
    locks.length = 0;
    expect(await stage.login.renew()).toBe(true);
    expect(locks).toEqual([`hearth-login ${url}`]);
    const { body } = stage.asked.find((one) => one.url.endsWith('/token'))!;
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      grant_type: 'refresh_token',
      refresh_token: 'rt-1',
    });
    expect(await stage.login.token()).toBe('at-2');
  });

  test('are refreshed one after another, each time with the newest refresh token', async () => {
    let count = 1;
    const used: (string | null)[] = [];
    const stage = openLogin(
      {
        ...elsewhere,
        [`${issuer}/token`]: ({ body }: { body: string }) => {
          used.push(new URLSearchParams(body).get('refresh_token'));
          return tokens({ refresh_token: `rt-${++count}` });
        },
      },
      { origins: [issuer], kept: kept() },
    );
    await Promise.all([stage.login.renew(), stage.login.renew()]);
    expect(used).toEqual(['rt-1', 'rt-2']);
  });

  test('are not saved if the user signed out while they were refreshed', async () => {
    const stage = openLogin(
      {
        ...elsewhere,
        [`${issuer}/token`]: () => {
          stage.state.kept = {};
          return tokens({ access_token: 'at-2' });
        },
      },
      { origins: [issuer], kept: kept() },
    );
    await stage.login.renew();
    expect(await stage.login.token()).toBeUndefined();
  });

  test('do not trigger a login window if they are missing or cannot be refreshed', async () => {
    const none = openLogin(elsewhere, { origins: [issuer] });
    expect(await none.login.renew()).toBe(false);
    expect(none.asked).toEqual([]);
    const refused = openLogin(
      { ...elsewhere, [`${issuer}/token`]: 500 },
      { origins: [issuer], kept: kept() },
    );
    expect(await refused.login.renew()).toBe(false);
  });

  test('do not disturb a login in progress when their refresh fails', async () => {
    const begun = { ...kept(), verifier: 'v-1', state: 's-1' };
    const stage = openLogin({ ...elsewhere, [`${issuer}/token`]: 500 }, { origins: [issuer], kept: begun });
    expect(await stage.login.renew()).toBe(false);
    expect(stage.state.kept).toMatchObject({ verifier: 'v-1', state: 's-1' });
  });

  test('are never sent to an origin that the user has not seen', async () => {
    const changed = {
      ...kept(),
      discovery: discovery({
        token_endpoint: 'https://evil.example/token',
        revocation_endpoint: 'https://evil.example/revoke',
      }),
    };
    const stage = openLogin(elsewhere, { origins: [issuer], kept: changed });
    expect(await stage.login.renew()).toBe(false);
    await stage.login.revoke({ ...changed, origins: [issuer] });
    expect(stage.origins()).not.toContain('https://evil.example');
    expect(stage.asked.map(({ body }) => body).join()).not.toContain('rt-1');
  });

  test('are revoked if the server supports it', async () => {
    const stage = openLogin(elsewhere, { origins: [issuer], kept: kept() });
    await stage.login.revoke({ ...kept(), origins: [issuer] });
    expect(stage.asked).toMatchObject([
      { url: `${issuer}/revoke`, method: 'POST', body: 'token=rt-1&client_id=c1' },
    ]);
    const without = { ...kept(), discovery: '' };
    const silent = openLogin(elsewhere, { origins: [issuer], kept: without });
    await silent.login.revoke({ ...without, origins: [issuer] });
    await silent.login.revoke(undefined);
    expect(silent.asked).toEqual([]);
    const down = openLogin({}, { origins: [issuer], kept: kept() });
    await expect(down.login.revoke({ ...kept(), origins: [issuer] })).resolves.toBeUndefined();
  });

  test('count as missing if they cannot be parsed', async () => {
    for (const odd of ['{', 'null'])
      expect(await openLogin(elsewhere, { kept: { tokens: odd } }).login.token()).toBeUndefined();
  });
});

/** PURE: converts the form for a model on a server to one of the user's models, or reports a problem in the form. */
import type { EndpointForm, EndpointProblem, OwnModel } from '../../contracts/model-library';
import { networkScopeOf } from '../../egress/nearness';

/** `known`: ids in use. `before`: the model that the user edits. It keeps its id, because chats refer to it. */
export function createOwnEndpoint(
  form: EndpointForm,
  models: { known: readonly string[]; own: readonly OwnModel[]; before?: OwnModel | undefined },
): { ok: true; model: OwnModel } | { ok: false; problem: EndpointProblem } {
  const { known, own, before } = models;
  const base = form.base ?? baseAddressesOf(form.address)[0];
  const served = form.model.trim();
  if (base === undefined) return { ok: false, problem: 'address' };
  if (served === '') return { ok: false, problem: 'model' };
  const isThere = own.some(
    ({ id, modelUrl, endpoint }) => id !== before?.id && modelUrl === base && endpoint?.model === served,
  );
  if (isThere) return { ok: false, problem: 'known' };
  const { origin, host } = new URL(base);
  // Send a stored key only to the origin that the user entered it for.
  const storedKey = before && new URL(before.modelUrl).origin === origin ? before.endpoint?.key : undefined;
  const key = form.key.trim() || storedKey;
  const id = before?.id ?? findFreeId(served, host, known);
  return {
    ok: true,
    model: {
      id,
      engine: 'endpoint',
      modelUrl: base,
      overrides: {},
      contextTokens: form.contextTokens,
      endpoint: {
        model: served,
        isNative: form.isNative,
        ...(form.canSee && { canSee: true }),
        ...(key !== undefined && { key }),
      },
    },
  };
}

function findFreeId(served: string, host: string, known: readonly string[]): string {
  const ids = [served, `${served} (${host})`];
  for (let count = 2; ; count++) {
    const id = ids.shift() ?? `${served} (${host}, ${count})`;
    if (!known.includes(id)) return id;
  }
}

/** Returns the base addresses to try, most likely first. Without a scheme, local hosts get http and others https. */
export function baseAddressesOf(typed: string): readonly string[] {
  const text = typed.trim();
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : addScheme(text);
  if (text === '' || !URL.canParse(whole)) return [];
  const url = new URL(whole);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return [];
  // Servers print this address to mean "all interfaces", but a client cannot connect to it.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  const path = url.pathname.replace(/\/(?:chat\/completions|completions|models)\/?$/, '').replace(/\/+$/, '');
  const base = url.origin + path;
  // A path that ends with a version, such as `/v1`, is already the base address.
  if (/\/v\d+[a-z\d]*$/.test(path)) return [base];
  return path === '' ? [`${base}/v1`, base] : [base, `${base}/v1`];
}

function addScheme(text: string): string {
  const near =
    URL.canParse(`http://${text}`) && networkScopeOf(new URL(`http://${text}`).hostname) !== undefined;
  return `${near ? 'http' : 'https'}://${text}`;
}

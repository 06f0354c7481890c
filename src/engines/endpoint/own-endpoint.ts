/** PURE: turns the form for a model on a server into a model of the person's own, or reports the problem. */
import type { EndpointForm, EndpointProblem, OwnModel } from '../../contracts/model-library';
import { basesOf } from './address';

type Made = { ok: true; model: OwnModel } | { ok: false; problem: EndpointProblem };

/** `known`: ids in use. `before`: the model that is edited; its id stays, because chats refer to it. */
export function makeEndpoint(
  form: EndpointForm,
  {
    known,
    own,
    before,
  }: { known: readonly string[]; own: readonly OwnModel[]; before?: OwnModel | undefined },
): Made {
  const base = form.base ?? basesOf(form.address)[0];
  const served = form.model.trim();
  if (base === undefined) return { ok: false, problem: 'address' };
  if (served === '') return { ok: false, problem: 'model' };
  const isThere = own.some(
    ({ id, modelUrl, endpoint }) => id !== before?.id && modelUrl === base && endpoint?.model === served,
  );
  if (isThere) return { ok: false, problem: 'known' };
  const typed = form.key.trim();
  // A key is only sent to the origin that it was typed for.
  const isSameOrigin = before !== undefined && new URL(before.modelUrl).origin === new URL(base).origin;
  const key = typed !== '' ? typed : isSameOrigin ? before.endpoint?.key : undefined;
  const id = before?.id ?? freeId(served, new URL(base).host, known);
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

function freeId(served: string, host: string, known: readonly string[]): string {
  const ids = [served, `${served} (${host})`];
  for (let count = 2; ; count++) {
    const id = ids.shift() ?? `${served} (${host}, ${count})`;
    if (!known.includes(id)) return id;
  }
}

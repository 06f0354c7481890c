/** Part of the composition root: tests, adds and changes models on a server, and deletes their keys. */
import egressWorkerUrl from '../../workers/egress.worker?worker&url';
import type { RequestRecord, StreamingEgress } from '../contracts/egress';
import type { Endpoint } from '../contracts/model-library';
import type { Settings } from '../contracts/settings';
import { createEgress } from '../egress/client';
import { basesOf } from '../engines/endpoint/address';
import { makeEndpoint } from '../engines/endpoint/own-endpoint';
import { startEgressWorker } from '../platform/start-worker';
import type { ModelsFunctions } from '../state/models.svelte';

interface EndpointParts {
  settings: () => Settings;
  saveSettings: (changed: Partial<Settings>) => Promise<void>;
  record: (record: RequestRecord) => void;
  /** Ids in use. */
  knownIds: () => readonly string[];
}

export function createEndpointFunctions({
  settings,
  saveSettings,
  record,
  knownIds,
}: EndpointParts): Pick<ModelsFunctions, 'tryEndpoint' | 'saveEndpoint' | 'forgetKey'> {
  let opened: StreamingEgress | undefined;
  const egress = () =>
    (opened ??= createEgress({
      startWorker: () => startEgressWorker(egressWorkerUrl),
      allowedAddresses: () => settings().allowedAddresses,
      record,
      isOnline: () => navigator.onLine,
      newId: () => crypto.randomUUID(),
      date: Date.now,
    }));
  const find = (modelId: string | undefined) => settings().ownModels.find(({ id }) => id === modelId);
  return {
    async tryEndpoint({ address, key, model }, id, signal) {
      const { tryServer } = await import('../engines/endpoint/try-server');
      const before = find(id);
      // A key that was stored for one origin is never sent to another.
      const kept = before && isOfOrigin(address, before.modelUrl) ? before.endpoint?.key : undefined;
      const trial = { egress: egress(), address, key: key.trim() || kept, model: model.trim() };
      return tryServer(trial, signal);
    },
    async saveEndpoint(form, id) {
      const { ownModels } = settings();
      const before = find(id);
      const made = makeEndpoint(form, { known: knownIds(), own: ownModels, before });
      if (!made.ok) return made;
      const others = ownModels.map((own) => (own === before ? made.model : own));
      await saveSettings({ ownModels: before ? others : [...ownModels, made.model] });
      return { ok: true, id: made.model.id };
    },
    async forgetKey(id) {
      const ownModels = settings().ownModels.map((own) =>
        own.id === id && own.endpoint ? { ...own, endpoint: withoutKey(own.endpoint) } : own,
      );
      await saveSettings({ ownModels });
    },
  };
}

/** The typed text may not be an address. */
function isOfOrigin(typed: string, url: string): boolean {
  const [base] = basesOf(typed);
  return base !== undefined && new URL(base).origin === new URL(url).origin;
}

function withoutKey({ model, isNative, canSee }: Endpoint): Endpoint {
  return { model, isNative, canSee };
}

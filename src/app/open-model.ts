/** Begins a life of a model where its engine runs: in a worker of its own, or on the page. */
import modelWorkerUrl from '../../workers/model.worker?worker&url';
import type { ModelSpec } from '../contracts/model';
import type { PageParts } from '../engines/engine';
import { createPageModel } from '../engines/host/page-model';
import { createRemoteModel } from '../engines/host/remote-model';
import type { RunningModel } from '../engines/host/running-model';
import { engineOf, loadPageEngine } from '../engines/registry';
import { startWorker } from '../platform/start-worker';

export function openModel(spec: ModelSpec, parts: PageParts): RunningModel {
  if (engineOf(spec)?.runsIn !== 'page') return createRemoteModel(startWorker(modelWorkerUrl));
  return createPageModel(async (loading, _tools, options) => {
    // The protocol is in the worker otherwise.
    const { createChatModel } = await import('../protocol/chat-model');
    const engine = await loadPageEngine(loading, parts);
    await engine.load(loading, options);
    const model = createChatModel(engine, loading, () => crypto.randomUUID());
    // Of others it stands in what was loaded.
    return { ...model, contextTokens: engine.contextTokens };
  });
}

import { type AppUpdate, Headlines } from '../contracts/app-update';
import { read } from '../contracts/schema';
import { applyUpdateMessage, abortRequestsMessage, listNewsMessage } from './update-messages';

/** Timeout in milliseconds for a reply. Old service workers do not know our messages and never reply. */
const maxReplyMs = 2_000;
/** Timeout in milliseconds for the old worker to abort its requests. It may have to start up first. */
const maxAbortMs = 6_000;
/** After this many milliseconds, we tell the user that the old version blocks the new one. */
const maxTakeoverMs = 8_000;

export async function watchRegistration(
  container: ServiceWorkerContainer,
  registration: ServiceWorkerRegistration,
  onChange: (update: AppUpdate) => void,
): Promise<void> {
  let update: AppUpdate = { phase: 'ready', news: [], apply };
  const tell = (change: Partial<AppUpdate>) => onChange((update = { ...update, ...change }));
  let isWanted = false;

  function apply(): void {
    isWanted = true;
    // Read this again: a newer version may be waiting now, or none, because another tab has applied the update.
    const { waiting } = registration;
    if (!waiting) {
      location.reload();
      return;
    }
    tell({ phase: 'applying' });
    // Wait until the old worker has woken up and replied. Otherwise, Chromium waits 30 s for a worker that is still waking up.
    void requestReply(registration.active, abortRequestsMessage, maxAbortMs).then(() =>
      waiting.postMessage(applyUpdateMessage),
    );
    setTimeout(() => tell({ phase: 'held' }), maxTakeoverMs);
  }

  async function check(): Promise<void> {
    const { waiting, active } = registration;
    // Without a controller, this is the first visit, and there is no old version to replace.
    if (!waiting || !active || !container.controller) return;
    const [next, current] = await Promise.all(
      [waiting, active].map(async (worker) => read(Headlines, await requestReply(worker, listNewsMessage))),
    );
    if (waiting !== registration.waiting || isWanted) return;
    const known = new Set(current?.ok ? current.value : undefined);
    const isKnown = next?.ok && current?.ok;
    tell({ phase: 'ready', news: isKnown ? next.value.filter((headline) => !known.has(headline)) : [] });
  }

  const follow = () =>
    registration.installing?.addEventListener('statechange', () => void check().catch(() => undefined));
  container.addEventListener('controllerchange', () => {
    if (isWanted) location.reload();
    else tell({ phase: 'elsewhere' });
  });
  registration.addEventListener('updatefound', follow);
  follow();
  await check();
}

function requestReply(worker: ServiceWorker | null, message: string, ms = maxReplyMs): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  return new Promise<unknown>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data);
    setTimeout(() => resolve(undefined), ms);
    worker?.postMessage(message, [port2]);
  }).finally(() => port1.close());
}

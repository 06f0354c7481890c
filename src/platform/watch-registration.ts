/** Two versions of the app on one device: what the new one brings, and how the old one gives it its place. */
import { type AppUpdate, Headlines } from '../contracts/app-update';
import { read } from '../contracts/schema';
import { applyUpdate, letGo, listNews } from './update-messages';

/** How long a service worker may take to answer: one that is older than the question never does. */
const answerMs = 2_000;
/** How long the old one may take to say that it has let go: it may have to be started for that, on a device that is busy. */
const letGoMs = 6_000;
/** How long the new one may take to come in, before the person is told that the old one keeps it out. */
const patienceMs = 8_000;

/** Calls `onChange` for as long as the page lives. Resolves when it has looked for the first time. */
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
    // Not the one that was told of: a newer one may have come since. None: another tab was quicker.
    const { waiting } = registration;
    if (!waiting) {
      location.reload();
      return;
    }
    tell({ phase: 'applying' });
    // Awake before the other asks for its place: of one that is just waking, Chromium waits until it has slept in again, 30 s later.
    void ask(registration.active, letGo, letGoMs).then(() => waiting.postMessage(applyUpdate));
    setTimeout(() => tell({ phase: 'held' }), patienceMs);
  }

  async function check(): Promise<void> {
    const { waiting, active } = registration;
    // With no controller this is the first visit: nothing is being replaced.
    if (!waiting || !active || !container.controller) return;
    const [next, current] = await Promise.all(
      [waiting, active].map(async (worker) => read(Headlines, await ask(worker, listNews))),
    );
    // One newer still may have come meanwhile: it tells of itself.
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
  // The browser may have found it before this was reached.
  follow();
  await check();
}

/** Undefined where it does not answer in time. */
function ask(worker: ServiceWorker | null, message: string, ms = answerMs): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  return new Promise<unknown>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data);
    setTimeout(() => resolve(undefined), ms);
    worker?.postMessage(message, [port2]);
  }).finally(() => port1.close());
}

/** Updates of the app: shows what a new version brings, and lets it replace the old one. */
import { type AppUpdate, Headlines } from '../contracts/app-update';
import { read } from '../contracts/schema';
import { applyUpdate, letGo, listNews } from './update-messages';

/** Milliseconds to wait for an answer. Old service workers do not know the question and never answer. */
const answerMs = 2_000;
/** Milliseconds for the old worker to let go. It may have to start first, on a busy device. */
const letGoMs = 6_000;
/** Milliseconds for the new version to take over, before we tell the user that the old one blocks it. */
const patienceMs = 8_000;

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
    // A newer version than the reported one may wait by now. If none waits, another tab was quicker.
    const { waiting } = registration;
    if (!waiting) {
      location.reload();
      return;
    }
    tell({ phase: 'applying' });
    // Wake the old worker first: Chromium waits 30 s until a worker that is just waking is idle again.
    void ask(registration.active, letGo, letGoMs).then(() => waiting.postMessage(applyUpdate));
    setTimeout(() => tell({ phase: 'held' }), patienceMs);
  }

  async function check(): Promise<void> {
    const { waiting, active } = registration;
    // Without a controller this is the first visit, so nothing is replaced.
    if (!waiting || !active || !container.controller) return;
    const [next, current] = await Promise.all(
      [waiting, active].map(async (worker) => read(Headlines, await ask(worker, listNews))),
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

function ask(worker: ServiceWorker | null, message: string, ms = answerMs): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  return new Promise<unknown>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data);
    setTimeout(() => resolve(undefined), ms);
    worker?.postMessage(message, [port2]);
  }).finally(() => port1.close());
}

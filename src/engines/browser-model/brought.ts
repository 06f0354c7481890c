/** Whether the browser's own model is available, and how to fetch it. */
import { AppError } from '../../contracts/app-error';
import type { BrowserModelState } from '../../contracts/model-library';
import { promptApiHere, faultOf, askFor } from './api';

const states = { available: 'here', downloading: 'coming', downloadable: 'can-come' } as const;

export async function stateOfBrought(): Promise<BrowserModelState | undefined> {
  const api = promptApiHere();
  if (!api) return undefined;
  try {
    const { availability } = await askFor(api);
    return availability === 'unavailable' ? 'unfit' : states[availability];
  } catch {
    return undefined;
  }
}

export async function seesHere(): Promise<boolean> {
  const api = promptApiHere();
  if (!api) return false;
  try {
    const { availability, canSee } = await askFor(api);
    return canSee && availability === 'available';
  } catch {
    return false;
  }
}

/**
 * Resolves when the model is available. The browser requires a recent click. After `signal` aborts, the browser may continue by itself.
 * Rejects with an `AppError` or the reason of `signal`.
 */
export async function fetchBrought(signal: AbortSignal, onShare: (share: number) => void): Promise<void> {
  const api = promptApiHere();
  if (!api) throw new AppError('browser-too-old', 'This browser has no Prompt API.');
  try {
    const { options, availability } = await askFor(api);
    if (availability === 'unavailable') throw new AppError('browser-model-unfit', '');
    const session = await api.create({
      ...options,
      signal,
      monitor: (monitor) => monitor.addEventListener('downloadprogress', (event) => onShare(shareIn(event))),
    });
    session.destroy();
  } catch (error) {
    signal.throwIfAborted();
    throw faultOf(error);
  }
}

function shareIn(event: Event): number {
  const { loaded, total } = event as ProgressEvent;
  return Math.min(1, Math.max(0, total > 0 ? loaded / total : loaded));
}

/** PURE: how far a model is on its way here, or in its start, as one line. */
import type { DownloadState } from '../../contracts/model-library';
import type { ModelPhase } from '../../state/model-status.svelte';
import type { Language } from '../i18n/language.svelte';

type Writing = Pick<Language, 'age' | 'bytes' | 'late' | 'number'>;

interface OnItsWay {
  phase: ModelPhase;
  download: DownloadState | undefined;
  /** Nothing is missing: whatever a download says, it is over. */
  isWhole: boolean;
}

/** '' where nothing goes on. */
export function writeProgress({ phase, download, isWhole }: OnItsWay, language: Writing): string {
  const words = language.late.models;
  if (phase.type === 'loading') {
    const { loadedBytes = 0, totalBytes = 0 } = phase.progress ?? {};
    if (totalBytes === 0) return words.starting;
    return words.startingAt(language.number((loadedBytes / totalBytes) * 100));
  }
  if (download?.type === 'waiting') return words.failures.offline;
  if (download?.type === 'by-browser' && !isWhole) {
    const percent = language.number(Math.floor(download.share * 100));
    return download.share === 0 ? language.late.browser.begins : language.late.browser.progress(percent);
  }
  if (download?.type !== 'running') return phase.type === 'ready' ? words.running : '';
  return writeDownload(download, language);
}

function writeDownload(
  { loadedBytes, totalBytes, isExact, bytesPerSecond }: Extract<DownloadState, { type: 'running' }>,
  language: Writing,
): string {
  const words = language.late.models;
  if (loadedBytes === 0) return words.preparing;
  const isGuess = !isExact && totalBytes <= loadedBytes;
  const parts = [
    isGuess
      ? language.bytes(loadedBytes)
      : words.progress(language.bytes(loadedBytes), writeSize(totalBytes, isExact, language)),
  ];
  if (bytesPerSecond !== undefined) {
    parts.push(words.speed(language.bytes(bytesPerSecond)));
    if (isGuess) return parts.join(' · ');
    const left = language.age(((totalBytes - loadedBytes) / bytesPerSecond) * 1000);
    parts.push(words.left(left));
  }
  return parts.join(' · ');
}

/** What is estimated says so. */
export function writeSize(bytes: number, isKnown: boolean, language: Writing): string {
  return isKnown ? language.bytes(bytes) : language.late.models.about(language.bytes(bytes));
}

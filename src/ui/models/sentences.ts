/** Sentences about a model (missing requirements, speed, download) and about the diagnosis of this device. */
import type { Diagnosis, DownloadState, ModelFitReason, ModelCard } from '../../contracts/model-library';
import type { ModelPhase } from '../../state/model-status.svelte';
import { placeOf } from '../../state/models.svelte';
import type { Language } from '../i18n/language.svelte';

/** One sentence for each requirement that this device does not meet. `describeSpeed` covers a slow device. */
export function describeFindings({ findings }: ModelCard, language: Language): readonly string[] {
  return findings.flatMap((finding) => describeFinding(finding, language) ?? []);
}

/** The measured speed (in tokens `perSecond`), or an estimate from the size and the processor. '' if the model cannot run. */
export function describeSpeed(card: ModelCard, perSecond: number | undefined, language: Language): string {
  const { speeds } = language.rest.models;
  const { origin, bytes, verdict, findings, isSmall } = card;
  if (perSecond !== undefined) return speeds.measured(language.number(perSecond, perSecond < 10 ? 1 : 0));
  if (verdict === 'impossible') return '';
  if (findings.some(({ code }) => code === 'software-gpu')) return speeds.software;
  if (origin === 'built-in' || isSmall) return speeds.builtIn;
  const place = placeOf(card);
  if (place === 'processor') return speeds.processor;
  if (place !== 'gpu') return '';
  // The size of a model that the user added is unknown until its download starts.
  if (bytes === 0) return '';
  if (bytes < maxFastModelBytes) return speeds.quick;
  return bytes < minSlowModelBytes ? speeds.steady : speeds.heavy;
}

export function describeDiagnosis(found: Diagnosis, language: Language): string {
  const { findings } = language.rest.models.diagnostics;
  switch (found.code) {
    case 'gpu':
      return findings.gpu(found.name);
    case 'gpu-limit':
      return findings['gpu-limit'](found.limit, language.number(found.has), language.number(found.needs));
    case 'memory':
      return findings.memory(language.number(found.gigabytes, 2), formatMemory(found.budgetMb, language));
    case 'memory-unknown':
      return findings['memory-unknown'](formatMemory(found.budgetMb, language));
    case 'cores':
      return findings.cores(language.number(found.cores), found.threads);
    case 'not-isolated':
      return findings['not-isolated'](language.number(found.threads));
    case 'room':
      return findings.room(language.bytes(found.freeBytes));
    case 'gpu-none':
    case 'gpu-blocked':
    case 'gpu-software':
    case 'no-f16':
    case 'has-f16':
    case 'relaxed-simd':
    case 'plain-simd':
    case 'room-unknown':
    case 'persisted':
    case 'not-persisted':
    case 'no-files':
    case 'browser-model-unfit':
      return findings[found.code];
  }
}

/**
 * Describes the download, start or running of a model in one line. Returns '' for any other model. `isWhole`: true if all
 * files of the model are stored.
 */
export function describeProgress(
  phase: ModelPhase,
  download: DownloadState | undefined,
  isWhole: boolean,
  language: Language,
): string {
  const words = language.rest.models;
  if (phase.type === 'loading') {
    const { loadedBytes = 0, totalBytes = 0 } = phase.progress ?? {};
    if (totalBytes === 0) return words.starting;
    return words.startingAt(language.number((loadedBytes / totalBytes) * 100));
  }
  if (download?.type === 'waiting') return words.failures.offline;
  if (download?.type === 'by-browser' && !isWhole) {
    const percent = language.number(Math.floor(download.share * 100));
    return download.share === 0 ? language.rest.browser.begins : language.rest.browser.progress(percent);
  }
  if (download?.type !== 'running') return phase.type === 'ready' ? words.running : '';
  return describeDownload(download, language);
}

export function formatSize(bytes: number, isKnown: boolean, language: Language): string {
  return isKnown ? language.bytes(bytes) : language.rest.models.about(language.bytes(bytes));
}

/** Formats megabytes with two significant digits, because memory sizes are estimates. */
export function formatMemory(megabytes: number, language: Language): string {
  return language.bytes(Number((megabytes * 2 ** 20).toPrecision(2)));
}

export function listLanguages(codes: readonly string[], code: string): string {
  const names = new Intl.DisplayNames([code], { type: 'language' });
  return new Intl.ListFormat(code, { type: 'conjunction' }).format(codes.map((one) => names.of(one) ?? one));
}

/** A GPU reads the whole model for each token, so we estimate the speed from the size of the model. */
const maxFastModelBytes = 1.3e9;
const minSlowModelBytes = 3.5e9;

function describeFinding(finding: ModelFitReason, language: Language): string | undefined {
  const { findings } = language.rest.models;
  switch (finding.code) {
    case 'no-gpu':
      return findings['no-gpu'](finding.isBlocked);
    case 'memory':
      return findings.memory(
        formatMemory(finding.needsMb, language),
        formatMemory(finding.budgetMb, language),
      );
    case 'room':
      return findings.room(language.bytes(finding.needsBytes), language.bytes(finding.freeBytes));
    case 'software-gpu':
    case 'on-processor':
      return undefined;
    case 'limit':
    case 'full-precision':
      return findings[finding.code];
  }
}

function describeDownload(
  { loadedBytes, totalBytes, isExact, bytesPerSecond }: Extract<DownloadState, { type: 'running' }>,
  language: Language,
): string {
  const words = language.rest.models;
  if (loadedBytes === 0) return words.preparing;
  const isGuess = !isExact && totalBytes <= loadedBytes;
  const loaded = language.bytes(loadedBytes);
  const parts = [isGuess ? loaded : words.progress(loaded, formatSize(totalBytes, isExact, language))];
  if (bytesPerSecond !== undefined) {
    parts.push(words.speed(language.bytes(bytesPerSecond)));
    const leftMs = ((totalBytes - loadedBytes) / bytesPerSecond) * 1000;
    if (!isGuess) parts.push(words.left(language.age(leftMs)));
  }
  return parts.join(' · ');
}

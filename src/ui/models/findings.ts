/** PURE: findings as sentences. */
import type { Diagnosis, FitFinding } from '../../contracts/model-shelf';
import type { Language } from '../i18n/language.svelte';
import type { ModelWords } from '../i18n/en-models';

type Writing = Pick<Language, 'bytes' | 'number'>;

/** Of memory nobody knows more than two digits. */
export const megabytes = (language: Writing, value: number) =>
  language.bytes(Number((value * 2 ** 20).toPrecision(2)));

/** Languages by their own codes, as they are called in the one on the screen. */
export function namesOf(codes: readonly string[], code: string): string {
  const names = new Intl.DisplayNames([code], { type: 'language' });
  return new Intl.ListFormat(code, { type: 'conjunction' }).format(codes.map((one) => names.of(one) ?? one));
}

export function writeFinding(finding: FitFinding, words: ModelWords, language: Writing): string {
  const { findings } = words;
  switch (finding.code) {
    case 'no-gpu':
      return findings['no-gpu'](finding.isBlocked);
    case 'memory':
      return findings.memory(megabytes(language, finding.needsMb), megabytes(language, finding.budgetMb));
    case 'room':
      return findings.room(language.bytes(finding.needsBytes), language.bytes(finding.freeBytes));
    case 'limit':
    case 'no-jspi':
    case 'software-gpu':
    case 'full-precision':
    case 'on-processor':
    case 'fits':
      return findings[finding.code];
  }
}

export function writeDiagnosis(found: Diagnosis, words: ModelWords, language: Writing): string {
  const { findings } = words.diagnostics;
  switch (found.code) {
    case 'gpu':
      return findings.gpu(found.name);
    case 'gpu-limit':
      return findings['gpu-limit'](found.limit, language.number(found.has), language.number(found.needs));
    case 'memory':
      return findings.memory(language.number(found.gigabytes, 2), megabytes(language, found.budgetMb));
    case 'memory-unknown':
      return findings['memory-unknown'](megabytes(language, found.budgetMb));
    case 'cores':
      return findings.cores(language.number(found.cores));
    case 'room':
      return findings.room(language.bytes(found.freeBytes));
    case 'gpu-none':
    case 'gpu-blocked':
    case 'gpu-software':
    case 'no-f16':
    case 'has-f16':
    case 'no-jspi':
    case 'has-jspi':
    case 'room-unknown':
    case 'persisted':
    case 'not-persisted':
    case 'no-files':
      return findings[found.code];
  }
}

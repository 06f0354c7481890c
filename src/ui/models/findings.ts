/** PURE: findings as sentences. */
import type { Diagnosis, FitFinding, ModelCard } from '../../contracts/model-library';
import { placeOf } from '../../state/models.svelte';
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

/** What it lacks here; that it is slow, its speed says. */
export function writeFindings(
  { findings }: ModelCard,
  words: ModelWords,
  language: Writing,
): readonly string[] {
  return findings.flatMap((finding) => writeFinding(finding, words, language) ?? []);
}

function writeFinding(finding: FitFinding, words: ModelWords, language: Writing): string | undefined {
  const { findings } = words;
  switch (finding.code) {
    case 'no-gpu':
      return findings['no-gpu'](finding.isBlocked);
    case 'memory':
      return findings.memory(megabytes(language, finding.needsMb), megabytes(language, finding.budgetMb));
    case 'room':
      return findings.room(language.bytes(finding.needsBytes), language.bytes(finding.freeBytes));
    case 'limit':
    case 'full-precision':
      return findings[finding.code];
    case 'software-gpu':
    case 'on-processor':
      return undefined;
  }
}

/** Bytes that a chip reads for each word: below the first it is quick on nearly any, above the second slow on most. */
const quickBytes = 1.3e9;
const heavyBytes = 3.5e9;

/** How fast it will be here: as measured in this visit, else by what it runs on and how large it is. */
export function writeSpeed(
  card: ModelCard,
  tokensPerSecond: number | undefined,
  { speeds }: ModelWords,
  language: Writing,
): string {
  const { origin, bytes, verdict, findings } = card;
  if (tokensPerSecond !== undefined)
    return speeds.measured(language.number(tokensPerSecond, tokensPerSecond < 10 ? 1 : 0));
  if (verdict === 'impossible') return '';
  if (findings.some(({ code }) => code === 'software-gpu')) return speeds.software;
  if (origin === 'built-in') return speeds.builtIn;
  const place = placeOf(card);
  if (place === 'processor') return speeds.processor;
  if (place !== 'gpu') return '';
  // Of a model of the person's own nobody knows the size before its files are asked for.
  if (bytes === 0) return '';
  if (bytes < quickBytes) return speeds.quick;
  return bytes < heavyBytes ? speeds.steady : speeds.heavy;
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

/** The part of the Prompt API that we use (https://webmachinelearning.github.io/prompt-api). Some browsers rename or lack members. */
import type { JsonSchema } from '../../contracts/schema';
import { AppError, writeError } from '../../contracts/app-error';
import type { ErrorCode } from '../../contracts/error-code';
import { untilAborted } from '../../contracts/until-aborted';
import type { Sampling } from '../../contracts/model';
import type { BrowserModelState } from '../../contracts/model-library';

type ApiAvailability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

export interface ApiMessage {
  role: 'system' | 'user' | 'assistant';
  content: string | readonly ({ type: 'text'; value: string } | { type: 'image'; value: Blob })[];
  /** Set only on a last message that is a partial reply, so the model continues it. */
  prefix?: true;
}

type ApiInputType = { type: 'text'; languages: readonly string[] } | { type: 'image' };

export interface ApiCoreOptions {
  expectedInputs?: readonly ApiInputType[];
  expectedOutputs?: readonly ApiInputType[];
  samplingMode?: SamplingMode;
}

type SamplingMode = 'most-predictable' | 'predictable' | 'balanced' | 'creative' | 'most-creative';

interface ApiCreateOptions extends ApiCoreOptions {
  signal?: AbortSignal;
  /** The monitor fires `downloadprogress` events with `loaded` from 0 to 1. */
  monitor?: (monitor: Pick<EventTarget, 'addEventListener'>) => void;
  initialPrompts?: readonly ApiMessage[];
}

export interface ApiSession {
  promptStreaming: (
    input: readonly ApiMessage[],
    options: { signal: AbortSignal; responseConstraint?: JsonSchema; omitResponseConstraintInput?: boolean },
  ) => ReadableStream<string>;
  destroy: () => void;
  /** The name in the specification. The first browsers used the older names below. */
  readonly contextWindow?: number;
  readonly inputQuota?: number;
  readonly contextUsage?: number;
  readonly inputUsage?: number;
  measureContextUsage?: (input: readonly ApiMessage[]) => Promise<number>;
  measureInputUsage?: (input: readonly ApiMessage[]) => Promise<number>;
}

export interface PromptApi {
  availability: (options?: ApiCoreOptions) => Promise<ApiAvailability>;
  create: (options?: ApiCreateOptions) => Promise<ApiSession>;
}

export function getPromptApi(): PromptApi | undefined {
  const { LanguageModel: found } = globalThis as { LanguageModel?: Partial<PromptApi> };
  return typeof found?.availability === 'function' && typeof found.create === 'function'
    ? (found as PromptApi)
    : undefined;
}

export function contextWindowOf({ contextWindow, inputQuota }: ApiSession): number | undefined {
  const tokens = contextWindow ?? inputQuota;
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? Math.floor(tokens) : undefined;
}

export function contextUsageOf({ contextUsage, inputUsage }: ApiSession): number | undefined {
  const tokens = contextUsage ?? inputUsage;
  return tokens !== undefined && Number.isFinite(tokens) ? tokens : undefined;
}

/** Returns the token count of `input`, or `fallbackTokens` if the browser cannot count. */
export async function measureTokens(
  session: ApiSession,
  input: readonly ApiMessage[],
  fallbackTokens: number,
): Promise<number> {
  try {
    const measured = await (session.measureContextUsage?.(input) ?? session.measureInputUsage?.(input));
    return measured !== undefined && Number.isFinite(measured) && measured > 0
      ? Math.ceil(measured)
      : fallbackTokens;
  } catch {
    return fallbackTokens;
  }
}

export function isSessionLost(error: unknown): boolean {
  return error instanceof Error && ['InvalidStateError', 'AbortError'].includes(error.name);
}

const codeByErrorName: Readonly<Record<string, ErrorCode>> = {
  QuotaExceededError: 'message-too-long',
  NotSupportedError: 'browser-model-language',
  NotReadableError: 'browser-model-withheld',
  NetworkError: 'browser-model-download',
  NotAllowedError: 'browser-model-refused',
};

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isSessionLost(error)) return new AppError('engine-crashed', detailOf(error), { cause: error });
  const name = error instanceof Error ? error.name : '';
  return new AppError(codeByErrorName[name] ?? 'browser-model-failed', detailOf(error), { cause: error });
}

function detailOf(error: unknown): string {
  const said = writeError(error);
  if (!(error instanceof Error) || !('requested' in error) || !('quota' in error)) return said;
  const { requested, quota } = error;
  return typeof requested === 'number' && typeof quota === 'number'
    ? `${said} ${requested} tokens, of ${quota}.`
    : said;
}

/** Some browsers require a language, and Chromium 156 logs an error for Chinese. Chinese also works if we name only English. */
const textInput = { type: 'text', languages: ['en'] } as const;
const pictureInput = { type: 'image' } as const;

const preferredOptions: readonly { options: ApiCoreOptions; canSee: boolean }[] = [
  { options: { expectedInputs: [textInput, pictureInput], expectedOutputs: [textInput] }, canSee: true },
  { options: { expectedInputs: [textInput], expectedOutputs: [textInput] }, canSee: false },
  { options: { expectedInputs: [pictureInput] }, canSee: true },
  { options: {}, canSee: false },
];

interface SupportedOptions {
  options: ApiCoreOptions;
  availability: ApiAvailability;
  canSee: boolean;
}

/** Returns the best options that the browser supports now or after a download. Rejects with the browser's error. */
export async function findBestOptions(api: PromptApi): Promise<SupportedOptions> {
  let best: SupportedOptions | undefined;
  for (const { options, canSee } of preferredOptions) {
    let availability: ApiAvailability = 'unavailable';
    try {
      availability = await api.availability(options);
    } catch (error) {
      // The first browsers with this API accept only text and reject other input types.
      if (!canSee) throw error;
    }
    if (availability === 'available') return { options, availability, canSee };
    if (availability !== 'unavailable') best ??= { options, availability, canSee };
  }
  return best ?? { options: {}, availability: 'unavailable', canSee: false };
}

/** Converts the temperature to one of the browser's sampling modes, because a web page cannot set the temperature itself. */
export function toSamplingMode({ temperature }: Sampling): SamplingMode {
  if (temperature <= 0) return 'most-predictable';
  if (temperature <= 0.4) return 'predictable';
  if (temperature <= 0.9) return 'balanced';
  return temperature <= 1.2 ? 'creative' : 'most-creative';
}

const stateByAvailability = {
  available: 'here',
  downloading: 'coming',
  downloadable: 'can-come',
  unavailable: 'unfit',
} as const;

/** If the browser takes longer to say whether it has a model, the other models are listed without it. */
const maxAvailabilityWaitMs = 3_000;

async function findSupportedOptions(): Promise<SupportedOptions | undefined> {
  const api = getPromptApi();
  if (!api) return undefined;
  const tooLate = AbortSignal.timeout(maxAvailabilityWaitMs);
  return untilAborted(findBestOptions(api), tooLate).catch(() => undefined);
}

export async function findBrowserModelState(): Promise<BrowserModelState | undefined> {
  const found = await findSupportedOptions();
  return found && stateByAvailability[found.availability];
}

export async function canBrowserModelSee(): Promise<boolean> {
  const found = await findSupportedOptions();
  return found?.availability === 'available' && found.canSee;
}

/** Needs a recent click. Rejects with an `AppError` or the reason of `signal`. The browser may go on downloading after an abort. */
export async function downloadBrowserModel(signal: AbortSignal, onShare: (share: number) => void) {
  const api = getPromptApi();
  if (!api) throw new AppError('browser-too-old', 'This browser has no Prompt API.');
  try {
    const { options, availability } = await untilAborted(findBestOptions(api), signal);
    if (availability === 'unavailable') throw new AppError('browser-model-unfit', '');
    const created = api
      .create({
        ...options,
        signal,
        monitor: (monitor) =>
          monitor.addEventListener('downloadprogress', (event) => onShare(downloadShareOf(event))),
      })
      .then((session) => session.destroy());
    await untilAborted(created, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw toAppError(error);
  }
}

function downloadShareOf(event: Event): number {
  const { loaded, total } = event as ProgressEvent;
  const share = total > 0 ? loaded / total : loaded;
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}

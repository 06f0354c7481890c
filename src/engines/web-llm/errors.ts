/** What WebLLM's errors mean: which are answers to a wrong request, and which mean that what it runs on is lost. */
import { AppError, writeError } from '../../contracts/app-error';
import type { ErrorCode } from '../../contracts/error-code';
import type { DeviceFacts } from '../../platform/webgpu';
import { isOutOfMemory } from '../out-of-memory';

/** Refused before anything ran; the engine goes on. Any other error while it generates leaves it dead. */
const refusals = new Set([
  'ContextWindowSizeExceededError',
  'MessageOrderError',
  'SystemMessageOrderError',
  'ContentTypeError',
  'UnsupportedRoleError',
  'UserMessageContentErrorForNonVLM',
  'InvalidResponseFormatError',
  'InvalidResponseFormatGrammarError',
  'InvalidResponseFormatStructuralTagError',
  'GrammarMatcherInitError',
  'SeedTypeError',
  'UnsupportedFieldsError',
  'InvalidStreamOptionsError',
  'MinValueError',
  'NonNegativeError',
  'DependencyError',
]);

export function isRefusal(error: unknown): boolean {
  return error instanceof Error && (refusals.has(error.name) || refusals.has(error.constructor.name));
}

export function generateFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const detail = said(error);
  if (/ContextWindowSizeExceeded/.test(detail)) return new AppError('message-too-long', detail);
  if (isOutOfMemory(detail)) return new AppError('out-of-memory', detail, { cause: error });
  // Errors after a lost device: disposed arrays and modules, a deleted tokenizer, no model at all.
  const isLost =
    /device (?:was |is )?lost|DeviceLost|mapAsync|already been disposed|deleted object|already deleted|ModelNotLoaded/i.test(
      detail,
    );
  return new AppError(isLost ? 'gpu-lost' : 'engine-crashed', detail, { cause: error });
}

/** By the first that fits; a bare string is what a load that was broken off rejects with. */
const loadCodes: readonly (readonly [RegExp, ErrorCode])[] = [
  [/unload\(\) is called|AbortError/, 'load-cancelled'],
  [/compatible GPU|WebGPUNotAvailable|WebGPUNotFound|navigator\.gpu/i, 'gpu-missing'],
  [
    /shader-f16|ShaderF16|FeatureSupport|maxComputeWorkgroupStorageSize|maxStorageBuffer|requiredLimits/i,
    'gpu-unfit',
  ],
  // Lost while it loads, it was too large: web-llm's own words for it say so.
  [/DeviceLost|device (?:was |is )?lost/i, 'out-of-memory'],
  [/LinkError|CompileError|WebAssembly|wasm|import object/i, 'library-unusable'],
  [/IntegrityError|JSON|Tokenizer|tensor|param/i, 'model-damaged'],
  [/Failed to (?:execute 'add'|fetch)|Cannot fetch|NetworkError|Content Security/i, 'model-not-downloaded'],
];

/** A record's own flag for 16-bit numbers is unreliable: its id says what it was compiled for. */
export function loadFailure(error: unknown, modelId: string, gpu: DeviceFacts['gpu']): AppError {
  if (error instanceof AppError) return error;
  const detail = said(error);
  if (isOutOfMemory(detail)) return new AppError('out-of-memory', detail, { cause: error });
  const code = loadCodes.find(([pattern]) => pattern.test(detail))?.[1];
  const lacking =
    typeof gpu !== 'object'
      ? 'gpu-missing'
      : !gpu.hasF16 && /q\d+f16/.test(modelId)
        ? 'gpu-unfit'
        : undefined;
  return new AppError(code ?? lacking ?? 'engine-crashed', detail, { cause: error });
}

/** Its class says more than its message. */
function said(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : writeError(error);
}

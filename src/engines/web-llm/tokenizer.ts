/** The tokenizer of a loaded model. WebLLM has no call for it, so it is looked for inside: hence the exact version. */

interface Tokenizer {
  encode(text: string): { length: number };
}

/** Undefined where it is not found: a newer web-llm may keep it elsewhere. */
export function findTokenizer(backend: object, modelId: string): ((text: string) => number) | undefined {
  const pipelines: unknown =
    'loadedModelIdToPipeline' in backend ? backend.loadedModelIdToPipeline : undefined;
  const pipeline: unknown = pipelines instanceof Map ? pipelines.get(modelId) : undefined;
  if (typeof pipeline !== 'object' || pipeline === null || !('tokenizer' in pipeline)) return undefined;
  const { tokenizer } = pipeline;
  return isTokenizer(tokenizer) ? (text) => tokenizer.encode(text).length : undefined;
}

function isTokenizer(value: unknown): value is Tokenizer {
  return (
    typeof value === 'object' && value !== null && 'encode' in value && typeof value.encode === 'function'
  );
}

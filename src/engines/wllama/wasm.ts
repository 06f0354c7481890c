/** Where the program of wllama 3 lies: not with what every visitor keeps, but with the models that need it. */
import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';

export const wllamaWasm = new URL(wasmUrl, import.meta.url).href;

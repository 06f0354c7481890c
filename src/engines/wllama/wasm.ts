/** The program of wllama 3. It is stored with the models that need it, not by every visitor. */
import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';

export const wllamaWasm = new URL(wasmUrl, import.meta.url).href;

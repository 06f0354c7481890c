/** A WebAssembly module whose only function uses `i16x8.relaxed_dot_i8x16_i7x16_s`. */
const relaxedSimdModule = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15],
  ...[65, 2, 253, 15, 253, 146, 2, 11],
);

/** Whether the browser supports WebAssembly's relaxed SIMD, which doubles the speed of models. */
export function hasRelaxedSimd(): boolean {
  return WebAssembly.validate(relaxedSimdModule);
}

/** True if threads can share memory. WebKitGTK has no `SharedArrayBuffer`, even on an isolated page. */
export function hasSharedMemory(): boolean {
  return globalThis.crossOriginIsolated && typeof SharedArrayBuffer !== 'undefined';
}

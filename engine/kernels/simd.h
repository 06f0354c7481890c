// The small vocabulary that the matrix kernels are written in: v128 helpers for WebAssembly SIMD, with or without
// the relaxed instructions.
#pragma once

#include <stdint.h>
#include <wasm_simd128.h>

#define WASM_INLINE_MEMBER inline __attribute__((always_inline))
#define WASM_INLINE static inline __attribute__((always_inline))
#define WASM_UNROLL _Pragma("clang loop unroll(full)")

namespace ggml_wasm {

// Returns a constant as a value that no compiler can see through. LLVM and Binaryen repeat a v128.const at every use,
// and V8 then builds it from two 64-bit immediates inside the loop: three instructions instead of none. A volatile
// round trip through the stack survives every optimisation level. Call it before a loop, never inside.
WASM_INLINE v128_t in_register(v128_t constant) {
    volatile v128_t slot = constant;
    return slot;
}

// Stops LLVM from regrouping the sums around `value`. It would otherwise collect all loads of an unrolled loop at the
// top, and V8 would spill most of them: it has 15 vector registers.
WASM_INLINE void keep_order(v128_t & value) {
    __asm__ volatile("" : "+r"(value));
}

// Multiplies signed bytes by bytes in 0...127 and adds neighbours: eight 16-bit sums. The second operand must stay
// below 128, because the relaxed instruction treats its top bit differently on Intel and on ARM.
WASM_INLINE v128_t dot_bytes(v128_t signed_bytes, v128_t seven_bit_bytes) {
#ifdef __wasm_relaxed_simd__
    return wasm_i16x8_relaxed_dot_i8x16_i7x16(signed_bytes, seven_bit_bytes);
#else
    const v128_t even = wasm_i16x8_mul(wasm_i16x8_shr(wasm_i16x8_shl(signed_bytes, 8), 8),
                                       wasm_v128_and(seven_bit_bytes, wasm_i16x8_const_splat(0xFF)));
    const v128_t odd  = wasm_i16x8_mul(wasm_i16x8_shr(signed_bytes, 8), wasm_u16x8_shr(seven_bit_bytes, 8));
    return wasm_i16x8_add(even, odd);
#endif
}

// Looks up 16 bytes in a table of 16. The indices must be in 0...15.
WASM_INLINE v128_t look_up(v128_t table, v128_t indices) {
#ifdef __wasm_relaxed_simd__
    return wasm_i8x16_relaxed_swizzle(table, indices);
#else
    return wasm_i8x16_swizzle(table, indices);
#endif
}

// Repeats one 32-bit lane four times.
template <int lane> WASM_INLINE v128_t splat_lane(v128_t v) {
    return wasm_i32x4_shuffle(v, v, lane, lane, lane, lane);
}

WASM_INLINE v128_t splat_lane(v128_t v, const int lane) {
    switch (lane) {
        case 0:  return splat_lane<0>(v);
        case 1:  return splat_lane<1>(v);
        case 2:  return splat_lane<2>(v);
        default: return splat_lane<3>(v);
    }
}

// Repeats each of the lower or upper four 16-bit lanes twice: a b c d -> a a b b c c d d.
WASM_INLINE v128_t repeat_low_i16(v128_t v)  { return wasm_i16x8_shuffle(v, v, 0, 8, 1, 9, 2, 10, 3, 11); }
WASM_INLINE v128_t repeat_high_i16(v128_t v) { return wasm_i16x8_shuffle(v, v, 4, 12, 5, 13, 6, 14, 7, 15); }

// Transposes a 4x4 matrix of 32-bit lanes.
WASM_INLINE void transpose(const v128_t rows[4], v128_t columns[4]) {
    const v128_t low01  = wasm_i32x4_shuffle(rows[0], rows[1], 0, 4, 1, 5);
    const v128_t low23  = wasm_i32x4_shuffle(rows[2], rows[3], 0, 4, 1, 5);
    const v128_t high01 = wasm_i32x4_shuffle(rows[0], rows[1], 2, 6, 3, 7);
    const v128_t high23 = wasm_i32x4_shuffle(rows[2], rows[3], 2, 6, 3, 7);
    columns[0] = wasm_i64x2_shuffle(low01, low23, 0, 2);
    columns[1] = wasm_i64x2_shuffle(low01, low23, 1, 3);
    columns[2] = wasm_i64x2_shuffle(high01, high23, 0, 2);
    columns[3] = wasm_i64x2_shuffle(high01, high23, 1, 3);
}

// Returns sum + a * b, rounded once where the machine can.
WASM_INLINE v128_t multiply_add(v128_t sum, v128_t a, v128_t b) {
#ifdef __wasm_relaxed_simd__
    return wasm_f32x4_relaxed_madd(a, b, sum);
#else
    return wasm_f32x4_add(sum, wasm_f32x4_mul(a, b));
#endif
}

// Converts four finite halves, sign-extended to 32 bits, to floats times 2^-112. The caller multiplies by HALF_SCALE,
// often folded into another factor. This is exact for denormal halves too, but Intel processors then take a slow path
// of some 150 cycles: use it where denormals are rare, and half_converter elsewhere.
static constexpr float HALF_SCALE = 0x1.0p+112f;
WASM_INLINE v128_t half_mask() { return wasm_i32x4_const_splat((int32_t) 0x8FFFE000); }
WASM_INLINE v128_t scaled_floats_from_halves(v128_t halves, v128_t half_mask_in_register) {
    return wasm_v128_and(wasm_i32x4_shl(halves, 13), half_mask_in_register);
}

// Converts four halves, sign-extended to 32 bits, without arithmetic on denormals. Infinities and NaN become finite:
// this is for the scales of weights. Create one before a loop: it keeps its constants in registers.
struct half_converter {
    v128_t magnitude_mask = in_register(wasm_i32x4_const_splat(0x7FFF));
    v128_t rebias         = in_register(wasm_i32x4_const_splat(112 << 23));
    v128_t last_denormal  = in_register(wasm_i32x4_const_splat(0x3FF));
    v128_t denormal_unit  = in_register(wasm_f32x4_const_splat(0x1.0p-24f));

    WASM_INLINE_MEMBER v128_t floats(v128_t halves) const {
        const v128_t magnitude = wasm_v128_and(halves, magnitude_mask);
        const v128_t sign      = wasm_i32x4_shl(wasm_u32x4_shr(halves, 31), 31);
        const v128_t normal    = wasm_i32x4_add(wasm_i32x4_shl(magnitude, 13), rebias);
        const v128_t denormal  = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(magnitude), denormal_unit);
        return wasm_v128_or(sign, wasm_v128_bitselect(normal, denormal, wasm_i32x4_gt(magnitude, last_denormal)));
    }
};

// Loads the first `count` (1...4) lanes.
WASM_INLINE v128_t load_floats(const float * in, int count) {
    if (count >= 4) { return wasm_v128_load(in); }
    return wasm_f32x4_make(in[0], count > 1 ? in[1] : 0, count > 2 ? in[2] : 0, 0);
}

// Stores the first `count` (1...4) lanes.
WASM_INLINE void store_floats(float * out, v128_t v, int count) {
    if (count >= 4) {
        wasm_v128_store(out, v);
        return;
    }
    out[0] = wasm_f32x4_extract_lane(v, 0);
    if (count > 1) { out[1] = wasm_f32x4_extract_lane(v, 1); }
    if (count > 2) { out[2] = wasm_f32x4_extract_lane(v, 2); }
}

}  // namespace ggml_wasm

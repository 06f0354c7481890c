// One column of the right-hand matrix, rounded to bytes. ggml's own blocks (q8_0, q8_1, q8_K) hold the same numbers;
// these blocks add the sums that the kernels need, so that they are computed once per column and not once per row.
#pragma once

#include "bits.h"

#define GGML_COMMON_DECL_C
#include "ggml-common.h"
#include "ggml-impl.h"

#include <math.h>

namespace ggml_wasm {

// There are two shapes. With several columns, unpacked weights meet one column after the other, and the blocks below
// are compact. With a single column, the kernel is bound by the number of vector operations per weight; the "wide"
// blocks hold every four bytes (and every other number) already repeated four times, so that a plain load replaces a
// load and a shuffle. Without relaxed SIMD they hold factors for packed weights instead, repeated likewise: see
// write_factors().

// 32 values, for the formats with one scale per 32 weights.
struct column_block_32 {
    int8_t  quants[32];
    // The next four fields are read as one vector.
    float   scale;         // q8_0's d, rounded to F16 as the reference does
    int32_t pair_offset;   // formats with a zero point: see pair_sums()
    union {
        float   scaled_sum;  // scale times the sum of the quants
        int32_t zero_sum;    // signed formats: 128 times the sum of the quants
    };
    int32_t unused;
};

template <int width> struct wide_block_32 {
    // Signed formats: their magnitudes; without relaxed SIMD, four 16-bit quants, twice.
    v128_t quants[wide_vectors<width>()];
    v128_t signs[2];       // signed formats only: 0 or -1, not repeated
    v128_t half_scale;     // scale times HALF_SCALE: see scaled_floats_from_halves()
    v128_t correction;     // formats with a zero point: pair_offset. Signed formats: the sum of the magnitudes of all
                           // negative quants
    v128_t scaled_sum;     // times HALF_SCALE too
};

// 256 values, for the K formats.
struct column_block_256 {
    int8_t  quants[256];
    int32_t pair_offsets[16];  // per 16 values, for Q6_K: see pair_sums()
    int16_t sums[8];           // per 32 values
    float   scale;             // q8_K's d
    int32_t unused[3];
};

template <int width> struct wide_block_256 {
    v128_t quants[8 * wide_vectors<width>()];
    v128_t pair_offsets[16];
    v128_t sums[4];            // pairs of 16-bit sums
    v128_t scale;
};

// dot_bytes() adds neighbours, so each 32-bit lane of a running sum holds two 16-bit halves: one has seen the bytes
// 0, 1, 4, 5, 8, 9 ... of a column, the other 2, 3, 6, 7, 10, 11 ... . Weights are stored with a zero point (8 for
// Q4_0, 16 for Q5_0, 32 for Q6_K). To subtract it we need the column's sums in the same two halves. All of this may
// wrap around at 16 bits: the true difference fits, so the result is exact.
WASM_INLINE int32_t pair_sums(const int8_t * quants, int count, int zero_point) {
    int low = 0, high = 0;
    for (int i = 0; i < count; i += 4) {
        low  += quants[i] + quants[i + 1];
        high += quants[i + 2] + quants[i + 3];
    }
    return (int32_t) (((uint32_t) (low * zero_point) & 0xFFFF) | ((uint32_t) (high * zero_point) << 16));
}

WASM_INLINE float largest_lane(v128_t v) {
    v = wasm_f32x4_pmax(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
    v = wasm_f32x4_pmax(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2));
    return wasm_f32x4_extract_lane(v, 0);
}

WASM_INLINE int32_t sum_lanes(v128_t v) {
    v = wasm_i32x4_add(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
    v = wasm_i32x4_add(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2));
    return wasm_i32x4_extract_lane(v, 0);
}

WASM_INLINE v128_t sum_bytes_to_i32(v128_t bytes) {
    return wasm_i32x4_extadd_pairwise_i16x8(wasm_i16x8_extadd_pairwise_i8x16(bytes));
}

// Rounds 16 floats to bytes; ties go to even.
WASM_INLINE v128_t round_to_bytes(const float * x, v128_t factor) {
    v128_t i32[4];
    WASM_UNROLL
    for (int j = 0; j < 4; ++j) {
        i32[j] = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(x + 4 * j), factor)));
    }
    return wasm_i8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(i32[0], i32[1]), wasm_i16x8_narrow_i32x4(i32[2], i32[3]));
}

// Repeats every lane of a vector four times.
WASM_INLINE void widen(v128_t v, v128_t out[4]) {
    out[0] = splat_lane<0>(v);
    out[1] = splat_lane<1>(v);
    out[2] = splat_lane<2>(v);
    out[3] = splat_lane<3>(v);
}

// Writes the factors that dot_packed() multiplies one group of packed weights by. That function shifts the 16-bit lanes of
// a packed vector down to the start of each field (see bit_field), but does not clear the fields above. If field i has the
// value f[i] and starts at bit s[i], the shifted lane is u[i] = f[i] + 2^(s[i+1] - s[i]) * u[i+1]. So the sum of all
// f[i] * q[i] is the sum of all u[i] * (q[i] - 2^(s[i] - s[i-1]) * q[i-1]). The brackets are the factors. They and the
// products may wrap around at 16 bits: only the last sum has to fit.
template <int width> static void write_factors(const int8_t * group, v128_t * out) {
    v128_t quants[16];  // by weight
    for (int half = 0; half < 2; ++half) {
        const v128_t bytes = wasm_v128_load(group + 16 * half);
        v128_t even[4], odd[4];
        widen(wasm_i16x8_shr(wasm_i16x8_shl(bytes, 8), 8), even);
        widen(wasm_i16x8_shr(bytes, 8), odd);
        for (int k = 0; k < 4; ++k) {
            quants[8 * half + 2 * k]     = even[k];
            quants[8 * half + 2 * k + 1] = odd[k];
        }
    }
    for (const auto & fields : bits<width>::fields) {
        v128_t below = wasm_i16x8_const_splat(0);
        int    start = 0;
        for (const bit_field & field : fields) {
            if (!field.length) { continue; }
            const v128_t quant = wasm_i16x8_shl(quants[field.weight], field.place);
            *out++ = wasm_i16x8_sub(quant, wasm_i16x8_shl(below, field.start - start));
            below = quant;
            start = field.start;
        }
    }
}

// Quantises one block of 32 as quantize_row_q8_0 does on x86. Only ties differ from quantize_row_q8_0_ref, which rounds
// them away from zero. With even ties a model agrees better with native llama.cpp (NOTES.md). `zero_point` is the
// format's.
static void quantize_block_32(const float * x, column_block_32 * y, int zero_point, bool is_signed) {
    v128_t largest = wasm_f32x4_abs(wasm_v128_load(x));
    for (int j = 4; j < 32; j += 4) {
        largest = wasm_f32x4_pmax(largest, wasm_f32x4_abs(wasm_v128_load(x + j)));
    }
    const float d      = largest_lane(largest) / 127.0f;
    // A scale too small for its inverse rounds to zero as F16 anyway, so the whole block is zero.
    const float factor = d > 0x1.0p-126f ? 1.0f / d : 0.0f;

    const v128_t low  = round_to_bytes(x, wasm_f32x4_splat(factor));
    const v128_t high = round_to_bytes(x + 16, wasm_f32x4_splat(factor));
    wasm_v128_store(y->quants, low);
    wasm_v128_store(y->quants + 16, high);

    const int32_t sum = sum_lanes(wasm_i32x4_add(sum_bytes_to_i32(low), sum_bytes_to_i32(high)));
    y->scale       = GGML_FP16_TO_FP32(GGML_FP32_TO_FP16(d));
    y->pair_offset = 0;
    y->unused      = 0;
    if (is_signed) {
        y->zero_sum = 128 * sum;
    } else {
        y->scaled_sum = y->scale * (float) sum;  // q8_1 rounds this product to F16; we keep it exact.
        if (zero_point) { y->pair_offset = pair_sums(y->quants, 32, zero_point); }
    }
}

template <int width> static void widen_block_32(const column_block_32 * y, wide_block_32<width> * wide, bool is_signed) {
    const v128_t low = wasm_v128_load(y->quants), high = wasm_v128_load(y->quants + 16);
    wide->half_scale = wasm_f32x4_splat(y->scale * HALF_SCALE);
    if (!is_signed) {
        if constexpr (width == 8) {
            widen(low, wide->quants);
            widen(high, wide->quants + 4);
        } else {
            write_factors<width>(y->quants, wide->quants);
        }
        wide->correction = wasm_i32x4_splat(y->pair_offset);
        wide->scaled_sum = wasm_f32x4_splat(y->scaled_sum * HALF_SCALE);
        return;
    }
#ifdef __wasm_relaxed_simd__
    const v128_t low_signs = wasm_i8x16_shr(low, 7), high_signs = wasm_i8x16_shr(high, 7);
    const v128_t low_sizes = wasm_i8x16_abs(low), high_sizes = wasm_i8x16_abs(high);
    widen(low_sizes, wide->quants);
    widen(high_sizes, wide->quants + 4);
    wide->signs[0]   = low_signs;
    wide->signs[1]   = high_signs;
    wide->correction = wasm_i32x4_splat(sum_lanes(wasm_i32x4_add(sum_bytes_to_i32(wasm_v128_and(low_sizes, low_signs)),
                                                                 sum_bytes_to_i32(wasm_v128_and(high_sizes, high_signs)))));
#else
    for (int k = 0; k < 8; ++k) {
        wide->quants[k] = wasm_i16x8_extend_low_i8x16(wasm_v128_load32_splat(y->quants + 4 * k));
    }
#endif
}

// Quantises one block of 256 as quantize_row_q8_K_ref does.
static void quantize_block_256(const float * x, column_block_256 * y, int zero_point) {
    v128_t smallest = wasm_v128_load(x), largest = smallest;
    for (int j = 4; j < QK_K; j += 4) {
        const v128_t v = wasm_v128_load(x + j);
        smallest = wasm_f32x4_pmin(smallest, v);
        largest  = wasm_f32x4_pmax(largest, v);
    }
    const float max = largest_lane(largest), min = -largest_lane(wasm_f32x4_neg(smallest));
    // The reference divides by the value of largest magnitude, with its sign; the first one wins a tie.
    float extreme = -min > max ? min : max;
    if (-min == max) {
        for (int j = 0; j < QK_K; ++j) {
            if (x[j] == min || x[j] == max) { extreme = x[j]; break; }
        }
    }
    const bool  is_zero = !(fabsf(extreme) > 0x1.0p-119f);  // The inverse of anything smaller overflows.
    const float factor  = is_zero ? 0.0f : -127.0f / extreme;
    y->scale = is_zero ? 0.0f : 1.0f / factor;

    for (int j = 0; j < QK_K; j += 32) {
        const v128_t low  = round_to_bytes(x + j, wasm_f32x4_splat(factor));
        const v128_t high = round_to_bytes(x + j + 16, wasm_f32x4_splat(factor));
        wasm_v128_store(y->quants + j, low);
        wasm_v128_store(y->quants + j + 16, high);
        y->sums[j / 32] = (int16_t) sum_lanes(wasm_i32x4_add(sum_bytes_to_i32(low), sum_bytes_to_i32(high)));
    }
    for (int j = 0; zero_point && j < 16; ++j) {
        y->pair_offsets[j] = pair_sums(y->quants + 16 * j, 16, zero_point);
    }
}

template <int width>
static void widen_block_256(const column_block_256 * y, wide_block_256<width> * wide, bool has_offsets) {
    if constexpr (width == 8) {
        for (int j = 0; j < 16; ++j) {
            widen(wasm_v128_load(y->quants + 16 * j), wide->quants + 4 * j);
        }
    } else {
        for (int g = 0; g < 8; ++g) {
            write_factors<width>(y->quants + 32 * g, wide->quants + wide_vectors<width>() * g);
        }
    }
    for (int j = 0; has_offsets && j < 4; ++j) {
        widen(wasm_v128_load(y->pair_offsets + 4 * j), wide->pair_offsets + 4 * j);
    }
    widen(wasm_v128_load(y->sums), wide->sums);
    wide->scale = wasm_f32x4_splat(y->scale);
}

}  // namespace ggml_wasm

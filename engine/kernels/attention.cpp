// See attention.h. Positions are handled in blocks: the keys (later the values) of a block are converted to F32 once
// and used by all query heads that share them. The upstream loop converts them once per query head and keeps its sums
// in F16, which costs more than the products themselves.
#include "attention.h"

#include "simd.h"

#include "ggml-cpu-impl.h"
#include "simd-mappings.h"
#include "vec.h"

#include <math.h>
#include <string.h>

namespace ggml_wasm {

static constexpr int BLOCK_FLOATS    = 2048;  // floats per converted block: 8 KB, so that it stays in the cache
static constexpr int MAX_POSITIONS   = 32;    // positions per block
static constexpr int MAX_HEAD_SIZE   = 512;

bool can_attend(int64_t key_size, int64_t value_size) {
    return key_size % 8 == 0 && value_size % 8 == 0 && key_size <= MAX_HEAD_SIZE && value_size <= MAX_HEAD_SIZE;
}

// Converts rows of halves to consecutive rows of floats.
static void convert_rows(const char * rows, size_t stride, int count, int size, float * out) {
    const v128_t mask  = in_register(half_mask()), factor = in_register(wasm_f32x4_const_splat(HALF_SCALE));
    const v128_t limit = in_register(wasm_f32x4_const_splat(65536.0f)), infinity = in_register(wasm_i32x4_const_splat(0x7F800000));
    for (int r = 0; r < count; ++r, rows += stride, out += size) {
        const ggml_fp16_t * halves = (const ggml_fp16_t *) rows;
        for (int i = 0; i < size; i += 8) {
            const v128_t h = wasm_v128_load(halves + i);
            const v128_t low  = wasm_f32x4_mul(scaled_floats_from_halves(wasm_i32x4_extend_low_i16x8(h), mask), factor);
            const v128_t high = wasm_f32x4_mul(scaled_floats_from_halves(wasm_i32x4_extend_high_i16x8(h), mask), factor);
            // Infinities and NaN: see __wasm_f16x4_load.
            wasm_v128_store(out + i,     wasm_v128_or(low,  wasm_v128_and(wasm_f32x4_ge(wasm_f32x4_abs(low),  limit), infinity)));
            wasm_v128_store(out + i + 4, wasm_v128_or(high, wasm_v128_and(wasm_f32x4_ge(wasm_f32x4_abs(high), limit), infinity)));
        }
    }
}

// scores[j] = query . keys[j], for a multiple of four keys.
static void dot_keys(const float * query, const float * keys, int count, int size, float * scores) {
    for (int j = 0; j < count; j += 4, keys += 4 * size) {
        v128_t sums[4] = { wasm_f32x4_const_splat(0), wasm_f32x4_const_splat(0), wasm_f32x4_const_splat(0), wasm_f32x4_const_splat(0) };
        for (int i = 0; i < size; i += 4) {
            const v128_t q = wasm_v128_load(query + i);
            WASM_UNROLL
            for (int k = 0; k < 4; ++k) { sums[k] = multiply_add(sums[k], q, wasm_v128_load(keys + k * size + i)); }
        }
        v128_t columns[4];
        transpose(sums, columns);
        wasm_v128_store(scores + j, wasm_f32x4_add(wasm_f32x4_add(columns[0], columns[1]), wasm_f32x4_add(columns[2], columns[3])));
    }
}

// out[i] += sum over j of weights[j] * values[j][i], for `width` neighbouring vectors of i.
template <int width> static void add_values(float * out, const float * weights, const float * values, int count, int size) {
    v128_t sums[width];
    WASM_UNROLL
    for (int k = 0; k < width; ++k) { sums[k] = wasm_v128_load(out + 4 * k); }
    for (int j = 0; j < count; ++j, values += size) {
        const v128_t w = wasm_f32x4_splat(weights[j]);
        WASM_UNROLL
        for (int k = 0; k < width; ++k) { sums[k] = multiply_add(sums[k], w, wasm_v128_load(values + 4 * k)); }
    }
    WASM_UNROLL
    for (int k = 0; k < width; ++k) { wasm_v128_store(out + 4 * k, sums[k]); }
}

static void scale_floats(float * x, int size, float factor) {
    for (int i = 0; i < size; i += 4) { wasm_v128_store(x + i, wasm_f32x4_mul(wasm_v128_load(x + i), wasm_f32x4_splat(factor))); }
}

// Turns the scores of one query into weights, and rescales what was summed before if the maximum grew.
static bool scores_to_weights(shared_attention & work, int q, float * scores, int64_t position, int count, int padded) {
    float largest = -INFINITY;
    for (int j = 0; j < count; ++j) {
        float s = scores[j] * work.scale;
        if (work.softcap != 0.0f) { s = work.softcap * tanhf(s / work.softcap); }
        if (work.masks[q]) { s += work.slopes[q] * GGML_CPU_FP16_TO_FP32(work.masks[q][position + j]); }
        scores[j] = s;
        largest   = s > largest ? s : largest;
    }
    for (int j = count; j < padded; ++j) { scores[j] = -INFINITY; }
    if (largest == -INFINITY) { return false; }

    if (largest > work.maxima[q]) {
        const float shrink = expf(work.maxima[q] - largest);
        scale_floats(work.outputs[q], work.value_size, shrink);
        work.sums[q] *= shrink;
        work.maxima[q] = largest;
    }
    v128_t sum = wasm_f32x4_const_splat(0);
    for (int j = 0; j < padded; j += 4) {
        const v128_t w = ggml_v_expf(wasm_f32x4_sub(wasm_v128_load(scores + j), wasm_f32x4_splat(work.maxima[q])));
        wasm_v128_store(scores + j, w);
        sum = wasm_f32x4_add(sum, w);
    }
    work.sums[q] += wasm_f32x4_extract_lane(sum, 0) + wasm_f32x4_extract_lane(sum, 1) +
                    wasm_f32x4_extract_lane(sum, 2) + wasm_f32x4_extract_lane(sum, 3);
    return true;
}

// A block that no query may see is skipped without reading it. The cache is padded, so this is common.
static bool is_masked(const shared_attention & work, int64_t position, int count) {
    for (int q = 0; q < work.count; ++q) {
        if (!work.masks[q]) { return false; }
        for (int j = 0; j < count; ++j) {
            if (work.masks[q][position + j] != 0xFC00) { return false; }  // minus infinity
        }
    }
    return true;
}

void attend(shared_attention & work, int64_t first, int64_t last) {
    const int largest_size = work.key_size > work.value_size ? work.key_size : work.value_size;
    const int block        = largest_size * MAX_POSITIONS <= BLOCK_FLOATS ? MAX_POSITIONS : BLOCK_FLOATS / largest_size / 4 * 4;
    float floats[BLOCK_FLOATS];
    float scores[shared_attention::max_queries][MAX_POSITIONS];
    bool  is_seen[shared_attention::max_queries];

    for (int q = 0; q < work.count; ++q) {
        memset(work.outputs[q], 0, work.value_size * sizeof(float));
        work.maxima[q] = -INFINITY;
        work.sums[q]   = 0;
    }
    for (int64_t position = first; position < last; position += block) {
        const int count = (int) (last - position < block ? last - position : block), padded = (count + 3) / 4 * 4;
        if (is_masked(work, position, count)) { continue; }

        convert_rows(work.keys + position * work.key_stride, work.key_stride, count, work.key_size, floats);
        memset(floats + count * work.key_size, 0, (padded - count) * work.key_size * sizeof(float));
        for (int q = 0; q < work.count; ++q) {
            dot_keys(work.queries[q], floats, padded, work.key_size, scores[q]);
            is_seen[q] = scores_to_weights(work, q, scores[q], position, count, padded);
        }
        convert_rows(work.values + position * work.value_stride, work.value_stride, count, work.value_size, floats);
        for (int q = 0; q < work.count; ++q) {
            if (!is_seen[q]) { continue; }
            int i = 0;
            for (; i + 32 <= work.value_size; i += 32) { add_values<8>(work.outputs[q] + i, scores[q], floats + i, count, work.value_size); }
            for (; i < work.value_size; i += 8) { add_values<2>(work.outputs[q] + i, scores[q], floats + i, count, work.value_size); }
        }
    }
}

}  // namespace ggml_wasm

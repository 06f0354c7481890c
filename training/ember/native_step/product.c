/* Products of matrices with their numbers rounded to bf16 and summed in fp32, for processors that have an instruction for it
 * (AVX512_BF16): twice as many a cycle as in fp32.
 *
 * Two numbers that follow each other along the summed side are one 32-bit pair. Of `a` a pair is broadcast to all lanes; of
 * `b` sixteen columns' pairs are one register. So `b` is packed [pairs, columns]; `a` is read with any two strides, and
 * packed in whichever order its rows allow without a transposition.
 */

#include <string.h>

#include "step.h"

#ifndef __AVX512BF16__

int ember_has_bf16(void) { return 0; }
void multiply_bf16(int flip_a, int flip_b, int m, int n, int k, float by, const float *a, int lda, const float *b, int ldb,
                   float keep, float *c, int ldc) {
    (void)flip_a, (void)flip_b, (void)m, (void)n, (void)k, (void)by, (void)a, (void)lda, (void)b, (void)ldb, (void)keep, (void)c,
        (void)ldc;
}

#else

#include <immintrin.h>
#include <stdint.h>

/* Blocks of rows, columns and the summed side: `b`'s strip of 32 columns stays in the first cache, all else in the second. */
enum { ROWS = 12, COLUMNS = 32, BLOCK_M = 516, BLOCK_N = 1024, BLOCK_K = 256, LANES = 16 };

int ember_has_bf16(void) { return 1; }

static inline __m512i pairs(__m512 low, __m512 high) {
    /* `low` holds the first number of sixteen pairs, `high` the second. */
    __m512i first = _mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(low));
    __m512i second = _mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(high));
    return _mm512_or_si512(first, _mm512_slli_epi32(second, 16));
}

static inline __mmask16 first_lanes(int count) { return count >= LANES ? 0xffff : (__mmask16)((1u << count) - 1); }

/* [k, count] with rows `ld` apart becomes pairs [k / 2, stride]. What is short of a pair or of `stride` is 0. */
static void pack_across(const float *x, int ld, int k, int count, int stride, uint32_t *to) {
    for (int at = 0; at < k; at += 2, to += stride) {
        const float *low = x + (size_t)at * ld, *high = low + ld;
        for (int i = 0; i < stride; i += LANES) {
            __mmask16 mask = first_lanes(count > i ? count - i : 0);
            __m512 second = at + 1 < k ? _mm512_maskz_loadu_ps(mask, high + i) : _mm512_setzero_ps();
            _mm512_storeu_si512(to + i, pairs(_mm512_maskz_loadu_ps(mask, low + i), second));
        }
    }
}

/* One row of `k` numbers becomes its pairs, one behind another. */
static inline void pack_row(const float *x, int k, uint32_t *to) {
    for (int at = 0; at < k; at += 2 * LANES) {
        __m512 low = _mm512_maskz_loadu_ps(first_lanes(k - at), x + at);
        __m512 high = _mm512_maskz_loadu_ps(first_lanes(k - at > LANES ? k - at - LANES : 0), x + at + LANES);
        _mm512_storeu_si512(to + at / 2, (__m512i)_mm512_cvtne2ps_pbh(high, low));
    }
}

/* [count, k] with rows `ld` apart becomes pairs [k / 2, stride], turned over in squares of 16. */
static void pack_along(const float *x, int ld, int k, int count, int stride, uint32_t *to) {
    _Alignas(64) uint32_t square[LANES][LANES];
    int half = (k + 1) / 2;
    for (int i = 0; i < stride; i += LANES)
        for (int at = 0; at < half; at += LANES) {
            int wide = half - at < LANES ? half - at : LANES;
            for (int row = 0; row < LANES; row++) {
                if (i + row < count) {
                    int left = k - 2 * at < 2 * LANES ? k - 2 * at : 2 * LANES;
                    pack_row(x + (size_t)(i + row) * ld + 2 * at, left, square[row]);
                } else {
                    memset(square[row], 0, sizeof square[row]);
                }
            }
            for (int pair = 0; pair < wide; pair++) {
                uint32_t *out = to + (size_t)(at + pair) * stride + i;
                for (int row = 0; row < LANES; row++) out[row] = square[row][pair];
            }
        }
}

/* Some rows by 32 columns. Pair p of row r of `a` is at a[r * row_step + p * pair_step]. */
static inline __attribute__((always_inline)) void tile(int rows, int half, const uint32_t *a, int row_step, int pair_step,
                                                       const uint32_t *b, int stride, int columns, float by, float keep, float *c,
                                                       int ldc) {
    __m512 sum[ROWS][2];
#pragma GCC unroll 12
    for (int row = 0; row < rows; row++) sum[row][0] = sum[row][1] = _mm512_setzero_ps();
    for (int pair = 0; pair < half; pair++, a += pair_step, b += stride) {
        __m512bh left = (__m512bh)_mm512_loadu_si512(b), right = (__m512bh)_mm512_loadu_si512(b + LANES);
#pragma GCC unroll 12
        for (int row = 0; row < rows; row++) {
            __m512bh one = (__m512bh)_mm512_set1_epi32((int)a[row * row_step]);
            sum[row][0] = _mm512_dpbf16_ps(sum[row][0], one, left);
            sum[row][1] = _mm512_dpbf16_ps(sum[row][1], one, right);
        }
    }
    __m512 factor = _mm512_set1_ps(by), kept = _mm512_set1_ps(keep);
    __mmask16 masks[2] = {first_lanes(columns), first_lanes(columns > LANES ? columns - LANES : 0)};
#pragma GCC unroll 12
    for (int row = 0; row < rows; row++)
        for (int side = 0; side < 2; side++) {
            float *at = c + (size_t)row * ldc + side * LANES;
            __m512 result = _mm512_mul_ps(sum[row][side], factor);
            if (keep != 0) result = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(masks[side], at), kept, result);
            _mm512_mask_storeu_ps(at, masks[side], result);
        }
}

#define TILE(count)                                                                                                                \
    case count:                                                                                                                    \
        tile(count, half, a, row_step, pair_step, b, stride, columns, by, keep, c, ldc);                                           \
        break

static void some_rows(int rows, int half, const uint32_t *a, int row_step, int pair_step, const uint32_t *b, int stride, int columns,
                      float by, float keep, float *c, int ldc) {
    switch (rows) {
        TILE(1);
        TILE(2);
        TILE(3);
        TILE(4);
        TILE(5);
        TILE(6);
        TILE(7);
        TILE(8);
        TILE(9);
        TILE(10);
        TILE(11);
        TILE(12);
    }
}

static inline int least(int one, int other) { return one < other ? one : other; }

/* Row-major c = by a b + keep c, as `cblas_sgemm` has it; a is [m, k], b is [k, n], or the other way round when flipped. */
void multiply_bf16(int flip_a, int flip_b, int m, int n, int k, float by, const float *a, int lda, const float *b, int ldb,
                   float keep, float *c, int ldc) {
    /* One for each thread, kept for its life: the stack is too small. */
    static _Thread_local _Alignas(64) uint32_t packed_a[(BLOCK_M + LANES) * BLOCK_K / 2];
    static _Thread_local _Alignas(64) uint32_t packed_b[BLOCK_N * BLOCK_K / 2];
    for (int from_k = 0; from_k < k; from_k += BLOCK_K) {
        int deep = least(k - from_k, BLOCK_K), half = (deep + 1) / 2;
        float hold = from_k ? 1 : keep;
        for (int from_n = 0; from_n < n; from_n += BLOCK_N) {
            int wide = least(n - from_n, BLOCK_N), stride = (wide + COLUMNS - 1) / COLUMNS * COLUMNS;
            if (flip_b)
                pack_along(b + (size_t)from_n * ldb + from_k, ldb, deep, wide, stride, packed_b);
            else
                pack_across(b + (size_t)from_k * ldb + from_n, ldb, deep, wide, stride, packed_b);
            for (int from_m = 0; from_m < m; from_m += BLOCK_M) {
                int high = least(m - from_m, BLOCK_M), row_step, pair_step;
                if (flip_a) {
                    row_step = 1;
                    pair_step = (high + LANES - 1) / LANES * LANES;
                    pack_across(a + (size_t)from_k * lda + from_m, lda, deep, high, pair_step, packed_a);
                } else {
                    row_step = (half + LANES - 1) / LANES * LANES;
                    pair_step = 1;
                    for (int row = 0; row < high; row++)
                        pack_row(a + (size_t)(from_m + row) * lda + from_k, deep, packed_a + (size_t)row * row_step);
                }
                for (int column = 0; column < wide; column += COLUMNS)
                    for (int row = 0; row < high; row += ROWS)
                        some_rows(least(high - row, ROWS), half, packed_a + (size_t)row * row_step, row_step, pair_step,
                                  packed_b + column, stride, least(wide - column, COLUMNS), by, hold,
                                  c + (size_t)(from_m + row) * ldc + from_n + column, ldc);
            }
        }
    }
}

#endif

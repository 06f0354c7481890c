// The two matrix kernels. one_column<format>::multiply() reads the packed weights once, in order, and unpacks them in
// registers: writing text is bound by that stream. multiply_columns() unpacks 8 rows x 256 weights once and uses them
// for up to 32 columns: reading a prompt is bound by the multiplications.
#pragma once

#include "formats.h"

namespace ggml_wasm {

static constexpr int MAX_COLUMNS = 32;  // columns per call of multiply_columns()
static constexpr int MAX_ROWS    = 32;  // rows per call of multiply_columns()

// ---- One column
//
// Each kernel handles one panel (see block_places): `packed` is its first block for the first four rows, `blocks` its
// width. `is_first` says whether to set or to increase `out`.

#ifdef __wasm_relaxed_simd__
// Adds the products of four word vectors and four repeated lanes of the column, at 16 bits.
WASM_INLINE v128_t dot_words(const v128_t * column, const v128_t words[4]) {
    v128_t sum = dot_bytes(wasm_v128_load(column), words[0]);
    WASM_UNROLL
    for (int k = 1; k < 4; ++k) {
        sum = wasm_i16x8_add(sum, dot_bytes(wasm_v128_load(column + k), words[k]));
    }
    return sum;
}
#else
// Adds the products of `count` packed vectors of a group and the factors of a wide column, at 16 bits. Shifting 16-bit
// lanes and multiplying them takes half the operations of unpacking bytes and imitating dot_bytes(); write_factors()
// says why nothing is masked. i32x4.dot_i16x8 would do as well on x86, but takes three operations on ARM.
template <int n, int first, int count> WASM_INLINE v128_t dot_packed(const uint8_t * group, const v128_t * factors) {
    v128_t sum = wasm_i16x8_const_splat(0);
    WASM_UNROLL
    for (int j = first; j < first + count; ++j) {
        const v128_t v = wasm_v128_load(group + 16 * j);
        WASM_UNROLL
        for (int k = 0; k < MAX_FIELDS; k += 2) {
            v128_t two = wasm_i16x8_const_splat(0);  // One long chain of additions would be slower.
            WASM_UNROLL
            for (int i = k; i < k + 2; ++i) {
                const bit_field field = bits<n>::fields[j][i];
                if (!field.length) { continue; }
                two = wasm_i16x8_add(two, wasm_i16x8_mul(wasm_u16x8_shr(v, field.start), wasm_v128_load(factors++)));
            }
            keep_order(two);
            sum = wasm_i16x8_add(sum, two);
        }
        keep_order(sum);
    }
    return sum;
}
#endif

// Adds the products of half a group and its part of a wide column, at 16 bits.
template <int half, int n> WASM_INLINE v128_t dot_half(const bits<n> & unpack, const uint8_t * group, const v128_t * column) {
#ifdef __wasm_relaxed_simd__
    v128_t words[4];
    unpack.template load<half>(group, words);
    return dot_words(column + 4 * half, words);
#else
    (void) unpack;
    constexpr int vectors = n / 2;  // n is even: the weights of half a group lie in half of its vectors.
    return dot_packed<n, vectors * half, vectors>(group, column + wide_vectors<n>() / 2 * half);
#endif
}

// The same for a whole group.
template <int n> WASM_INLINE v128_t dot_group(const bits<n> & unpack, const uint8_t * group, const v128_t * column) {
#ifdef __wasm_relaxed_simd__
    v128_t pairs = dot_half<0>(unpack, group, column);
    keep_order(pairs);
    return wasm_i16x8_add(pairs, dot_half<1>(unpack, group, column));
#else
    (void) unpack;
    return dot_packed<n, 0, n>(group, column);
#endif
}

template <class format> struct one_column_32 {
    static void __attribute__((noinline)) multiply(const uint8_t * packed, int rows, int blocks, const typename format::wide * column,
                                                   float * out, bool is_first) {
        const bits<format::width> unpack;
        const v128_t ones = in_register(wasm_i16x8_const_splat(1));
        const v128_t mask = in_register(half_mask());

        for (int row = 0; row < rows; row += 4) {
            v128_t sum = is_first ? wasm_f32x4_const_splat(0) : load_floats(out + row, rows - row), min_sum = wasm_f32x4_const_splat(0);
            const typename format::wide * y = column;
            for (int i = 0; i < blocks; ++i, ++y, packed += packed_block_size<format>()) {
                const v128_t d = scaled_floats_from_halves(wasm_i32x4_load16x4(packed), mask);
                v128_t pairs = dot_group(unpack, packed + format::header, y->quants);
                if constexpr (format::zero_point != 0) {
                    pairs = wasm_i16x8_sub(pairs, y->correction);
                }
                const v128_t product = wasm_f32x4_convert_i32x4(wasm_i32x4_dot_i16x8(pairs, ones));
                sum = multiply_add(sum, product, wasm_f32x4_mul(d, y->half_scale));
                if constexpr (format::has_min) {
                    min_sum = multiply_add(min_sum, scaled_floats_from_halves(wasm_i32x4_load16x4(packed + 8), mask), y->scaled_sum);
                }
                keep_order(sum);
            }
            store_floats(out + row, format::has_min ? wasm_f32x4_add(sum, min_sum) : sum, rows - row);
        }
    }
};

// Signed weights. The relaxed byte product wants one factor in 0...127, so take the column's magnitudes and move its
// signs to the weights: w * y = (w ^ sign) * |y| + |y| for negative y, because -w - 1 = w ^ -1. Without the relaxed
// instruction, products of 16-bit numbers are cheaper than imitating it; the wide column then holds 16-bit numbers.
template <class format> struct one_column_signed {
    static void __attribute__((noinline)) multiply(const uint8_t * packed, int rows, int blocks, const typename format::wide * column,
                                                   float * out, bool is_first) {
        const bits<format::width> unpack;
        const v128_t ones  = in_register(wasm_i16x8_const_splat(1));
        const v128_t mask  = in_register(half_mask());
        const v128_t table = in_register(format::table());

        for (int row = 0; row < rows; row += 4) {
            v128_t sum = is_first ? wasm_f32x4_const_splat(0) : load_floats(out + row, rows - row);
            const typename format::wide * y = column;
            for (int i = 0; i < blocks; ++i, ++y, packed += packed_block_size<format>()) {
                const v128_t d = scaled_floats_from_halves(wasm_i32x4_load16x4(packed), mask);
                v128_t words[4];
#ifdef __wasm_relaxed_simd__
                v128_t product = y->correction;
                unpack.template load<0>(packed + format::header, words);
                add_signed(product, words, table, y->quants, y->signs[0], ones);
                unpack.template load<1>(packed + format::header, words);
                add_signed(product, words, table, y->quants + 4, y->signs[1], ones);
#else
                v128_t rows01 = wasm_i32x4_const_splat(0), rows23 = wasm_i32x4_const_splat(0);
                unpack.template load<0>(packed + format::header, words);
                add_16_bit(rows01, rows23, words, table, y->quants);
                unpack.template load<1>(packed + format::header, words);
                add_16_bit(rows01, rows23, words, table, y->quants + 4);
                const v128_t product = wasm_i32x4_add(wasm_i32x4_shuffle(rows01, rows23, 0, 2, 4, 6), wasm_i32x4_shuffle(rows01, rows23, 1, 3, 5, 7));
#endif
                sum = multiply_add(sum, wasm_f32x4_convert_i32x4(product), wasm_f32x4_mul(d, y->half_scale));
                keep_order(sum);
            }
            store_floats(out + row, sum, rows - row);
        }
        (void) ones;
    }

    WASM_INLINE void add_signed(v128_t & product, const v128_t words[4], v128_t table, const v128_t * sizes, v128_t signs, v128_t ones) {
        WASM_UNROLL
        for (int k = 0; k < 4; ++k) {
            const v128_t w     = format::signed_bytes(words[k], table);
            const v128_t pairs = dot_bytes(wasm_v128_xor(w, splat_lane(signs, k)), wasm_v128_load(sizes + k));
            product = wasm_i32x4_add(product, wasm_i32x4_dot_i16x8(pairs, ones));
        }
        keep_order(product);
    }

    WASM_INLINE void add_16_bit(v128_t & rows01, v128_t & rows23, const v128_t words[4], v128_t table, const v128_t * quants) {
        WASM_UNROLL
        for (int k = 0; k < 4; ++k) {
            const v128_t w = format::signed_bytes(words[k], table), q = wasm_v128_load(quants + k);
            rows01 = wasm_i32x4_add(rows01, wasm_i32x4_dot_i16x8(wasm_i16x8_extend_low_i8x16(w), q));
            rows23 = wasm_i32x4_add(rows23, wasm_i32x4_dot_i16x8(wasm_i16x8_extend_high_i8x16(w), q));
        }
        keep_order(rows01);
        keep_order(rows23);
    }
};

template <class format> struct one_column_k {
    static void __attribute__((noinline)) multiply(const uint8_t * packed, int rows, int blocks, const typename format::wide * column,
                                                   float * out, bool is_first) {
        const bits<format::width> unpack;
        const half_converter      convert;
        const v128_t low6 = in_register(wasm_i8x16_const_splat(0x3F)), bits45 = in_register(wasm_i8x16_const_splat(0x30));
        const v128_t low4 = in_register(wasm_i8x16_const_splat(0x0F));

        for (int row = 0; row < rows; row += 4) {
            v128_t sum = is_first ? wasm_f32x4_const_splat(0) : load_floats(out + row, rows - row);
            const typename format::wide * y = column;
            for (int i = 0; i < blocks; ++i, ++y, packed += packed_block_size<format>()) {
                const typename format::scales scales(packed, low6, bits45, low4);
                v128_t mins = wasm_i32x4_dot_i16x8(scales.min_pair(0), y->sums[0]);
                mins = wasm_i32x4_add(mins, wasm_i32x4_dot_i16x8(scales.min_pair(1), y->sums[1]));
                mins = wasm_i32x4_add(mins, wasm_i32x4_dot_i16x8(scales.min_pair(2), y->sums[2]));
                mins = wasm_i32x4_add(mins, wasm_i32x4_dot_i16x8(scales.min_pair(3), y->sums[3]));
                keep_order(mins);

                v128_t product = wasm_i32x4_const_splat(0);
                WASM_UNROLL
                for (int g = 0; g < 8; ++g) {
                    const uint8_t * group = packed + format::header + 16 * format::width * g;
                    const v128_t    scale = scales.group(g);
                    const v128_t *  quants = y->quants + wide_vectors<wide_width<format::width>>() * g;
                    v128_t pairs;
                    if constexpr (format::middle != 0) {
                        const v128_t offset = wasm_i16x8_add(y->pair_offsets[2 * g], y->pair_offsets[2 * g + 1]);
                        pairs   = wasm_i16x8_sub(dot_group(unpack, group, quants), offset);
                        product = wasm_i32x4_add(product, wasm_i32x4_dot_i16x8(offset, scale));
                    } else if constexpr (format::addable < 8) {
                        pairs   = dot_half<0>(unpack, group, quants);
                        product = wasm_i32x4_add(product, wasm_i32x4_dot_i16x8(pairs, scale));
                        keep_order(pairs);
                        pairs   = dot_half<1>(unpack, group, quants);
                    } else {
                        pairs = dot_group(unpack, group, quants);
                    }
                    product = wasm_i32x4_add(product, wasm_i32x4_dot_i16x8(pairs, scale));
                    keep_order(product);
                }
                // d of four rows, then dmin of four rows.
                const v128_t halves = wasm_v128_load(packed);
                const v128_t d      = convert.floats(wasm_i32x4_extend_low_i16x8(halves));
                const v128_t dmin   = convert.floats(wasm_i32x4_extend_high_i16x8(halves));
                const v128_t both   = wasm_f32x4_sub(wasm_f32x4_mul(wasm_f32x4_convert_i32x4(product), d),
                                                     wasm_f32x4_mul(wasm_f32x4_convert_i32x4(mins), dmin));
                sum = multiply_add(sum, both, y->scale);
                keep_order(sum);
            }
            store_floats(out + row, sum, rows - row);
        }
    }
};

struct one_column_q6_k {
    static void __attribute__((noinline)) multiply(const uint8_t * packed, int rows, int blocks, const format_q6_k::wide * column,
                                                   float * out, bool is_first) {
        using format = format_q6_k;
        const bits<6>        unpack;
        const half_converter convert;

        for (int row = 0; row < rows; row += 4) {
            v128_t sum = is_first ? wasm_f32x4_const_splat(0) : load_floats(out + row, rows - row);
            const format::wide * y = column;
            for (int i = 0; i < blocks; ++i, ++y, packed += packed_block_size<format>()) {
                v128_t product = wasm_i32x4_const_splat(0);
                WASM_UNROLL
                for (int g = 0; g < 8; ++g) {
                    const uint8_t * group = packed + format::header + 96 * g;
                    const v128_t    four  = wasm_v128_load(packed + 8 + 16 * (g / 2));
                    const v128_t    two   = g & 1 ? wasm_i16x8_extend_high_i8x16(four) : wasm_i16x8_extend_low_i8x16(four);
                    const v128_t *  quants = y->quants + wide_vectors<wide_width<6>>() * g;
                    v128_t pairs = wasm_i16x8_sub(dot_half<0>(unpack, group, quants), y->pair_offsets[2 * g]);
                    product = wasm_i32x4_add(product, wasm_i32x4_dot_i16x8(pairs, repeat_low_i16(two)));
                    keep_order(product);
                    pairs   = wasm_i16x8_sub(dot_half<1>(unpack, group, quants), y->pair_offsets[2 * g + 1]);
                    product = wasm_i32x4_add(product, wasm_i32x4_dot_i16x8(pairs, repeat_high_i16(two)));
                    keep_order(product);
                }
                const v128_t d = convert.floats(wasm_i32x4_load16x4(packed));
                sum = multiply_add(sum, wasm_f32x4_convert_i32x4(product), wasm_f32x4_mul(d, y->scale));
                keep_order(sum);
            }
            store_floats(out + row, sum, rows - row);
        }
    }
};

// ---- Several columns

// Four rows of up to 256 weights, unpacked.
struct tile {
    v128_t words[64];   // eight per group; for signed formats the high nibbles of weight + 128
    v128_t lower[64];   // signed formats only: the low nibbles
    v128_t scales[16];  // K formats: 16-bit pairs, per group (Q6_K: per half group). Others: floats, per group
    v128_t mins[8];     // K formats: 16-bit pairs, per two groups. Q4_1: floats, per group
    v128_t d, dmin;     // K formats
};

template <class format> static void __attribute__((noinline)) unpack_tile(const uint8_t * packed, int groups, tile & t) {
    const bits<format::width> unpack;
    const half_converter      convert;
    const v128_t low4 = in_register(wasm_i8x16_const_splat(0x0F));
    v128_t table = low4;
    if constexpr (format::is_signed) { table = in_register(format::table()); }

    if constexpr (format::weights == 256) {
        t.d = convert.floats(wasm_i32x4_load16x4(packed));
        if constexpr (format::has_min) {
            t.dmin = convert.floats(wasm_i32x4_load16x4(packed + 8));
            const typename format::scales scales(packed, wasm_i8x16_const_splat(0x3F), wasm_i8x16_const_splat(0x30), low4);
            WASM_UNROLL
            for (int g = 0; g < 8; ++g) { t.scales[g] = scales.group(g); }
            WASM_UNROLL
            for (int p = 0; p < 4; ++p) { t.mins[p] = scales.min_pair(p); }
        } else {
            for (int g = 0; g < 8; g += 2) {
                const v128_t four = wasm_v128_load(packed + 8 + 8 * g);
                const v128_t first = wasm_i16x8_extend_low_i8x16(four), second = wasm_i16x8_extend_high_i8x16(four);
                t.scales[2 * g]     = repeat_low_i16(first);
                t.scales[2 * g + 1] = repeat_high_i16(first);
                t.scales[2 * g + 2] = repeat_low_i16(second);
                t.scales[2 * g + 3] = repeat_high_i16(second);
            }
        }
    }

    for (int g = 0; g < groups; ++g) {
        v128_t * words = t.words + 8 * g;
        const uint8_t * group = packed + format::header;
        if constexpr (format::weights == 32) {
            t.scales[g] = convert.floats(wasm_i32x4_load16x4(packed));
            if constexpr (format::has_min) { t.mins[g] = convert.floats(wasm_i32x4_load16x4(packed + 8)); }
            packed += packed_block_size<format>();
        } else {
            group += 16 * format::width * g;
        }
        unpack.template load<0>(group, words);
        unpack.template load<1>(group, words + 4);
        if constexpr (format::is_signed) {
            WASM_UNROLL
            for (int k = 0; k < 8; ++k) {
                const v128_t shifted = wasm_v128_xor(format::signed_bytes(words[k], table), wasm_i8x16_const_splat(-128));
                t.lower[8 * g + k] = wasm_v128_and(shifted, low4);
                words[k]           = wasm_v128_and(wasm_u16x8_shr(shifted, 4), low4);
            }
        }
    }
}

// The kernels below work on `tiles` neighbouring groups of four rows and `columns` columns at once: every lane of a
// column that is repeated serves all tiles, every word vector that is loaded serves all columns.

// Adds the products of half a group of words to `pairs`. `at` is the index of the first word vector.
template <int tiles, int columns, bool is_first>
WASM_INLINE void add_words(v128_t pairs[tiles][columns], const v128_t bytes[columns], const tile * t, const v128_t (tile::*words)[64], int at) {
    WASM_UNROLL
    for (int k = 0; k < 4; ++k) {
        v128_t lanes[columns];
        WASM_UNROLL
        for (int c = 0; c < columns; ++c) { lanes[c] = splat_lane(bytes[c], k); }
        WASM_UNROLL
        for (int r = 0; r < tiles; ++r) {
            const v128_t w = wasm_v128_load((t[r].*words) + at + k);
            WASM_UNROLL
            for (int c = 0; c < columns; ++c) {
                const v128_t dot = dot_bytes(lanes[c], w);
                pairs[r][c] = is_first && k == 0 ? dot : wasm_i16x8_add(pairs[r][c], dot);
            }
        }
        WASM_UNROLL
        for (int r = 0; r < tiles; ++r) {
            WASM_UNROLL
            for (int c = 0; c < columns; ++c) { keep_order(pairs[r][c]); }
        }
    }
}

template <class format, int tiles, int columns>
WASM_INLINE void multiply_tiles_32(const tile * t, int groups, const column_block_32 * const * column, int block, v128_t * const sums[tiles]) {
    const v128_t ones = in_register(wasm_i16x8_const_splat(1)), sixteens = in_register(wasm_i16x8_const_splat(16));
    v128_t sum[tiles][columns], pairs[tiles][columns], upper[tiles][columns], bytes[columns];
    WASM_UNROLL
    for (int r = 0; r < tiles; ++r) {
        WASM_UNROLL
        for (int c = 0; c < columns; ++c) { sum[r][c] = sums[r][c]; }
    }
    for (int g = 0; g < groups; ++g) {
        const auto load_bytes = [&](int half) {
            WASM_UNROLL
            for (int c = 0; c < columns; ++c) { bytes[c] = wasm_v128_load(column[c][block + g].quants + 16 * half); }
        };
        load_bytes(0);
        add_words<tiles, columns, true>(pairs, bytes, t, &tile::words, 8 * g);
        load_bytes(1);
        add_words<tiles, columns, false>(pairs, bytes, t, &tile::words, 8 * g + 4);
        if constexpr (format::is_signed) {
            WASM_UNROLL
            for (int r = 0; r < tiles; ++r) {
                WASM_UNROLL
                for (int c = 0; c < columns; ++c) { upper[r][c] = wasm_i32x4_dot_i16x8(pairs[r][c], sixteens); }
            }
            load_bytes(0);
            add_words<tiles, columns, true>(pairs, bytes, t, &tile::lower, 8 * g);
            load_bytes(1);
            add_words<tiles, columns, false>(pairs, bytes, t, &tile::lower, 8 * g + 4);
        }
        WASM_UNROLL
        for (int c = 0; c < columns; ++c) {
            const v128_t fields = wasm_v128_load(&column[c][block + g].scale);
            WASM_UNROLL
            for (int r = 0; r < tiles; ++r) {
                if constexpr (!format::is_signed && format::zero_point != 0) { pairs[r][c] = wasm_i16x8_sub(pairs[r][c], splat_lane<1>(fields)); }
                v128_t product = wasm_i32x4_dot_i16x8(pairs[r][c], ones);
                if constexpr (format::is_signed) {
                    product = wasm_i32x4_add(product, wasm_i32x4_sub(upper[r][c], splat_lane<2>(fields)));
                }
                sum[r][c] = multiply_add(sum[r][c], wasm_f32x4_convert_i32x4(product), wasm_f32x4_mul(t[r].scales[g], splat_lane<0>(fields)));
                if constexpr (format::has_min) { sum[r][c] = multiply_add(sum[r][c], splat_lane<2>(fields), t[r].mins[g]); }
            }
        }
    }
    WASM_UNROLL
    for (int r = 0; r < tiles; ++r) {
        WASM_UNROLL
        for (int c = 0; c < columns; ++c) { sums[r][c] = sum[r][c]; }
    }
}

// Adds `pairs`, the 16-bit sums of half a group or a whole one, to the products.
template <class format, int tiles, int columns>
WASM_INLINE void add_pairs(v128_t product[tiles][columns], v128_t pairs[tiles][columns], const tile * t, const column_block_256 * const * y, int half_group) {
    WASM_UNROLL
    for (int c = 0; c < columns; ++c) {
        v128_t offset = wasm_i32x4_const_splat(0);
        if constexpr (format::zero_point != 0) { offset = splat_lane(wasm_v128_load(y[c]->pair_offsets + (half_group & ~3)), half_group & 3); }
        WASM_UNROLL
        for (int r = 0; r < tiles; ++r) {
            if constexpr (format::zero_point != 0) { pairs[r][c] = wasm_i16x8_sub(pairs[r][c], offset); }
            const v128_t scale = t[r].scales[format::has_min ? half_group / 2 : half_group];
            product[r][c] = wasm_i32x4_add(product[r][c], wasm_i32x4_dot_i16x8(pairs[r][c], scale));
            keep_order(product[r][c]);
        }
    }
}

template <class format, int tiles, int columns>
WASM_INLINE void multiply_tiles_256(const tile * t, const column_block_256 * const * column, int block, v128_t * const sums[tiles]) {
    const column_block_256 * y[columns];
    v128_t product[tiles][columns], pairs[tiles][columns], bytes[columns];
    WASM_UNROLL
    for (int c = 0; c < columns; ++c) {
        y[c] = column[c] + block;
        WASM_UNROLL
        for (int r = 0; r < tiles; ++r) { product[r][c] = wasm_i32x4_const_splat(0); }
    }
    WASM_UNROLL
    for (int g = 0; g < 8; ++g) {
        WASM_UNROLL
        for (int c = 0; c < columns; ++c) { bytes[c] = wasm_v128_load(y[c]->quants + 32 * g); }
        add_words<tiles, columns, true>(pairs, bytes, t, &tile::words, 8 * g);
        if constexpr (format::addable < 8) { add_pairs<format, tiles, columns>(product, pairs, t, y, 2 * g); }
        WASM_UNROLL
        for (int c = 0; c < columns; ++c) { bytes[c] = wasm_v128_load(y[c]->quants + 32 * g + 16); }
        add_words<tiles, columns, (format::addable < 8)>(pairs, bytes, t, &tile::words, 8 * g + 4);
        add_pairs<format, tiles, columns>(product, pairs, t, y, 2 * g + 1);
    }
    WASM_UNROLL
    for (int c = 0; c < columns; ++c) {
        const v128_t column_sums = wasm_v128_load(y[c]->sums), scale = wasm_v128_load32_splat(&y[c]->scale);
        WASM_UNROLL
        for (int r = 0; r < tiles; ++r) {
            v128_t scaled = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(product[r][c]), t[r].d);
            if constexpr (format::has_min) {
                v128_t mins = wasm_i32x4_dot_i16x8(t[r].mins[0], splat_lane<0>(column_sums));
                mins = wasm_i32x4_add(mins, wasm_i32x4_dot_i16x8(t[r].mins[1], splat_lane<1>(column_sums)));
                mins = wasm_i32x4_add(mins, wasm_i32x4_dot_i16x8(t[r].mins[2], splat_lane<2>(column_sums)));
                mins = wasm_i32x4_add(mins, wasm_i32x4_dot_i16x8(t[r].mins[3], splat_lane<3>(column_sums)));
                scaled = wasm_f32x4_sub(scaled, wasm_f32x4_mul(wasm_f32x4_convert_i32x4(mins), t[r].dmin));
            }
            sums[r][c] = multiply_add(sums[r][c], scaled, scale);
        }
    }
}

// Multiplies `tiles` groups of four rows by all columns, `columns` at a time, then the rest one by one.
template <class format, int tiles, int columns>
WASM_INLINE void multiply_all_columns(const tile * t, int groups, const typename format::column * const * column, int column_count, int block,
                                      v128_t (*sums)[MAX_COLUMNS]) {
    v128_t * at[tiles];
    int c = 0;
    for (; c + columns <= column_count; c += columns) {
        WASM_UNROLL
        for (int r = 0; r < tiles; ++r) { at[r] = sums[r] + c; }
        if constexpr (format::weights == 256) { multiply_tiles_256<format, tiles, columns>(t, column + c, block, at); }
        else { multiply_tiles_32<format, tiles, columns>(t, groups, column + c, block, at); }
    }
    for (; c < column_count; ++c) {
        WASM_UNROLL
        for (int r = 0; r < tiles; ++r) { at[r] = sums[r] + c; }
        if constexpr (format::weights == 256) { multiply_tiles_256<format, tiles, 1>(t, column + c, block, at); }
        else { multiply_tiles_32<format, tiles, 1>(t, groups, column + c, block, at); }
    }
}

// Two by two needs 14 of V8's 15 vector registers; larger shapes spill and are slower.
static constexpr int TILES = 2, COLUMNS = 2;

// Multiplies up to MAX_ROWS rows, from `first_row` on, by up to MAX_COLUMNS columns. outs[c] receives the rows of
// columns[c].
template <class format>
static void __attribute__((noinline)) multiply_columns(const uint8_t * matrix, const block_places<format> & places, int first_row, int rows,
        const typename format::column * const * columns, float * const * outs, int column_count) {
    constexpr int blocks_per_tile = 256 / format::weights;
    const int     blocks = places.blocks;
    v128_t sums[MAX_ROWS / 4][MAX_COLUMNS];
    tile   tiles[TILES];
    memset(sums, 0, sizeof(sums));

    for (int block = 0; block < blocks; block += blocks_per_tile) {
        const int groups = format::weights == 256 ? 8 : (blocks - block < blocks_per_tile ? blocks - block : blocks_per_tile);
        int row = 0;
        for (; row + 4 * TILES <= rows; row += 4 * TILES) {
            for (int r = 0; r < TILES; ++r) { unpack_tile<format>(matrix + places.offset((first_row + row) / 4 + r, block), groups, tiles[r]); }
            multiply_all_columns<format, TILES, COLUMNS>(tiles, groups, columns, column_count, block, sums + row / 4);
        }
        for (; row < rows; row += 4) {
            unpack_tile<format>(matrix + places.offset((first_row + row) / 4, block), groups, tiles[0]);
            multiply_all_columns<format, 1, 4>(tiles, groups, columns, column_count, block, sums + row / 4);
        }
    }
    for (int c = 0; c < column_count; ++c) {
        for (int row = 0; row < rows; row += 4) {
            store_floats(outs[c] + row, sums[row / 4][c], rows - row);
        }
    }
}

// ---- Choosing by format

template <class format> struct one_column : one_column_32<format> {};
template <> struct one_column<format_q8_0> : one_column_signed<format_q8_0> {};
template <> struct one_column<format_iq4_nl> : one_column_signed<format_iq4_nl> {};
template <> struct one_column<format_q4_k> : one_column_k<format_q4_k> {};
template <> struct one_column<format_q5_k> : one_column_k<format_q5_k> {};
template <> struct one_column<format_q6_k> : one_column_q6_k {};

}  // namespace ggml_wasm

// Weights that are 16-bit floats (F16, BF16). Columns stay F32, so the products are more precise than ggml's own, which
// rounds the columns to 16 bits too.
//
// A packed block holds 32 weights of four rows in 16 vectors. A 32-bit lane of vector j belongs to one row: weight 2j is in
// its lower half and weight 2j + 1 in its upper half. One number of the column, repeated four times, then meets four rows
// at once, as in bits.h.
//
// Infinities and NaN never get here: set_tensor() in matrix-buffer.cpp refuses them.
#pragma once

#include "product.h"

namespace ggml_wasm {

// 32 numbers of a column, for several columns and for one.
struct float_column { float values[32]; };
struct wide_float_column { v128_t values[32]; };  // each repeated four times, and times format::column_scale

template <int id> struct block_of_halves { uint16_t values[32]; };

// All float formats share:
//   weight_scale  lower() and upper() return the weights divided by this
//   column_scale  its square root. A wide column and the sum of its products are multiplied by it, one after the other,
//                 because weight_scale itself could overflow a large number of the column.
struct format_f16 {
    using source = block_of_halves<0>;
    using column = float_column;
    using wide   = wide_float_column;
    static constexpr int   weights = 32;
    static constexpr float weight_scale = HALF_SCALE, column_scale = 0x1.0p+56f;

    static v128_t mask() { return half_mask(); }
    static WASM_INLINE_MEMBER v128_t lower(v128_t v, v128_t mask) { return wasm_v128_and(wasm_i32x4_shr(wasm_i32x4_shl(v, 16), 3), mask); }
    static WASM_INLINE_MEMBER v128_t upper(v128_t v, v128_t mask) { return wasm_v128_and(wasm_i32x4_shr(v, 3), mask); }
};

// The upper half of an F32.
struct format_bf16 {
    using source = block_of_halves<1>;
    using column = float_column;
    using wide   = wide_float_column;
    static constexpr int   weights = 32;
    static constexpr float weight_scale = 1, column_scale = 1;

    static v128_t mask() { return wasm_i32x4_const_splat((int32_t) 0xFFFF0000); }
    static WASM_INLINE_MEMBER v128_t lower(v128_t v, v128_t) { return wasm_i32x4_shl(v, 16); }
    static WASM_INLINE_MEMBER v128_t upper(v128_t v, v128_t mask) { return wasm_v128_and(v, mask); }
};

template <class format>
static void pack_half_rows(const typename format::source * const rows[4], const block_places<format> & places, int row_group, uint8_t * matrix) {
    for (int i = 0; i < places.blocks; ++i) {
        uint8_t * out = matrix + places.offset(row_group, i);
        for (int quarter = 0; quarter < 4; ++quarter) {
            v128_t four[4], packed[4];
            for (int r = 0; r < 4; ++r) { four[r] = wasm_v128_load(rows[r][i].values + 8 * quarter); }
            transpose(four, packed);
            for (int j = 0; j < 4; ++j) { wasm_v128_store(out + 16 * (4 * quarter + j), packed[j]); }
        }
    }
}

// Reads one row back.
template <class format> static void unpack_half_row(const uint8_t * matrix, const block_places<format> & places, int row, float * out) {
    const v128_t mask = format::mask(), scale = wasm_f32x4_const_splat(format::weight_scale);
    for (int i = 0; i < places.blocks; ++i) {
        const uint8_t * packed = matrix + places.offset(row / 4, i);
        for (int j = 0; j < 16; ++j) {
            float lower[4], upper[4];
            const v128_t v = wasm_v128_load(packed + 16 * j);
            wasm_v128_store(lower, wasm_f32x4_mul(format::lower(v, mask), scale));
            wasm_v128_store(upper, wasm_f32x4_mul(format::upper(v, mask), scale));
            *out++ = lower[row % 4];
            *out++ = upper[row % 4];
        }
    }
}

template <class format> static void widen_floats(const float * x, wide_float_column * wide) {
    for (int i = 0; i < 32; ++i) { wide->values[i] = wasm_f32x4_splat(x[i] * format::column_scale); }
}

// Multiplies one panel by one column: see one_column_32 in product.h. Denormal halves stay denormal here, which costs Intel
// processors some 150 cycles each. Converting them takes longer, as few weights are that small.
template <class format> struct one_column_halves {
    static void __attribute__((noinline)) multiply(const uint8_t * packed, int rows, int blocks, const wide_float_column * column,
                                                   float * out, bool is_first) {
        const v128_t mask  = in_register(format::mask());
        const v128_t scale = in_register(wasm_f32x4_const_splat(format::column_scale));

        for (int row = 0; row < rows; row += 4) {
            v128_t sums[4] = { wasm_f32x4_const_splat(0), wasm_f32x4_const_splat(0), wasm_f32x4_const_splat(0), wasm_f32x4_const_splat(0) };
            const wide_float_column * y = column;
            for (int i = 0; i < blocks; ++i, ++y, packed += sizeof(uint16_t) * 4 * format::weights) {
                WASM_UNROLL
                for (int j = 0; j < 16; ++j) {
                    const v128_t v = wasm_v128_load(packed + 16 * j);
                    v128_t & even = sums[2 * j % 4], & odd = sums[(2 * j + 1) % 4];
                    even = multiply_add(even, format::lower(v, mask), y->values[2 * j]);
                    keep_order(even);
                    odd = multiply_add(odd, format::upper(v, mask), y->values[2 * j + 1]);
                    keep_order(odd);
                }
            }
            v128_t sum = wasm_f32x4_add(wasm_f32x4_add(sums[0], sums[1]), wasm_f32x4_add(sums[2], sums[3]));
            sum = wasm_f32x4_mul(sum, scale);
            if (!is_first) { sum = wasm_f32x4_add(sum, load_floats(out + row, rows - row)); }
            store_floats(out + row, sum, rows - row);
        }
    }
};

template <> struct one_column<format_f16> : one_column_halves<format_f16> {};
template <> struct one_column<format_bf16> : one_column_halves<format_bf16> {};

// ---- Several columns

// Four rows of up to 256 weights.
struct float_tile { v128_t weights[256]; };

template <class format> static void __attribute__((noinline)) unpack_half_tile(const uint8_t * packed, int blocks, float_tile & tile) {
    const v128_t mask = in_register(format::mask()), scale = in_register(wasm_f32x4_const_splat(format::weight_scale));
    for (int j = 0; j < 16 * blocks; ++j) {
        const v128_t v = wasm_v128_load(packed + 16 * j);
        tile.weights[2 * j]     = wasm_f32x4_mul(format::lower(v, mask), scale);
        tile.weights[2 * j + 1] = wasm_f32x4_mul(format::upper(v, mask), scale);
    }
}

// Adds the products of `tiles` tiles and `columns` columns, whose next `count` numbers (a multiple of 32) begin at x. They
// are added up by themselves first: one long sum of F32 would lose digits.
template <int tiles, int columns>
static void __attribute__((noinline)) multiply_float_tiles(const float_tile * t, const float * const * x, int count, v128_t * const * sums) {
    v128_t sum[tiles][columns];
    const float * at[columns];
    WASM_UNROLL
    for (int c = 0; c < columns; ++c) {
        at[c] = x[c];
        WASM_UNROLL
        for (int r = 0; r < tiles; ++r) { sum[r][c] = wasm_f32x4_const_splat(0); }
    }
    for (int i = 0; i < count; i += 4) {
        WASM_UNROLL
        for (int j = 0; j < 4; ++j) {
            v128_t weights[tiles];
            WASM_UNROLL
            for (int r = 0; r < tiles; ++r) { weights[r] = t[r].weights[i + j]; }
            WASM_UNROLL
            for (int c = 0; c < columns; ++c) {
                const v128_t number = wasm_v128_load32_splat(at[c] + i + j);
                WASM_UNROLL
                for (int r = 0; r < tiles; ++r) {
                    sum[r][c] = multiply_add(sum[r][c], weights[r], number);
                    keep_order(sum[r][c]);
                }
            }
        }
    }
    WASM_UNROLL
    for (int c = 0; c < columns; ++c) {
        WASM_UNROLL
        for (int r = 0; r < tiles; ++r) { sums[r][c] = wasm_f32x4_add(sums[r][c], sum[r][c]); }
    }
}

template <int tiles>
static void multiply_all_float_columns(const float_tile * t, const float_column * const * columns, int column_count, int block, int count,
                                       v128_t (*sums)[MAX_COLUMNS]) {
    constexpr int at_once = 4;  // Two tiles by four columns take 11 of V8's 15 vector registers.
    const float * x[at_once];
    v128_t *      to[tiles];
    for (int c = 0; c < column_count;) {
        const int some = column_count - c >= at_once ? at_once : 1;
        for (int k = 0; k < some; ++k) { x[k] = columns[c + k][block].values; }
        for (int r = 0; r < tiles; ++r) { to[r] = sums[r] + c; }
        if (some == at_once) { multiply_float_tiles<tiles, at_once>(t, x, count, to); }
        else { multiply_float_tiles<tiles, 1>(t, x, count, to); }
        c += some;
    }
}

// Multiplies up to MAX_ROWS rows by up to MAX_COLUMNS columns: see multiply_columns() in product.h.
template <class format>
static void __attribute__((noinline)) multiply_half_columns(const uint8_t * matrix, const block_places<format> & places, int first_row, int rows,
        const float_column * const * columns, float * const * outs, int column_count) {
    constexpr int tiles_at_once = 2, blocks_per_tile = 256 / format::weights;
    v128_t sums[MAX_ROWS / 4][MAX_COLUMNS];
    float_tile tiles[tiles_at_once];
    memset(sums, 0, sizeof(sums));

    for (int block = 0; block < places.blocks; block += blocks_per_tile) {
        const int blocks = places.blocks - block < blocks_per_tile ? places.blocks - block : blocks_per_tile;
        const int count  = blocks * format::weights;
        for (int row = 0; row < rows;) {
            const int some = rows - row > 4 ? tiles_at_once : 1;
            for (int r = 0; r < some; ++r) { unpack_half_tile<format>(matrix + places.offset((first_row + row) / 4 + r, block), blocks, tiles[r]); }
            if (some == tiles_at_once) { multiply_all_float_columns<tiles_at_once>(tiles, columns, column_count, block, count, sums + row / 4); }
            else { multiply_all_float_columns<1>(tiles, columns, column_count, block, count, sums + row / 4); }
            row += 4 * some;
        }
    }
    for (int c = 0; c < column_count; ++c) {
        for (int row = 0; row < rows; row += 4) { store_floats(outs[c] + row, sums[row / 4][c], rows - row); }
    }
}

}  // namespace ggml_wasm

// The quantisation formats: for each GGUF block type, how four rows of it are packed when a tensor loads, and how the
// kernels read the packed form. `bits.h` describes where the weights go; this file adds the scales.
//
// A packed block holds one GGUF block of four rows and takes exactly four times the bytes. All formats share:
//   source        the GGUF block
//   column, wide  the blocks of a column, see activations.h
//   weights       weights per block: 32 or 256
//   header        bytes before the first group of weights
//   width         bits per weight in the packed form
//   zero_point    subtracted from every stored weight (0: none)
//   middle        K formats: what the kernel for one column subtracts so that its 16-bit sums do not overflow
//   has_min       whether the block adds a minimum to every weight
//   is_signed     whether the stored weight is a signed byte, or looks up one
//   addable       how many word vectors may be added at 16 bits before they must be widened
#pragma once

#include "activations.h"
#include "bits.h"

#include <string.h>

namespace ggml_wasm {

WASM_INLINE v128_t low_nibbles(v128_t v)  { return wasm_v128_and(v, wasm_i8x16_const_splat(0x0F)); }
WASM_INLINE v128_t high_nibbles(v128_t v) { return wasm_u8x16_shr(v, 4); }

// Writes the same field of four rows side by side.
template <class field> static void put_four(uint8_t * out, field a, field b, field c, field d) {
    const field values[4] = { a, b, c, d };
    memcpy(out, values, sizeof(values));
}

// ---- 32 weights per scale: d of four rows (F16), for Q4_1 also their m, then one group.

template <class block, int stored_bits, int zero> struct format_32 {
    using source = block;
    using column = column_block_32;
    using wide   = wide_block_32<wide_width<stored_bits>>;
    static constexpr int  weights = 32, header = 8, width = stored_bits, zero_point = zero, addable = 8;
    static constexpr bool has_min = false, is_signed = false;

    static void pack_header(const block * const rows[4], uint8_t * out) {
        put_four(out, rows[0]->d, rows[1]->d, rows[2]->d, rows[3]->d);
    }
    // Reads weight number `quant` of one row back.
    static float value(const uint8_t * packed, int row, int, int quant) {
        ggml_half d;
        memcpy(&d, packed + 2 * row, 2);
        return (quant - zero) * GGML_FP16_TO_FP32(d);
    }
};

struct format_q4_0 : format_32<block_q4_0, 4, 8> {
    static void extract(const block_q4_0 * b, int, v128_t q[2]) {
        const v128_t v = wasm_v128_load(b->qs);
        q[0] = low_nibbles(v);
        q[1] = high_nibbles(v);
    }
};

struct format_q4_1 : format_32<block_q4_1, 4, 0> {
    static constexpr int  header  = 16;
    static constexpr bool has_min = true;

    static void pack_header(const block_q4_1 * const rows[4], uint8_t * out) {
        put_four(out, rows[0]->d, rows[1]->d, rows[2]->d, rows[3]->d);
        put_four(out + 8, rows[0]->m, rows[1]->m, rows[2]->m, rows[3]->m);
    }
    static void extract(const block_q4_1 * b, int, v128_t q[2]) {
        const v128_t v = wasm_v128_load(b->qs);
        q[0] = low_nibbles(v);
        q[1] = high_nibbles(v);
    }
    static float value(const uint8_t * packed, int row, int, int quant) {
        ggml_half d, m;
        memcpy(&d, packed + 2 * row, 2);
        memcpy(&m, packed + 8 + 2 * row, 2);
        return quant * GGML_FP16_TO_FP32(d) + GGML_FP16_TO_FP32(m);
    }
};

// Spreads 16 bits to 16 bytes: 0x10 where the bit is set.
WASM_INLINE v128_t fifth_bits(uint32_t bits) {
    const v128_t two_bytes = wasm_i8x16_swizzle(wasm_i32x4_splat((int) bits),
        wasm_i8x16_const(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1));
    const v128_t each = wasm_i8x16_const(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
    return wasm_v128_and(wasm_i8x16_eq(wasm_v128_and(two_bytes, each), each), wasm_i8x16_const_splat(0x10));
}

struct format_q5_0 : format_32<block_q5_0, 5, 16> {
    static void extract(const block_q5_0 * b, int, v128_t q[2]) {
        uint32_t high;
        memcpy(&high, b->qh, 4);
        const v128_t v = wasm_v128_load(b->qs);
        q[0] = wasm_v128_or(low_nibbles(v), fifth_bits(high));
        q[1] = wasm_v128_or(high_nibbles(v), fifth_bits(high >> 16));
    }
};

// Signed bytes. With one column the kernel uses them as they are; with several it splits weight + 128 into nibbles.
struct format_q8_0 : format_32<block_q8_0, 8, 128> {
    static constexpr bool is_signed = true;

    static void extract(const block_q8_0 * b, int, v128_t q[2]) {
        q[0] = wasm_v128_load(b->qs);
        q[1] = wasm_v128_load(b->qs + 16);
    }
    static v128_t table() { return wasm_i8x16_const_splat(0); }
    static v128_t signed_bytes(v128_t stored, v128_t) { return stored; }
    static float value(const uint8_t * packed, int row, int, int quant) {
        ggml_half d;
        memcpy(&d, packed + 2 * row, 2);
        return (int8_t) quant * GGML_FP16_TO_FP32(d);
    }
};

// Nibbles that look up one of 16 signed bytes.
struct format_iq4_nl : format_32<block_iq4_nl, 4, 128> {
    using wide = wide_block_32<8>;
    static constexpr bool is_signed = true;

    static void extract(const block_iq4_nl * b, int, v128_t q[2]) {
        const v128_t v = wasm_v128_load(b->qs);
        q[0] = low_nibbles(v);
        q[1] = high_nibbles(v);
    }
    static v128_t table() {
        return wasm_i8x16_const(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113);
    }
    static v128_t signed_bytes(v128_t stored, v128_t table) { return look_up(table, stored); }
    static float value(const uint8_t * packed, int row, int, int quant) {
        static const int8_t values[16] = { -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113 };
        ggml_half d;
        memcpy(&d, packed + 2 * row, 2);
        return values[quant] * GGML_FP16_TO_FP32(d);
    }
};

// ---- Q4_K and Q5_K: 256 weights, eight groups, each with a six-bit scale and a six-bit minimum.
//
// Header: d (8 bytes) and dmin (8 bytes) of four rows, then three vectors. The first holds the scales of groups 0...3,
// the second their minimums; the top two bits of both belong to groups 4...7, whose low four bits are in the third
// (scales in the low nibbles). Scales lie group by group, so that one group of four rows is one lane. Minimums lie in
// pairs of groups, because they meet pairs of column sums in one 16-bit dot product.

template <class block, int stored_bits> struct format_k {
    using source = block;
    using column = column_block_256;
    using wide   = wide_block_256<wide_width<stored_bits>>;
    static constexpr int  weights = 256, header = 64, width = stored_bits, zero_point = 0;
#ifdef __wasm_relaxed_simd__
    static constexpr int  middle = 0;
#else
    static constexpr int  middle = stored_bits == 4 ? 0 : 16;  // 16 * 16 * 127 fits in 16 bits, 16 * 31 * 127 does not.
#endif
    static constexpr int  addable = stored_bits == 4 ? 8 : 4;  // 4 * 2 * 31 * 127 fits in 16 bits, 8 * do not.
    static constexpr bool has_min = true, is_signed = false;

    static int scale_place(int group, int row) { return 4 * (group & 3) + row; }
    static int min_place(int group, int row)   { return 8 * ((group & 3) / 2) + 2 * row + (group & 1); }

    // GGUF's packing of the eight scales and minimums of one block, see get_scale_min_k4 in ggml-quants.c.
    static void read_scales(const uint8_t * s, uint8_t scales[8], uint8_t mins[8]) {
        for (int g = 0; g < 4; ++g) {
            scales[g]     = s[g] & 63;
            mins[g]       = s[g + 4] & 63;
            scales[g + 4] = (s[g + 8] & 15) | ((s[g] >> 6) << 4);
            mins[g + 4]   = (s[g + 8] >> 4) | ((s[g + 4] >> 6) << 4);
        }
    }

    static void pack_header(const block * const rows[4], uint8_t * out) {
        put_four(out, rows[0]->d, rows[1]->d, rows[2]->d, rows[3]->d);
        put_four(out + 8, rows[0]->dmin, rows[1]->dmin, rows[2]->dmin, rows[3]->dmin);
        memset(out + 16, 0, 48);
        for (int row = 0; row < 4; ++row) {
            uint8_t scales[8], mins[8];
            read_scales(rows[row]->scales, scales, mins);
            for (int g = 0; g < 4; ++g) {
                out[16 + scale_place(g, row)] = scales[g] | ((scales[g + 4] >> 4) << 6);
                out[32 + min_place(g, row)]   = mins[g] | ((mins[g + 4] >> 4) << 6);
                out[48 + scale_place(g, row)] |= scales[g + 4] & 15;
                out[48 + min_place(g, row)]   |= (mins[g + 4] & 15) << 4;
            }
        }
    }

    static float value(const uint8_t * packed, int row, int index, int quant) {
        const int g = index / 32, s = scale_place(g, row), m = min_place(g, row);
        ggml_half d, dmin;
        memcpy(&d, packed + 2 * row, 2);
        memcpy(&dmin, packed + 8 + 2 * row, 2);
        const int scale = g < 4 ? packed[16 + s] & 63 : (packed[48 + s] & 15) | ((packed[16 + s] >> 6) << 4);
        const int min   = g < 4 ? packed[32 + m] & 63 : (packed[48 + m] >> 4) | ((packed[32 + m] >> 6) << 4);
        return GGML_FP16_TO_FP32(d) * scale * quant - GGML_FP16_TO_FP32(dmin) * min;
    }

    // The scales of one block, ready for the kernels.
    struct scales {
        v128_t low, high, min_low, min_high;

        WASM_INLINE_MEMBER explicit scales(const uint8_t * packed, v128_t low6, v128_t bits45, v128_t low4) {
            const v128_t a = wasm_v128_load(packed + 16), b = wasm_v128_load(packed + 32), c = wasm_v128_load(packed + 48);
            low      = wasm_v128_and(a, low6);
            high     = wasm_v128_or(wasm_v128_and(c, low4), wasm_v128_and(wasm_u16x8_shr(a, 2), bits45));
            min_low  = wasm_v128_and(b, low6);
            min_high = wasm_v128_or(wasm_v128_and(wasm_u16x8_shr(c, 4), low4), wasm_v128_and(wasm_u16x8_shr(b, 2), bits45));
        }

        // The scale of a group, as a pair of equal 16-bit numbers in each row's lane.
        WASM_INLINE_MEMBER v128_t group(int g) const {
            const v128_t four = g < 4 ? low : high;
            const v128_t two  = g & 2 ? wasm_u16x8_extend_high_u8x16(four) : wasm_u16x8_extend_low_u8x16(four);
            return g & 1 ? repeat_high_i16(two) : repeat_low_i16(two);
        }

        // The minimums of groups 2 * pair and 2 * pair + 1, as a pair of 16-bit numbers in each row's lane.
        WASM_INLINE_MEMBER v128_t min_pair(int pair) const {
            const v128_t four = pair < 2 ? min_low : min_high;
            return pair & 1 ? wasm_u16x8_extend_high_u8x16(four) : wasm_u16x8_extend_low_u8x16(four);
        }
    };
};

struct format_q4_k : format_k<block_q4_K, 4> {
    static void extract(const block_q4_K * b, int g, v128_t q[2]) {
        for (int h = 0; h < 2; ++h) {
            const v128_t v = wasm_v128_load(b->qs + 32 * (g / 2) + 16 * h);
            q[h] = g & 1 ? high_nibbles(v) : low_nibbles(v);
        }
    }
};

struct format_q5_k : format_k<block_q5_K, 5> {
    static void extract(const block_q5_K * b, int g, v128_t q[2]) {
        for (int h = 0; h < 2; ++h) {
            const v128_t v     = wasm_v128_load(b->qs + 32 * (g / 2) + 16 * h);
            const v128_t fifth = wasm_v128_and(wasm_u8x16_shr(wasm_v128_load(b->qh + 16 * h), g), wasm_i8x16_const_splat(1));
            q[h] = wasm_v128_or(g & 1 ? high_nibbles(v) : low_nibbles(v), wasm_i8x16_shl(fifth, 4));
        }
    }
};

// ---- Q6_K: 256 weights, a signed scale for every 16. Header: d of four rows, then 16 scales of four rows, scale by
// scale.

struct format_q6_k {
    using source = block_q6_K;
    using column = column_block_256;
    using wide   = wide_block_256<wide_width<6>>;
    static constexpr int  weights = 256, header = 72, width = 6, zero_point = 32, middle = zero_point;
    static constexpr int  addable = 4;  // After subtracting the zero point: 4 * 2 * 32 * 127 fits in 16 bits.
    static constexpr bool has_min = false, is_signed = false;

    static void pack_header(const block_q6_K * const rows[4], uint8_t * out) {
        put_four(out, rows[0]->d, rows[1]->d, rows[2]->d, rows[3]->d);
        for (int s = 0; s < 16; ++s) {
            for (int row = 0; row < 4; ++row) {
                out[8 + 4 * s + row] = (uint8_t) rows[row]->scales[s];
            }
        }
    }
    static void extract(const block_q6_K * b, int g, v128_t q[2]) {
        const int half = g / 4, m = g & 3;
        for (int h = 0; h < 2; ++h) {
            const v128_t v    = wasm_v128_load(b->ql + 64 * half + 32 * (m & 1) + 16 * h);
            const v128_t high = wasm_u8x16_shr(wasm_v128_load(b->qh + 32 * half + 16 * h), 2 * m);
            q[h] = wasm_v128_or(m & 2 ? high_nibbles(v) : low_nibbles(v),
                                wasm_i8x16_shl(wasm_v128_and(high, wasm_i8x16_const_splat(3)), 4));
        }
    }
    static float value(const uint8_t * packed, int row, int index, int quant) {
        ggml_half d;
        memcpy(&d, packed + 2 * row, 2);
        return GGML_FP16_TO_FP32(d) * (int8_t) packed[8 + 4 * (index / 16) + row] * (quant - 32);
    }
};

// ---- A packed matrix

// Where the blocks of a matrix lie. Rows are cut into panels; memory holds the first panel of all groups of four rows,
// then the second panel of all, and so on. A wide column (activations.h) of one panel fits in the first-level cache, and
// the kernel for a single column still reads one continuous stream. Without relaxed SIMD a wide column is over twice as large.
#ifdef __wasm_relaxed_simd__
static constexpr int PANEL_WEIGHTS = 2048;
#else
static constexpr int PANEL_WEIGHTS = 1024;
#endif

template <class format> static constexpr size_t packed_block_size() { return 4 * sizeof(typename format::source); }

template <class format> struct block_places {
    static constexpr int panel_blocks = PANEL_WEIGHTS / format::weights;
    int row_groups, blocks;

    int blocks_in_panel(int panel) const {
        const int left = blocks - panel * panel_blocks;
        return left < panel_blocks ? left : panel_blocks;
    }
    // Bytes from the start of the matrix. `block` counts from the left edge of the matrix.
    size_t offset(int row_group, int block) const {
        const int panel = block / panel_blocks;
        return ((size_t) panel * panel_blocks * row_groups + (size_t) row_group * blocks_in_panel(panel) + block % panel_blocks) *
               packed_block_size<format>();
    }
};

// Packs four rows, which may repeat a row where the matrix ends.
template <class format>
static void pack_rows(const typename format::source * const first[4], const block_places<format> & places, int row_group, uint8_t * matrix) {
    for (int i = 0; i < places.blocks; ++i) {
        uint8_t * out = matrix + places.offset(row_group, i);
        const typename format::source * rows[4] = { first[0] + i, first[1] + i, first[2] + i, first[3] + i };
        format::pack_header(rows, out);
        for (int g = 0; g < format::weights / 32; ++g) {
            v128_t low[4], high[4], words[8];
            for (int row = 0; row < 4; ++row) {
                v128_t q[2];
                format::extract(rows[row], g, q);
                low[row]  = q[0];
                high[row] = q[1];
            }
            transpose(low, words);
            transpose(high, words + 4);
            bits<format::width>::pack(words, out + format::header + 16 * format::width * g);
        }
    }
}

// Dequantises one row.
template <class format> static void unpack_row(const uint8_t * matrix, const block_places<format> & places, int row, float * out) {
    const bits<format::width> unpack;
    for (int i = 0; i < places.blocks; ++i, out += format::weights) {
        const uint8_t * packed = matrix + places.offset(row / 4, i);
        for (int g = 0; g < format::weights / 32; ++g) {
            v128_t words[8];
            unpack.template load<0>(packed + format::header + 16 * format::width * g, words);
            unpack.template load<1>(packed + format::header + 16 * format::width * g, words + 4);
            const uint8_t * bytes = (const uint8_t *) words;
            for (int j = 0; j < 32; ++j) {
                out[32 * g + j] = format::value(packed, row % 4, 32 * g + j, bytes[16 * (j / 4) + 4 * (row % 4) + j % 4]);
            }
        }
    }
}

}  // namespace ggml_wasm
